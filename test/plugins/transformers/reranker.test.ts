// Scores of the reranker transformers with tiny models.
import { afterAll, afterEach, beforeAll, expect, it } from "@jest/globals";
import { writeTinyReranker } from "../../../scripts/tiny-models.mjs";
import { never, TinyPlugin } from "./support/tiny-plugin.js";

const query = "when does the backup of the database run";
const candidates = [
  "apple pie",
  "the backup of the database runs every night",
  "the cat sat on the mat",
  "日本語の文書".repeat(3000),
  "the database",
];

let tiny: TinyPlugin;
beforeAll(() => {
  tiny = new TinyPlugin();
});
afterEach(() => tiny.endAll());
afterAll(() => tiny.remove());

it("scores the candidate highest that shares most with the query", async () => {
  const scores = await (await tiny.reranker()).rerank(query, candidates, never);
  expect(scores.indexOf(Math.max(...scores))).toBe(1);
});

it("gives the same scores in batches of one and of eight", async () => {
  const one = await (
    await tiny.reranker({ batch_size: 1, quantized: false })
  ).rerank(query, candidates, never);
  const eight = await (
    await tiny.reranker({ batch_size: 8, quantized: false })
  ).rerank(query, candidates, never);
  for (const [index, score] of one.entries()) expect(eight[index]).toBeCloseTo(score, 4);
});

it("takes the difference of two classes for the score", async () => {
  const folder = `${tiny.folder}/two-classes`;
  writeTinyReranker(folder, { classes: 2 });
  const one = await (await tiny.reranker()).rerank(query, candidates, never);
  const two = await (await tiny.reranker({ model: folder })).rerank(query, candidates, never);
  for (const [index, score] of one.entries()) expect(two[index]).toBeCloseTo(2 * score, 4);
});

it("still reads the candidate beside a query that would fill the model by itself", async () => {
  const reranker = await tiny.reranker();
  const [same, other] = await reranker.rerank("database ".repeat(500), ["database", "apple pie"], never);
  expect(same).toBeGreaterThan((other ?? 0) + 0.1);
});

it("reads no more than max_tokens of a pair", async () => {
  const long = `${"apple ".repeat(40)} ${"database ".repeat(20)}`;
  const [whole] = await (await tiny.reranker()).rerank("database", [long], never);
  const [cut] = await (await tiny.reranker({ max_tokens: 32 })).rerank("database", [long], never);
  expect(whole).toBeGreaterThan((cut ?? 0) + 0.1);
});

it("refuses max_tokens past what the model reads", async () => {
  await expect(tiny.reranker({ max_tokens: 65 })).rejects.toMatchObject({ code: "KB_PLUGIN_OPTIONS" });
});

it("says KB_MODEL_INVALID for a model that makes vectors", async () => {
  const reranker = await tiny.reranker({ model: tiny.embedderFolder });
  await expect(reranker.rerank(query, candidates, never)).rejects.toMatchObject({
    code: "KB_MODEL_INVALID",
    message: expect.stringContaining("logits"),
  });
});
