// The Embedder on top of a model's process: prefixes, batches, order.
import type { Embedder, PluginHost } from "../../../core/plugin-api.js";
import { locateModel } from "../models/locate-model.js";
import { damagedHint, modelContext, modelRequest, onnxFileOf } from "../options/model-choice.js";
import type { Answer } from "../runtime/messages.js";
import { ModelRunner } from "../runtime/model-runner.js";
import type { EmbedderOptions } from "./options.js";
import type { EmbedderSettings } from "./settings.js";

/** Texts whose tokens are counted at once: a few milliseconds, for which a query waits. */
const countedAtOnce = 32;

export class TransformersEmbedder implements Embedder {
  readonly model: string;
  readonly dimensions: number;
  readonly chunkTokens: { readonly target: number; readonly max: number };
  readonly fusionWeight: number;
  readonly #runner: ModelRunner;

  constructor(
    private readonly options: EmbedderOptions,
    private readonly settings: EmbedderSettings,
    host: PluginHost,
  ) {
    const { name, identity, dimensions, chunkTokens, window, pooling } = settings;
    this.model = identity;
    this.dimensions = dimensions;
    this.chunkTokens = chunkTokens;
    this.fusionWeight = options.fusionWeight;
    this.#runner = new ModelRunner({
      table: "[embedder]",
      failedCode: "KB_EMBED_FAILED",
      damagedHint: damagedHint(options),
      locate: (signal) => locateModel(modelRequest(options), modelContext(options, host, signal)),
      load: {
        name,
        onnxFile: onnxFileOf(options),
        window,
        quantized: options.quantized,
        threads: options.threads,
        embedding: { pooling, dimensions },
      },
      logger: host.logger,
    });
    host.signal.addEventListener("abort", () => void this.dispose(), { once: true });
  }

  async countTokens(texts: readonly string[], signal: AbortSignal): Promise<number[]> {
    const { documentPrefix } = this.settings;
    const counts: number[] = [];
    for (let at = 0; at < texts.length; at += countedAtOnce) {
      const batch = texts.slice(at, at + countedAtOnce).map((text) => documentPrefix + text);
      const answer = await this.#runner.run({ kind: "count", texts: batch }, signal, { urgent: false });
      for (const count of answer) counts.push(Number(count));
    }
    return counts;
  }

  async embedDocuments(texts: readonly string[], signal: AbortSignal): Promise<(Float32Array | null)[]> {
    const vectors: (Float32Array | null)[] = texts.map(() => null);
    // Texts of like length together: a short one beside a long one costs as much as the long one.
    const order = texts
      .map((text, place) => ({ text, place }))
      .filter(({ text }) => isReadable(text))
      .sort((a, b) => a.text.length - b.text.length || a.place - b.place);
    for (let at = 0; at < order.length; at += this.options.batchSize) {
      const batch = order.slice(at, at + this.options.batchSize);
      const prefixed = batch.map(({ text }) => this.settings.documentPrefix + text);
      const answer = await this.#runner.run({ kind: "embed", texts: prefixed }, signal, { urgent: false });
      for (const [index, { place }] of batch.entries()) vectors[place] = vectorOf(answer, index);
    }
    return vectors;
  }

  async embedQuery(text: string, signal: AbortSignal): Promise<Float32Array | null> {
    if (!isReadable(text)) return null;
    const prefixed = this.settings.queryPrefix + text;
    const answer = await this.#runner.run({ kind: "embed", texts: [prefixed] }, signal, { urgent: true });
    return vectorOf(answer, 0);
  }

  async dispose(): Promise<void> {
    await this.#runner.close();
  }
}

/** Models give nothing at all a vector too, which is near to everything short. */
function isReadable(text: string): boolean {
  return /\S/u.test(text);
}

function vectorOf(answer: Answer, index: number): Float32Array | null {
  const vector = answer[index];
  return vector instanceof Float32Array ? vector : null;
}
