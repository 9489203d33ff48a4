import { describe, expect, it } from "@jest/globals";
import type { Embedder } from "../../src/core/plugin-api.js";
import { embedderContract } from "../../src/testing/index.js";
import { runContract, type Ran } from "./support/run-contract.js";
import { embed, wordEmbedder } from "./support/word-embedder.js";

function run(create: () => Embedder): Promise<Ran> {
  return runContract((runner) => embedderContract(create, runner));
}

type Vector = Float32Array | null;

/** An embedder whose vectors of documents are changed after they are made. */
function changed(change: (vectors: Vector[], texts: readonly string[]) => Vector[]): () => Embedder {
  return () => {
    const good = wordEmbedder();
    return {
      ...good,
      embedDocuments: async (texts, signal) => change(await good.embedDocuments(texts, signal), texts),
    };
  };
}

const turned = (vector: Vector): Vector => vector && Float32Array.from(vector).reverse();

const caught: Readonly<Record<string, readonly [test: string, create: () => Embedder]>> = {
  "has half a dimension": [
    "description: has vectors of a whole number of dimensions",
    () => wordEmbedder({ dimensions: 0.5 }),
  ],
  "does not name its model": ["description: names its model", () => wordEmbedder({ model: "" })],
  "wants more than it allows": [
    "description: wants passages of a size that it allows",
    () => wordEmbedder({ chunkTokens: { target: 300, max: 200 } }),
  ],
  "weighs more than 1": [
    "description: has a weight in fusion from 0 to 1",
    () => wordEmbedder({ fusionWeight: 1.5 }),
  ],
  "counts fewer tokens for more text": [
    "description: counts the tokens of each text, and never fewer for more text, if it counts at all",
    () => wordEmbedder({ countTokens: (texts) => Promise.resolve(texts.map((text) => 1000 - text.length)) }),
  ],
  "leaves a text out": [
    "vectors: gives a unit-length Float32Array for each text",
    changed((vectors) => vectors.slice(1)),
  ],
  "gives vectors of another length": [
    "vectors: gives a unit-length Float32Array for each text",
    changed((vectors) => vectors.map((vector) => vector && vector.map((value) => value * 2))),
  ],
  "gives plain lists": [
    "vectors: gives a unit-length Float32Array for each text",
    changed((vectors) => vectors.map((vector) => vector && ([...vector] as unknown as Float32Array))),
  ],
  "gives fewer dimensions": [
    "vectors: gives a unit-length Float32Array for each text",
    () => wordEmbedder({ dimensions: 300 }),
  ],
  "sorts its texts": [
    "vectors: keeps the order of the texts",
    changed((_vectors, texts) => [...texts].sort().map(embed)),
  ],
  "depends on the batch": [
    "vectors: gives a text the same vector alone and beside others",
    changed((vectors) => (vectors.length === 1 ? vectors.map(turned) : vectors)),
  ],
  "reads every text alike": [
    "vectors: gives different texts different vectors",
    changed((vectors) => vectors.map(() => embed("alike"))),
  ],
  "puts queries elsewhere": [
    "vectors: puts a query nearest to the document of the same words",
    () => wordEmbedder({ embedQuery: () => Promise.resolve(embed("cinnamon")) }),
  ],
  "fails at a lone surrogate": [
    "vectors: reads or declines a lone surrogate, and embeds the texts beside it",
    changed((vectors, texts) => {
      for (const text of texts) encodeURIComponent(text);
      return vectors;
    }),
  ],
  "gives an empty text a vector of NaN": [
    "vectors: reads or declines an empty text, and embeds the texts beside it",
    changed((vectors, texts) =>
      vectors.map((vector, index) => (texts[index] === "" ? new Float32Array(256).fill(NaN) : vector)),
    ),
  ],
  "does not listen to the signal": [
    "ending: rejects as cancelled when the signal is aborted",
    () => wordEmbedder({ embedQuery: (text) => Promise.resolve(embed(text)) }),
  ],
  "is cancelled with another error": [
    "ending: rejects as cancelled when the signal is aborted",
    () => wordEmbedder({ embedQuery: () => Promise.reject(new Error("stopped")) }),
  ],
  "is dead after it was cancelled": [
    "ending: works on after work that was cancelled",
    () => {
      const good = wordEmbedder();
      return {
        ...good,
        embedDocuments: async (texts, signal) => {
          await Promise.resolve();
          if (signal.aborted) await good.dispose();
          return good.embedDocuments(texts, signal);
        },
      };
    },
  ],
  "cannot be disposed of twice": [
    "ending: can be disposed of unused",
    () => {
      let disposed = false;
      const dispose = (): Promise<void> => {
        if (disposed) return Promise.reject(new Error("it is gone"));
        disposed = true;
        return Promise.resolve();
      };
      return wordEmbedder({ dispose });
    },
  ],
  "embeds after its end": [
    "ending: embeds nothing after it was disposed of",
    () => wordEmbedder({ dispose: () => Promise.resolve() }),
  ],
};

describe("the embedder contract", () => {
  it("passes an embedder that keeps every promise", async () => {
    const { names, failures } = await run(wordEmbedder);
    expect([...failures]).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  });

  it("passes an embedder that does not count tokens", async () => {
    const create = (): Embedder => {
      const embedder = wordEmbedder();
      delete embedder.countTokens;
      return embedder;
    };
    expect([...(await run(create)).failures]).toEqual([]);
  });

  for (const [fault, [test, create]] of Object.entries(caught))
    it(`catches an embedder that ${fault}`, async () => {
      expect([...(await run(create)).failures.keys()]).toContain(test);
    });
});
