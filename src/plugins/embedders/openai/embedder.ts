// The Embedder on top of the client: batches, retries, and finds out whether a text or the settings are to blame.
import { setImmediate } from "node:timers/promises";
import { estimateTokens, KbError, type Embedder, type PluginHost } from "../../../core/plugin-api.js";
import { prepareText, takeBatch } from "./batches.js";
import { EmbeddingClient } from "./client.js";
import { RequestFailure } from "./failure.js";
import type { OpenAiOptions } from "./options.js";
import { withRetries, type RetryPlan } from "./retry.js";

/** Somebody waits for a search: it fails before they give up. */
const queryTimeoutMs = 10_000;

/** Texts prepared without a pause: a few milliseconds. A whole book at once would hold up searches. */
const preparedAtOnce = 256;

/** UTF-16 units of a refused text that its failure repeats. */
const shownUnits = 60;

interface Effort extends RetryPlan {
  readonly timeoutMs: number;
}

export class OpenAiEmbedder implements Embedder {
  /** Without the address, so that a server may move. `max_tokens` cuts nothing as long as chunks keep to `max`. */
  readonly model: string;
  readonly dimensions: number;
  readonly chunkTokens: { readonly target: number; readonly max: number };
  readonly fusionWeight: number;
  readonly #client: EmbeddingClient;
  readonly #running = new Set<AbortController>();
  #disposed = false;
  /** Whether the server ever took a text: until then a refusal may be one of the settings. */
  #proven = false;
  #batchSize: number;
  readonly #end = (): void => void this.dispose();

  /** @param firstWaitMs milliseconds before the first retry */
  constructor(
    private readonly options: OpenAiOptions,
    private readonly host: PluginHost,
    private readonly firstWaitMs = 500,
  ) {
    const { model, dimensions, queryPrefix, documentPrefix, chunkTokens, maxTokens } = options;
    this.model = `openai ${model} dimensions=${dimensions} prefixes=${JSON.stringify([queryPrefix, documentPrefix])}`;
    this.dimensions = dimensions;
    const max = Math.min(Math.ceil(chunkTokens * 1.5), maxTokens - estimateTokens(documentPrefix));
    this.chunkTokens = { target: Math.min(chunkTokens, max), max };
    this.fusionWeight = options.fusionWeight;
    this.#batchSize = options.batchSize;
    this.#client = new EmbeddingClient(options);
    host.signal.addEventListener("abort", this.#end, { once: true });
  }

  async embedDocuments(texts: readonly string[], signal: AbortSignal): Promise<(Float32Array | null)[]> {
    const { documentPrefix, maxTokens, batchTokens, timeoutSeconds, maxRetries } = this.options;
    const prepared: (string | null)[] = [];
    for (const text of texts) {
      prepared.push(prepareText(text, documentPrefix, maxTokens));
      if (prepared.length % preparedAtOnce === 0) await setImmediate();
    }
    const readable = prepared.filter((text) => text !== null);
    const effort = {
      timeoutMs: timeoutSeconds * 1000,
      retries: maxRetries,
      firstWaitMs: this.firstWaitMs,
      longestWaitMs: 120_000,
    };
    const vectors = await this.#cancellable(signal, async (running) => {
      const done: Float32Array[] = [];
      while (done.length < readable.length) {
        const batch = takeBatch(readable, done.length, this.#batchSize, batchTokens);
        done.push(...(await this.#embed(batch, running, effort)));
      }
      return done.values();
    });
    return prepared.map((text) => (text === null ? null : (vectors.next().value ?? null)));
  }

  async embedQuery(text: string, signal: AbortSignal): Promise<Float32Array | null> {
    const { queryPrefix, maxTokens, timeoutSeconds, maxRetries } = this.options;
    const prepared = prepareText(text, queryPrefix, maxTokens);
    if (prepared === null) return null;
    const [vector] = await this.#cancellable(signal, (running) =>
      this.#embed([prepared], running, {
        timeoutMs: Math.min(timeoutSeconds * 1000, queryTimeoutMs),
        retries: Math.min(1, maxRetries),
        firstWaitMs: this.firstWaitMs,
        longestWaitMs: 2000,
      }),
    );
    return vector ?? null;
  }

  async dispose(): Promise<void> {
    this.#disposed = true;
    this.host.signal.removeEventListener("abort", this.#end);
    for (const running of this.#running) running.abort();
    await this.#client.close();
  }

  /** Runs something that ends with the signal or with this embedder. */
  async #cancellable<T>(signal: AbortSignal, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const running = new AbortController();
    const stop = (): void => running.abort();
    this.#running.add(running);
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted || this.#disposed) stop();
    try {
      return await run(running.signal);
    } catch (error) {
      throw error instanceof RequestFailure ? error.error : error;
    } finally {
      signal.removeEventListener("abort", stop);
      this.#running.delete(running);
    }
  }

  /** Embeds a batch, in halves where the server refuses it whole. */
  async #embed(texts: readonly string[], signal: AbortSignal, effort: Effort): Promise<Float32Array[]> {
    try {
      const vectors = await this.#request(texts, signal, effort);
      this.#proven = true;
      return vectors;
    } catch (error) {
      if (!(error instanceof RequestFailure) || error.kind !== "rejected") throw error;
      if (texts.length === 1) return await this.#blame(texts[0] ?? "", error, signal, effort);
    }
    const middle = Math.ceil(texts.length / 2);
    const first = await this.#embed(texts.slice(0, middle), signal, effort);
    const second = await this.#embed(texts.slice(middle), signal, effort);
    // No text was to blame: the batch was too large for this server, and the next would be too.
    this.#batchSize = Math.min(this.#batchSize, middle);
    return [...first, ...second];
  }

  /** Where a server that never took a text refuses a plain word too, no document would fare better. */
  async #blame(
    text: string,
    { error: refusal }: RequestFailure,
    signal: AbortSignal,
    effort: Effort,
  ): Promise<never> {
    if (!this.#proven)
      try {
        await this.#request(["word"], signal, effort);
        this.#proven = true;
      } catch (error) {
        if (!(error instanceof RequestFailure) || error.kind !== "rejected") throw error;
        throw new KbError("KB_EMBED_SERVER", `Any text is refused; ${error.error.message}`, {
          hint: "Check model and dimensions under [embedder]; some servers take no dimensions: send_dimensions = false.",
        });
      }
    const beginning = text.slice(0, shownUnits).replace(/[\p{C}\s]+/gu, " ");
    throw new KbError(
      "KB_EMBED_FAILED",
      `The text that begins with "${beginning}" is refused; ${refusal.message}`,
      {
        hint: "If it is too long for the model, set max_tokens under [embedder] in kb-mcp.toml to what the model reads.",
      },
    );
  }

  #request(texts: readonly string[], signal: AbortSignal, effort: Effort): Promise<Float32Array[]> {
    return withRetries(
      () => this.#client.embed(texts, signal, effort.timeoutMs),
      effort,
      signal,
      this.host.logger,
    );
  }
}
