// npm run eval -- DIR...: how well search finds what it should. Each DIR holds kb/ (the documents) and golden.yml
// (docs/eval.md).
//
// Ranks documents by their best passage and prints nDCG@10, MRR and recall for words alone (the lexical leg), meaning
// alone (the vector leg) and both (fused), a line for each at once and a table of all at the end; where questions say
// whether they are answerable, also how well confidence tells them apart.
// Indexes are kept in the temporary folder, so a second run only searches. --force builds them anew.
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { areaUnderCurve, measure, measureNames } from "../dist/core/eval/metrics.js";
import { parseGolden } from "../dist/core/eval/parse-golden.js";
import { createSearch } from "../dist/core/search/search.js";
import { openKnowledgeBase } from "../dist/index.js";
import { openEmbedder, openStore } from "./parts.mjs";

/** Hits asked for: enough passages for ten documents. */
const depth = 40;

const options = {
  minConfidence: 0.5,
  limit: depth,
  qualityFilter: { enabled: true, threshold: 0.3 },
  maxReplyTokens: 1_000_000,
};
/** Weight of the vector leg; the embedder's own for both. */
const modes = { words: { vectorWeight: 0 }, meaning: { vectorWeight: 1 }, both: {} };
const legs = { words: "lexical", meaning: "vector", both: "fused" };
/** One row for each set and mode. */
const table = [];

const force = process.argv.includes("--force");
const folders = process.argv.slice(2).filter((argument) => argument !== "--force");
if (folders.length === 0) {
  console.error("Usage: npm run eval -- [--force] DIR...");
  process.exit(2);
}
process.env.KB_MCP_DATA_DIR ??= join(tmpdir(), "kb-mcp-eval");

const embedder = remembering(await openEmbedder(), "embedQuery");
for (const folder of folders) {
  const notes = resolve(folder, "kb");
  const { queries } = parseGolden(await readFile(join(folder, "golden.yml"), "utf8"), "golden.yml");
  await index(basename(folder), notes);
  const store = remembering(await openStore(notes), "document");
  for (const [mode, weights] of Object.entries(modes)) {
    const search = createSearch({
      store: () => store,
      embedder: () => embedder,
      isServable: () => true,
      notes: () => [],
      options: { ...options, ...weights },
    });
    report(basename(folder), mode, await run(search, queries, mode));
  }
  await store.close();
}
await embedder.dispose();
printTable();

async function index(name, notes) {
  const knowledgeBase = await openKnowledgeBase({ kbPath: notes });
  const { documents, chunks, declined_by_embedder, seconds } = await knowledgeBase.index({ force });
  await knowledgeBase.close();
  console.log(
    `${name}: ${documents} documents, ${chunks} passages, ${declined_by_embedder} without a vector, ${seconds.toFixed(0)} s`,
  );
}

/** The object with one asynchronous method, of one string, that asks only once for each: nothing changes here. */
function remembering(object, method) {
  const known = new Map();
  const remembered = (key, ...rest) => {
    if (!known.has(key)) known.set(key, object[method](key, ...rest));
    return known.get(key);
  };
  return new Proxy(object, {
    get(target, name) {
      if (name === method) return remembered;
      const value = target[name];
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

async function run(search, queries, mode) {
  const { signal } = new AbortController();
  const results = [];
  for (const { query, expected, answerable } of queries) {
    const reply = await search({ query }, signal);
    const { confidence, low_confidence: low } = reply;
    const stoodAside = mode === "meaning" && reply.mode === "lexical";
    const found = stoodAside ? [] : [...new Set(reply.results.map(({ path }) => path))];
    results.push({
      ranking: found,
      relevant: new Set(expected.map(({ path }) => path)),
      answerable,
      confidence,
      low,
    });
  }
  return results;
}

function report(name, mode, results) {
  const judged = results.filter(({ answerable }) => answerable);
  const silent = results.filter(({ answerable }) => !answerable);
  const means = measure(judged) ?? {};
  const measures = Object.entries(means).map(([key, value]) => `${measureNames[key]} ${value.toFixed(3)}`);
  if (silent.length > 0) {
    const flagged = (some) => (some.filter(({ low }) => low).length / some.length).toFixed(3);
    const values = (some) => some.map(({ confidence }) => confidence);
    measures.push(
      `AUC of confidence ${areaUnderCurve(values(judged), values(silent))?.toFixed(3)}`,
      `low for ${flagged(silent)} of unanswerable and ${flagged(judged)} of answerable`,
    );
  }
  table.push({ name, leg: legs[mode], means });
  console.log(`${name.padEnd(14)} ${mode.padEnd(8)} ${measures.join("  ")}`);
}

function printTable() {
  const keys = Object.keys(measureNames);
  const row = (name, leg, cells) => `| ${name.padEnd(14)} | ${leg.padEnd(7)} | ${cells.join(" | ")} |`;
  const width = (key) => Math.max(5, measureNames[key].length);
  console.log(
    `\n${row(
      "set",
      "leg",
      keys.map((key) => measureNames[key].padStart(width(key))),
    )}`,
  );
  console.log(
    row(
      "-".repeat(14),
      "-".repeat(7),
      keys.map((key) => `${"-".repeat(width(key) - 1)}:`),
    ),
  );
  for (const { name, leg, means } of table)
    console.log(
      row(
        name,
        leg,
        keys.map((key) => (means[key]?.toFixed(3) ?? "").padStart(width(key))),
      ),
    );
}
