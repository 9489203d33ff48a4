// The Reranker on top of a model's process: a cross-encoder reads the query and each candidate together.
import { KbError, type PluginHost, type Reranker } from "../../../core/plugin-api.js";
import { locateModel } from "../models/locate-model.js";
import { nameOf } from "../models/model-request.js";
import { damagedHint, modelContext, modelRequest, onnxFileOf } from "../options/model-choice.js";
import { readModelConfig } from "../options/model-config.js";
import { ModelRunner } from "../runtime/model-runner.js";
import { knownReranker } from "./known-models.js";
import type { RerankerOptions } from "./options.js";

/** What is read where nothing is said: time and memory grow with it, and passages are not longer. */
const defaultWindow = 512;

/** A score for what is not a number: below all that models give. */
const lowest = -1000;

export class TransformersReranker implements Reranker {
  readonly #runner: ModelRunner;

  private constructor(
    private readonly options: RerankerOptions,
    window: number,
    host: PluginHost,
  ) {
    this.#runner = new ModelRunner({
      table: "[reranker.transformers]",
      failedCode: "KB_RERANK_FAILED",
      damagedHint: damagedHint(options),
      locate: (signal) => locateModel(modelRequest(options), modelContext(options, host, signal)),
      load: {
        name: nameOf(options.model),
        onnxFile: onnxFileOf(options),
        window,
        quantized: options.quantized,
        threads: options.threads,
      },
      logger: host.logger,
    });
    host.signal.addEventListener("abort", () => void this.dispose(), { once: true });
  }

  /**
   * Cheap for a known model; for another its small files are read, and fetched where they are not here.
   * @throws KbError KB_MODEL_*, KB_PLUGIN_OPTIONS
   */
  static async create(options: RerankerOptions, host: PluginHost): Promise<TransformersReranker> {
    const most = knownReranker(options.model)?.window ?? (await windowOfFiles(options, host));
    if (options.maxTokens !== undefined && options.maxTokens > most)
      throw new KbError(
        "KB_PLUGIN_OPTIONS",
        `max_tokens is ${options.maxTokens}, but ${nameOf(options.model)} reads ${most} tokens`,
        { hint: `Set max_tokens under [reranker.transformers] in kb-mcp.toml to at most ${most}.` },
      );
    return new TransformersReranker(options, options.maxTokens ?? Math.min(defaultWindow, most), host);
  }

  async rerank(query: string, candidates: readonly string[], signal: AbortSignal): Promise<number[]> {
    const { batchSize } = this.options;
    const scores = candidates.map(() => lowest);
    const order = candidates
      .map((text, place) => ({ text, place }))
      .sort((a, b) => a.text.length - b.text.length || a.place - b.place);
    for (let at = 0; at < order.length; at += batchSize) {
      const batch = order.slice(at, at + batchSize);
      const work = { kind: "score", query, texts: batch.map(({ text }) => text) } as const;
      const answer = await this.#runner.run(work, signal, { urgent: true });
      for (const [index, { place }] of batch.entries()) {
        const score = answer[index];
        if (typeof score === "number" && Number.isFinite(score)) scores[place] = score;
      }
    }
    return scores;
  }

  async dispose(): Promise<void> {
    await this.#runner.close();
  }
}

async function windowOfFiles(options: RerankerOptions, host: PluginHost): Promise<number> {
  const folder = await locateModel(
    { ...modelRequest(options), files: ["config.json", "tokenizer_config.json"], optionalFiles: [] },
    modelContext(options, host, host.signal),
  );
  return (await readModelConfig(folder, nameOf(options.model), onnxFileOf(options))).window ?? defaultWindow;
}
