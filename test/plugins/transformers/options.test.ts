// The options of both parts of the plugin, and what a known model makes of those that are not given.
import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { OptionsSchema } from "../../../src/core/plugin-api.js";
import { knownModels } from "../../../src/plugins/transformers/embedder/known-models.js";
import plugin from "../../../src/plugins/transformers/index.js";
import { knownRerankers } from "../../../src/plugins/transformers/reranker/known-models.js";
import { TinyPlugin } from "./support/tiny-plugin.js";

const schemas = {
  embedder: plugin.embedders![0]!.optionsSchema!,
  reranker: plugin.rerankers![0]!.optionsSchema!,
};

let tiny: TinyPlugin;
beforeAll(() => {
  tiny = new TinyPlugin();
});
afterAll(() => tiny.remove());

async function validate(schema: OptionsSchema<unknown>, table: unknown): Promise<unknown> {
  const result = await schema["~standard"].validate(table);
  return (
    result.issues?.map(({ path, message }) => [path?.[0], message]) ?? (result as { value: unknown }).value
  );
}

describe("the options of the embedder", () => {
  it("have defaults for all but the model", async () => {
    expect(await validate(schemas.embedder, { model: "somebody/something" })).toMatchObject({
      model: "somebody/something",
      revision: "main",
      quantized: true,
      batchSize: 8,
      download: true,
      fusionWeight: 0.5,
    });
    expect(await validate(schemas.embedder, {})).toEqual([
      ["model", expect.stringContaining("Xenova/multilingual-e5-small")],
    ]);
  });

  it.each([
    ["batch_size", 0],
    ["batch_size", 1.5],
    ["threads", "two"],
    ["quantized", "yes"],
    ["pooling", "max"],
    ["query_prefix", 5],
    ["fusion_weight", 1.1],
    ["chunk_tokens", 4],
    ["mirror", "hub.example.org"],
    ["mirror", "file:///etc"],
    ["download", "no"],
    ["revision", 1],
    ["dimensions", 384],
  ])("are refused with %s = %j, by the name of the option", async (key, value) => {
    expect(await validate(schemas.embedder, { model: "a/b", [key]: value })).toEqual([
      [key, expect.any(String)],
    ]);
  });

  it.each([[null], [[]], ["text"]])("are refused where they are no table: %j", async (table) => {
    expect(await validate(schemas.embedder, table)).toEqual([[undefined, "expected a table of options"]]);
  });
});

describe("the options of the reranker", () => {
  it("name a small model where none is given", async () => {
    expect(await validate(schemas.reranker, {})).toMatchObject({ model: "Xenova/ms-marco-MiniLM-L-6-v2" });
  });

  it("are refused with those of the embedder", async () => {
    expect(await validate(schemas.reranker, { pooling: "mean" })).toEqual([["pooling", expect.any(String)]]);
  });
});

