// npm run bench -- scale: searches of indexes of 1,000, 10,000 and 100,000 chunks, with and without filters, against
// their raw parts run one after another: query embedding, raw vector query, raw text query with the same filter.
// Takes a quarter of an hour, so `npm run bench` runs it only when it is named.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import { compileQuery } from "../dist/core/search/compile-query.js";
import { compileFilters } from "../dist/core/search/filters.js";
import { createSearch } from "../dist/core/search/search.js";
import { conditionsOf } from "../dist/plugins/stores/lancedb/filter-sql.js";
import { inTemporaryFolder, median, milliseconds, quantile } from "./measure.mjs";
import { openEmbedder, openRawChunksIn, openStoreIn } from "./parts.mjs";
import { buildSyntheticIndex, filters } from "./synthetic-index.mjs";

const defaultSizes = [1000, 10_000, 100_000];
const rounds = 3;
/** Hits that each leg of a search asks for. */
const legDepth = 100;
const { signal } = new AbortController();

/** What is added to each query, and what else is asked for. */
const cases = [
  { what: "no filter" },
  ...Object.entries(filters).map(([what, request]) => ({ what, request })),
  { what: "a phrase of many passages", words: '"base unit"' },
  { what: "a phrase of one passage", words: '"KB-512"' },
  { what: "an exclusion", words: "-base" },
  { what: "mmr", request: { mmr: true } },
  { what: "parent_retriever", request: { parent_retriever: true } },
  { what: "Japanese, no filter", language: "ja" },
];

export async function* benchSearchScale(sizes = []) {
  const golden = parse(await readFile(new URL("../examples/golden.yml", import.meta.url), "utf8"));
  const embedder = await openEmbedder();
  for (const size of sizes.length > 0 ? sizes : defaultSizes)
    yield* await inTemporaryFolder((folder) => benchSize(join(folder, "store"), size, embedder, golden));
  await embedder.dispose();
}

async function benchSize(directory, size, embedder, golden) {
  const store = await openStoreIn(directory);
  await buildSyntheticIndex(store, size, embedder, signal);
  const raw = await openRawChunksIn(directory);
  const search = createSearch({
    store: () => store,
    embedder: () => embedder,
    isServable: () => true,
    notes: () => [],
    options: {
      minConfidence: 0.5,
      limit: 5,
      qualityFilter: { enabled: true, threshold: 0.3 },
      maxReplyTokens: 16_000,
    },
  });
  const rows = [];
  for (const { what, request, words = "", language = "en" } of cases) {
    const requests = golden.queries
      .filter(({ tag }) => tag === language)
      .map(({ query }) => ({ query: `${query} ${words}`, ...request }));
    const times = await compare(
      requests,
      (request) => search(request, signal),
      (request) => rawParts(raw, embedder, request),
    );
    rows.push({ what: `${size}: ${what}`, ...times, peerName: "raw parts in turn" });
  }
  rows.push({ what: `${size}: store.filteredChunks of a phrase`, ...(await phraseScan(store, raw)) });
  await store.close();
  return rows;
}

/** Both in turn for each request; the first round only warms: models loaded, index pages read. */
async function compare(requests, run, runPeer) {
  const ours = [];
  const peer = [];
  for (let round = 0; round <= rounds; round++)
    for (const request of requests) {
      const times = [await milliseconds(() => run(request)), await milliseconds(() => runPeer(request))];
      if (round === 0) continue;
      ours.push(times[0]);
      peer.push(times[1]);
    }
  return { ours: median(ours), p95: quantile(ours, 0.95), peer: median(peer) };
}

async function rawParts(raw, embedder, request) {
  const { text, textQuery, conditions } = compileQuery(request.query);
  const { filter } = compileFilters(request, { enabled: false, threshold: 0 });
  const where = conditionsOf({ ...filter, ...conditions }).all;
  const vector = await embedder.embedQuery(text, signal);
  if (vector !== null) await raw.byMeaning(vector, legDepth, where);
  await raw.byWords(textQuery, legDepth, where);
}

/** All chunks with a phrase, as a search reads them when few have it. */
async function phraseScan(store, raw) {
  const { conditions } = compileQuery('"base unit"');
  const where = conditionsOf(conditions).all;
  const times = await compare(
    Array.from({ length: 5 }, () => conditions),
    () => store.filteredChunks(conditions, legDepth),
    () => raw.passing(where),
  );
  return { ...times, peerName: "raw scan" };
}
