// One request to the server with a time limit. The library's own retries are off: they do not end with the signal, and
// wait as long as a server says; its time limit ends with the headers of an answer.
import type OpenAI from "openai";
import type { Dispatcher } from "undici";
import { isKbError, KbError } from "../../../core/plugin-api.js";
import { readAnswer } from "./answer.js";
import { readApiKey } from "./api-key.js";
import { boundedFetch } from "./bounded-fetch.js";
import { throwIfCancelled } from "./cancelled.js";
import { createDispatcher } from "./dispatcher.js";
import { failureOfConnection, failureOfStatus, RequestFailure } from "./failure.js";
import { AnswerTooLong, HttpFailure } from "./http-failure.js";
import type { OpenAiOptions } from "./options.js";
import { proxyFor, type Proxy } from "./proxy.js";

/** More than a number takes in any JSON, indented or not. */
const bytesPerNumber = 64;

/** A text in JavaScript cannot be much longer. */
const maxAnswerBytes = 256 * 1024 * 1024;

interface Opened {
  readonly client: OpenAI;
  readonly dispatcher: Dispatcher;
  readonly key: string | undefined;
  readonly proxy: Proxy | undefined;
}

export class EmbeddingClient {
  #opened: Promise<Opened> | undefined;

  constructor(private readonly options: OpenAiOptions) {}

  async #open(): Promise<Opened> {
    const { baseUrl, batchSize, dimensions } = this.options;
    const key = readApiKey(this.options);
    const proxy = proxyFor(baseUrl, process.env);
    const dispatcher = await createDispatcher(proxy);
    const { default: Client } = await import("openai");
    const client = new Client({
      baseURL: baseUrl,
      apiKey: key ?? "none",
      // Said here, or OPENAI_CUSTOM_HEADERS could put another in its place.
      defaultHeaders: { Authorization: key === undefined ? null : `Bearer ${key}` },
      maxRetries: 0,
      // The library logs to stdout, which is MCP's.
      logLevel: "off",
      fetch: boundedFetch(
        dispatcher,
        Math.min(maxAnswerBytes, batchSize * dimensions * bytesPerNumber + 1024 * 1024),
      ),
    });
    return { client, dispatcher, key, proxy };
  }

  /**
   * One vector of unit length for each text.
   * @throws RequestFailure; KbError KB_CANCELLED, KB_EMBED_*
   */
  async embed(texts: readonly string[], signal: AbortSignal, timeoutMs: number): Promise<Float32Array[]> {
    const { model, dimensions, sendDimensions } = this.options;
    throwIfCancelled(signal);
    this.#opened ??= this.#open().catch((error: unknown) => {
      this.#opened = undefined;
      throw error;
    });
    const opened = await this.#opened;
    throwIfCancelled(signal);
    // Not AbortSignal.any, which on Node 20 keeps what it made as long as a long-lived signal lives.
    const attempt = new AbortController();
    const stop = (): void => attempt.abort();
    signal.addEventListener("abort", stop, { once: true });
    const timer = setTimeout(stop, timeoutMs);
    try {
      const answer: unknown = await opened.client.embeddings.create(
        {
          model,
          input: [...texts],
          // Left out, the library asks for base64 and takes floats for empty vectors.
          encoding_format: "float",
          ...(sendDimensions && { dimensions }),
        },
        { signal: attempt.signal, timeout: Math.ceil(2 * timeoutMs) },
      );
      return readAnswer(answer, texts.length, this.options);
    } catch (error) {
      throwIfCancelled(signal);
      if (isKbError(error)) throw error;
      if (attempt.signal.aborted) throw this.#late(timeoutMs, texts.length);
      throw this.#explain(error, opened);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
    }
  }

  /** Closes the connections, those in use too. */
  async close(): Promise<void> {
    const opened = await this.#opened?.catch(() => undefined);
    await opened?.dispatcher.destroy();
  }

  #late(timeoutMs: number, count: number): RequestFailure {
    return new RequestFailure(
      "transient",
      new KbError("KB_EMBED_SERVER", `No answer from ${this.options.baseUrl} within ${timeoutMs / 1000} s`, {
        ...(count > 1 && {
          hint: "If the server is slow, lower batch_size or raise timeout_seconds under [embedder] in kb-mcp.toml.",
        }),
      }),
    );
  }

  #explain(error: unknown, { key, proxy }: Opened): RequestFailure {
    const { baseUrl } = this.options;
    const cause = typeof error === "object" && error !== null && "cause" in error ? error.cause : undefined;
    if (cause instanceof HttpFailure) return failureOfStatus(cause, this.options, key);
    if (cause instanceof AnswerTooLong)
      return new RequestFailure(
        "final",
        new KbError("KB_EMBED_SERVER", `${baseUrl} answers more than its vectors can be`),
      );
    return failureOfConnection(error, this.options, proxy?.variable);
  }
}
