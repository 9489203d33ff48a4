// Vectors of the embedder transformers with a tiny model: what changes them, what does not, what has none.
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { poisonWord, tinyDimensions, tinyWindow, writeTinyEmbedder } from "../../../scripts/tiny-models.mjs";
import { cosine, never, TinyPlugin } from "./support/tiny-plugin.js";

const cat = "the cat sat on the mat";
const backup = "the backup of the database runs every night";
const japanese = "日本語の文書を検索する。";

let tiny: TinyPlugin;
beforeAll(() => {
  tiny = new TinyPlugin();
});
afterAll(() => tiny.remove());

describe("a vector", () => {
  it("has the length that config.json names, and unit length", async () => {
    const embedder = await tiny.sharedEmbedder();
    expect(embedder.dimensions).toBe(tinyDimensions);
    const [vector] = await embedder.embedDocuments([cat], never);
    expect(vector).toHaveLength(tinyDimensions);
    expect(cosine(vector, vector)).toBeCloseTo(1, 5);
  });

  it.each([true, false])(
    "is the same alone and among seven others of other lengths, with quantized = %s",
    async (quantized) => {
      const embedder = await tiny.sharedEmbedder({ batch_size: 8, quantized });
      const texts = Array.from({ length: 8 }, (_, i) => `${cat} ${"dog ".repeat(i * 3)}`);
      const together = await embedder.embedDocuments(texts, never);
      for (const [index, text] of texts.entries()) {
        const [alone] = await embedder.embedDocuments([text], never);
        expect(cosine(alone, together[index])).toBeGreaterThan(0.999999);
      }
    },
  );

  it("depends on the prefix: a query's differs from a document's where the prefixes do", async () => {
    const embedder = await tiny.sharedEmbedder({ query_prefix: "query: ", document_prefix: "passage: " });
    const plain = await tiny.sharedEmbedder();
    const [document] = await embedder.embedDocuments([cat], never);
    const query = await embedder.embedQuery(cat, never);
    const [written] = await plain.embedDocuments([`passage: ${cat}`], never);
    expect(cosine(document, query)).toBeLessThan(0.999);
    expect(cosine(document, written)).toBeGreaterThan(0.99999);
    expect(cosine(query, await plain.embedQuery(`query: ${cat}`, never))).toBeGreaterThan(0.99999);
  });

  it("depends on the pooling", async () => {
    const [mean] = await (await tiny.sharedEmbedder({ pooling: "mean" })).embedDocuments([cat], never);
    const [cls] = await (await tiny.sharedEmbedder({ pooling: "cls" })).embedDocuments([cat], never);
    expect(cosine(mean, cls)).toBeLessThan(0.98);
  });

  it("is given for Japanese far past what the model reads, and depends on its beginning alone", async () => {
    const embedder = await tiny.sharedEmbedder();
    const long = japanese.repeat(2000);
    const [vector, other, beginning] = await embedder.embedDocuments(
      [long, `${long}記録`, japanese.repeat(tinyWindow)],
      never,
    );
    expect(cosine(vector, vector)).toBeCloseTo(1, 5);
    expect(cosine(vector, other)).toBeGreaterThan(0.99999);
    expect(cosine(vector, beginning)).toBeGreaterThan(0.99999);
    expect(await embedder.embedQuery(long, never)).toHaveLength(tinyDimensions);
  });

  it("is null for nothing, for white space and where the model gives no numbers, and is given beside those", async () => {
    const embedder = await tiny.sharedEmbedder({ document_prefix: "passage: ", query_prefix: "query: " });
    const vectors = await embedder.embedDocuments(["", cat, " \n\t", `a ${poisonWord}`, backup], never);
    expect(vectors.map((vector) => vector === null)).toEqual([true, false, true, true, false]);
    const [alone] = await embedder.embedDocuments([cat], never);
    expect(cosine(vectors[1], alone)).toBeGreaterThan(0.99999);
    expect(await embedder.embedQuery(" ", never)).toBeNull();
    expect(await embedder.embedQuery(poisonWord, never)).toBeNull();
  });

  it("comes from the file that quantized names", async () => {
    const folder = `${tiny.folder}/whole-numbers`;
    writeTinyEmbedder(folder, { quantized: false });
    const embedder = await tiny.sharedEmbedder({ model: folder, quantized: false });
    expect(await embedder.embedQuery(cat, never)).toHaveLength(tinyDimensions);
    const other = await tiny.sharedEmbedder({ model: folder });
    await expect(other.embedQuery(cat, never)).rejects.toMatchObject({
      code: "KB_MODEL_MISSING",
      message: expect.stringContaining("onnx/model_quantized.onnx"),
    });
  });
});

describe("a folder", () => {
  it("counts from that of the configuration where its path is relative", async () => {
    const embedder = await tiny.sharedEmbedder({ model: "./tiny-embedder" });
    const absolute = await tiny.sharedEmbedder();
    expect(await embedder.embedQuery(cat, never)).toEqual(await absolute.embedQuery(cat, never));
    expect(embedder.model).toBe(absolute.model);
  });
});

describe("countTokens", () => {
  it("counts the tokens of the model, those at both ends and the prefix of documents included", async () => {
    const plain = await tiny.sharedEmbedder();
    expect(await plain.countTokens!(["the cat", "", "検索", "zq"], never)).toEqual([4, 2, 4, 4]);
    const prefixed = await tiny.sharedEmbedder({ document_prefix: "passage: " });
    expect(await prefixed.countTokens!(["the cat", ""], never)).toEqual([6, 4]);
  });

  it("counts past what the model reads", async () => {
    const embedder = await tiny.sharedEmbedder();
    expect(await embedder.countTokens!(["dog ".repeat(500)], never)).toEqual([502]);
  });

  it("counts more texts than are sent at once, in order", async () => {
    const embedder = await tiny.sharedEmbedder();
    const texts = Array.from({ length: 70 }, (_, i) => "dog ".repeat(i));
    expect(await embedder.countTokens!(texts, never)).toEqual(texts.map((_, i) => i + 2));
  });
});

describe("the name of the model", () => {
  it("differs with whatever changes vectors, and names no place of the machine", async () => {
    const options = [
      {},
      { pooling: "cls" },
      { query_prefix: "q" },
      { document_prefix: "q" },
      { quantized: false },
    ];
    const names = await Promise.all(options.map(async (one) => (await tiny.sharedEmbedder(one)).model));
    expect(new Set(names).size).toBe(options.length);
    expect(names[0]).not.toContain(tiny.folder);
  });

  it("does not differ with what changes no vector", async () => {
    const { model } = await tiny.sharedEmbedder();
    expect((await tiny.sharedEmbedder({ batch_size: 1, threads: 2, fusion_weight: 0.1 })).model).toBe(model);
  });
});

describe("passages", () => {
  it("fit into what the model reads", async () => {
    const { chunkTokens } = await tiny.sharedEmbedder();
    expect(chunkTokens).toEqual({ target: 51, max: tinyWindow });
    expect((await tiny.sharedEmbedder({ chunk_tokens: 40 })).chunkTokens).toEqual({ target: 40, max: 60 });
  });

  it("may not be larger than that", async () => {
    await expect(tiny.sharedEmbedder({ chunk_tokens: 65 })).rejects.toMatchObject({
      code: "KB_PLUGIN_OPTIONS",
      hint: expect.stringContaining("64"),
    });
  });
});