describe("a known model", () => {
  it("has one entry for each id", () => {
    for (const known of [knownModels, knownRerankers]) {
      const ids = known.flatMap(({ model, aliases }) => [model, ...aliases]);
      expect(new Set(ids).size).toBe(ids.length);
    }
  });

  it.each([
    ["intfloat/multilingual-e5-small", "Xenova/multilingual-e5-small"],
    ["BAAI/bge-m3", "Xenova/bge-m3"],
    ["sentence-transformers/all-MiniLM-L6-v2", "Xenova/all-MiniLM-L6-v2"],
    ["Snowflake/snowflake-arctic-embed-s", "Snowflake/snowflake-arctic-embed-s"],
  ])("%s is fetched as %s", async (given, model) => {
    expect(await validate(schemas.embedder, { model: given })).toMatchObject({ model });
  });

  it("reranks by the files of its conversion too", async () => {
    expect(await validate(schemas.reranker, { model: "BAAI/bge-reranker-base" })).toMatchObject({
      model: "Xenova/bge-reranker-base",
    });
  });

  it("brings its length, its pooling and its prefixes, without a file of it being here", async () => {
    const e5 = await tiny.embedder({ model: "intfloat/multilingual-e5-small", download: false });
    expect(e5.dimensions).toBe(384);
    expect(e5.model).toContain('mean window=512 prefixes=["query: ","passage: "]');
    const bge = await tiny.embedder({ model: "BAAI/bge-base-en-v1.5", download: false });
    expect(bge.dimensions).toBe(768);
    expect(bge.model).toMatch(/ cls .*Represent this sentence/);
  });

  it("is named where an id is nearly its own", async () => {
    for (const [model, hint] of [
      ["Xenova/multilingual-e5-smal", /^Is Xenova\/multilingual-e5-small meant\? Connect/u],
      ["Xenova/something-else", /^Connect/u],
    ] as const)
      await expect(tiny.embedder({ model, download: false })).rejects.toMatchObject({
        code: "KB_MODEL_MISSING",
        hint: expect.stringMatching(hint),
      });
  });

  it("takes other values where options give them, an empty prefix too", async () => {
    const { model } = await tiny.embedder({
      model: "intfloat/multilingual-e5-small",
      pooling: "cls",
      query_prefix: "",
      download: false,
    });
    expect(model).toContain(' cls window=512 prefixes=["","passage: "]');
  });

  it("reads no more at once than passages are long, however much it could", async () => {
    const usual = await tiny.embedder({ model: "Xenova/bge-m3", download: false });
    expect(usual.model).toContain("window=600");
    expect(usual.chunkTokens).toEqual({ target: 400, max: 600 });
    const long = await tiny.embedder({ model: "Xenova/bge-m3", chunk_tokens: 2000, download: false });
    expect(long.chunkTokens).toEqual({ target: 2000, max: 3000 });
  });

  it("keeps its prefixes as a copy in a folder", async () => {
    const folder = join(tiny.folder, "copies", "e5-small-v2");
    await cp(tiny.embedderFolder, folder, { recursive: true });
    expect((await tiny.embedder({ model: folder })).model).toContain('["query: ","passage: "]');
  });

  it("keeps its prefixes in a folder of another name, by what config.json says", async () => {
    const folder = join(tiny.folder, "copies", "mine");
    await cp(tiny.embedderFolder, folder, { recursive: true });
    const config = JSON.parse(await readFile(join(folder, "config.json"), "utf8")) as object;
    const named = { ...config, _name_or_path: "intfloat/e5-small-v2" };
    await writeFile(join(folder, "config.json"), JSON.stringify(named));
    expect((await tiny.embedder({ model: folder })).model).toContain('["query: ","passage: "]');
  });
});

describe("an unknown model", () => {
  it.each([
    [{ model_type: "xlm-roberta", max_position_embeddings: 34 }, { model_max_length: 1e30 }, 32],
    [{ model_type: "bert", max_position_embeddings: 512 }, { model_max_length: 48 }, 48],
    [{ model_type: "bert", max_position_embeddings: 40 }, {}, 40],
    [{ model_type: "distilbert", dim: 24, hidden_size: undefined }, { model_max_length: 1e30 }, 512],
  ])("reads as much as its files say: %j %j", async (config, tokenizer, window) => {
    const folder = join(tiny.folder, `window-${window}`);
    await cp(tiny.embedderFolder, folder, { recursive: true });
    await writeFile(join(folder, "config.json"), JSON.stringify({ hidden_size: 32, ...config }));
    await writeFile(join(folder, "tokenizer_config.json"), JSON.stringify(tokenizer));
    const embedder = await tiny.embedder({ model: folder });
    expect(embedder.model).toContain(`window=${window} `);
    expect(embedder.dimensions).toBe("dim" in config ? config.dim : 32);
  });
});

describe("models", () => {
  it("list the one that the options name first, then those that are known", async () => {
    const factory = plugin.embedders![0]!;
    const options = await validate(schemas.embedder, { model: tiny.embedderFolder });
    const library = await factory.models!(options, tiny.host());
    const list = await library.list();
    expect(list[0]).toMatchObject({ model: tiny.embedderFolder, present: true });
    expect(list.slice(1).map(({ model }) => model)).toEqual(knownModels.map(({ model }) => model));
    expect(list[1]?.description).toBe("100 languages, 384 dimensions, 118 MB quantized");
  });

  it("list the rerankers too", async () => {
    const factory = plugin.rerankers![0]!;
    const library = await factory.models!(await validate(schemas.reranker, {}), tiny.host());
    expect((await library.list()).map(({ model }) => model)).toEqual(
      expect.arrayContaining(knownRerankers.map(({ model }) => model)),
    );
  });
});
