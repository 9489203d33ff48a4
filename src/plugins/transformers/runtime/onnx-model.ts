// A loaded model: runs texts through it in small batches or one by one. Knows what goes in and comes out of each kind.
import type { LoadRequest } from "./messages.js";
import type { Session, Tensor, onnxRuntime } from "./onnx-runtime.js";
import { poolTokens } from "./pooling.js";
import type { TextTokens } from "./text-tokens.js";

/**
 * Places of a batch, padding included, that are computed at once: eight texts that fill an ordinary window. What the
 * runtime once took it keeps, so a single larger batch would hold its memory for good.
 */
const placesAtOnce = 4096;

/** What models call the vectors of their tokens. */
const hiddenNames = ["last_hidden_state", "token_embeddings"];

type MakeTensor = ReturnType<typeof onnxRuntime>["Tensor"];

interface Batch {
  readonly tokens: readonly TextTokens[];
  /** Where each text stands in the work. */
  readonly places: readonly number[];
  /** Tokens of the longest. */
  readonly width: number;
}

export class OnnxModel {
  constructor(
    private readonly session: Session,
    private readonly NumberTensor: MakeTensor,
    private readonly padId: number,
    /** Whether texts are computed one by one; see LoadRequest.quantized. */
    private readonly oneByOne: boolean,
  ) {}

  async embed(
    texts: readonly TextTokens[],
    embedding: NonNullable<LoadRequest["embedding"]>,
  ): Promise<(Float32Array | null)[]> {
    const name = hiddenNames.find((hidden) => this.session.outputNames.includes(hidden));
    if (name === undefined)
      throw new Error(`it gives ${this.session.outputNames.join(", ")}, not ${hiddenNames.join(" or ")}`);
    const vectors: (Float32Array | null)[] = Array.from(texts, () => null);
    for (const batch of this.#batchesOf(texts)) {
      const { data, dims } = await this.#run(batch, name);
      if (!(data instanceof Float32Array)) throw new Error(`its ${name} is not of 32-bit numbers`);
      const length = dims.at(-1) ?? 0;
      if (dims.length !== 3 || length !== embedding.dimensions)
        throw new Error(`its vectors have ${length} dimensions, not ${embedding.dimensions}`);
      for (const [row, tokens] of batch.tokens.entries()) {
        const at = row * batch.width * length;
        const hidden = data.subarray(at, at + batch.width * length);
        vectors[batch.places[row] ?? 0] = poolTokens(hidden, tokens.ids.length, embedding);
      }
    }
    return vectors;
  }

  /** The model's one number for each pair; of two classes, how much more it is the second than the first. */
  async score(pairs: readonly TextTokens[]): Promise<number[]> {
    if (!this.session.outputNames.includes("logits"))
      throw new Error(`it gives ${this.session.outputNames.join(", ")}, not logits`);
    const scores: number[] = Array.from(pairs, () => 0);
    for (const batch of this.#batchesOf(pairs)) {
      const { data, dims } = await this.#run(batch, "logits");
      const classes = dims.at(-1) ?? 0;
      if (!(data instanceof Float32Array) || dims.length !== 2 || classes < 1 || classes > 2)
        throw new Error(`it gives ${classes} numbers for each pair, not one or two`);
      for (const [row, place] of batch.places.entries()) {
        const first = Number(data[row * classes]);
        scores[place] = classes === 1 ? first : Number(data[row * classes + 1]) - first;
      }
    }
    return scores;
  }

  async #run({ tokens, width }: Batch, output: string): Promise<Tensor> {
    const shape = [tokens.length, width];
    const tensor = (numberAt: (text: TextTokens, place: number) => number): Tensor => {
      const data = new BigInt64Array(tokens.length * width);
      for (const [row, text] of tokens.entries())
        for (let place = 0; place < width; place++) data[row * width + place] = BigInt(numberAt(text, place));
      return new this.NumberTensor("int64", data, shape);
    };
    const makers: Readonly<Record<string, () => Tensor>> = {
      input_ids: () => tensor(({ ids }, place) => ids[place] ?? this.padId),
      attention_mask: () => tensor(({ ids }, place) => (place < ids.length ? 1 : 0)),
      token_type_ids: () => tensor(({ types }, place) => types[place] ?? 0),
    };
    const inputs: Record<string, Tensor> = {};
    for (const name of this.session.inputNames) {
      const make = makers[name];
      if (make === undefined) throw new Error(`it asks for ${name}, which no encoder of text does`);
      inputs[name] = make();
    }
    const result = (await this.session.run(inputs, [output]))[output];
    if (result === undefined) throw new Error(`it gave no ${output}`);
    return result;
  }

  /**
   * Texts of like length together, so that little is padded. One by one costs nothing in a model of eight bits: eight
   * texts of 300 tokens took 1.2 to 1.5 s so, and 1.6 to 1.8 s together.
   */
  #batchesOf(texts: readonly TextTokens[]): Batch[] {
    const order = texts
      .map((tokens, place) => ({ tokens, place }))
      .sort((a, b) => a.tokens.ids.length - b.tokens.ids.length || a.place - b.place);
    const batches: { tokens: TextTokens[]; places: number[]; width: number }[] = [];
    for (const { tokens, place } of order) {
      const width = tokens.ids.length;
      const last = batches.at(-1);
      if (last === undefined || this.oneByOne || width * (last.tokens.length + 1) > placesAtOnce)
        batches.push({ tokens: [tokens], places: [place], width });
      else {
        last.tokens.push(tokens);
        last.places.push(place);
        last.width = width;
      }
    }
    return batches;
  }
}
