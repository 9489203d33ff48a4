// The walk against one over all passages, worked out the slow way from what docs/graph.md says.
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { connectionGraph } from "../../../src/core/graph/connection-graph.js";
import type { GraphReply, GraphRequest } from "../../../src/core/graph/graph-reply.js";
import type { DocumentWrite, StoredChunk, VectorStore } from "../../../src/core/plugin-api.js";
import { chunksOf, okapi } from "../../../src/testing/store-contract/brute-force.js";
import { indexDocuments } from "../../support/indexed-documents.js";
import { storeFolder, type StoreFolder } from "../../support/store-in-folder.js";

const dimensions = 4;
const vocabulary = ["moss", "rain", "stone", "fern", "canal", "新幹線", "時刻表", "駅弁", "切符", "線路"];
const quality = { enabled: true, threshold: 0.3 };

interface Edge {
  readonly parent: string;
  readonly name: string;
  readonly score: number;
  readonly via: string;
  readonly seed: number;
  readonly chunk: StoredChunk;
}

const round = (value: number): number => Math.round(value * 10_000) / 10_000;
const keyOf = ({ path, position }: StoredChunk): string => `${path}#${String(position).padStart(3, "0")}`;
/** A total order: no two edges of one child are equal in it. */
const strength = (a: Edge, b: Edge): number =>
  b.score - a.score ||
  (keyOf(a.chunk) < keyOf(b.chunk) ? -1 : keyOf(a.chunk) > keyOf(b.chunk) ? 1 : 0) ||
  a.seed - b.seed;

class SlowGraph {
  readonly #all: readonly StoredChunk[];
  constructor(private readonly writes: readonly DocumentWrite[]) {
    this.#all = writes.flatMap(({ chunks }) => chunks);
  }

  cosine(a: Float32Array, b: Float32Array): number {
    const dot = a.reduce((sum, value, at) => sum + value * b[at]!, 0);
    return dot / Math.sqrt(a.reduce((s, v) => s + v * v, 0) * b.reduce((s, v) => s + v * v, 0));
  }

  /** By word of the index's terms: every word here is one term, none is a stop word. */
  byWords(sources: readonly StoredChunk[], target: StoredChunk): number {
    const counts = new Map<string, number>();
    for (const { terms } of sources)
      for (const term of terms.text) counts.set(term, (counts.get(term) ?? 0) + 1);
    const total = this.#all.length;
    const idf = (term: string): number => {
      const df = this.#all.filter(({ terms }) => terms.text.includes(term)).length;
      return Math.log(1 + (total - df + 0.5) / (df + 0.5));
    };
    const shared = [...counts.keys()].filter(
      (term) => this.#all.filter(({ terms }) => terms.text.includes(term)).length > 1,
    );
    if (shared.length === 0) return 0;
    const mass = shared.reduce((sum, term) => sum + idf(term), 10);
    const scores = okapi(chunksOf(this.writes), { clauses: [{ field: "text", terms: shared, weight: 1 }] });
    const found = scores.find(({ path, position }) => path === target.path && position === target.position);
    return Math.min(1, ((found?.score ?? 0) / mass) ** 0.25);
  }

  compare(
    vector: Float32Array | null,
    sources: readonly StoredChunk[],
    target: StoredChunk,
  ): { score: number; via: string } {
    if (vector !== null && target.vector !== null)
      return { score: round(Math.max(0, this.cosine(vector, target.vector))), via: "meaning" };
    return { score: round(this.byWords(sources, target)), via: "words" };
  }

  walk(
    request: Required<Pick<GraphRequest, "start" | "depth" | "fan_out" | "min_similarity">> & GraphRequest,
  ) {
    const named = (chunk: StoredChunk): string =>
      request.dedup_by_path === false ? keyOf(chunk) : chunk.path;
    const own = this.#all.filter(({ path }) => path === request.start);
    const followed = own.some((chunk) => chunk.quality >= quality.threshold)
      ? own.filter((chunk) => chunk.quality >= quality.threshold)
      : own;
    let level: { name: string; path: string; vector: Float32Array | null; chunks: StoredChunk[] }[] =
      request.seed_strategy === "centroid"
        ? [{ name: "", path: request.start, vector: middleOf(followed), chunks: followed }]
        : followed.map((chunk) => ({ name: "", path: request.start, vector: chunk.vector, chunks: [chunk] }));
    if (followed.length === 0) level = [];
    const known = new Set<string>();
    const result: { depth: number; parent: string; name: string; score: number; via: string }[] = [];
    for (let depth = 1; depth <= request.depth; depth++) {
      const byParent = new Map<string, Edge[]>();
      for (const { name: parent, path, vector, chunks } of level)
        for (const chunk of this.#all) {
          if (chunk.path === request.start || chunk.path === path || known.has(named(chunk))) continue;
          if (chunk.quality < quality.threshold) continue;
          if (request.topic !== undefined && !chunk.path.startsWith(`${request.topic}/`)) continue;
          if (request.exclude_paths?.includes(chunk.path) === true) continue;
          const { score, via } = this.compare(vector, chunks, chunk);
          // A passage that shares no word is not found by words, whatever is asked for.
          if (score < request.min_similarity || (via === "words" && score === 0)) continue;
          const edges = byParent.get(parent) ?? [];
          byParent.set(parent, edges);
          edges.push({ parent, name: named(chunk), score, via, seed: chunks[0]!.position, chunk });
        }
      const proposals = [...byParent.values()].flatMap((edges) => {
        const seen = new Set<string>();
        return edges
          .sort(strength)
          .filter(({ name }) => !seen.has(name) && seen.add(name))
          .slice(0, request.fan_out);
      });
      const ids = new Map(result.map(({ name }, index) => [name, index]));
      const order = (a: Edge, b: Edge): number =>
        b.score - a.score ||
        (keyOf(a.chunk) < keyOf(b.chunk) ? -1 : keyOf(a.chunk) > keyOf(b.chunk) ? 1 : 0) ||
        (ids.get(a.parent) ?? -1) - (ids.get(b.parent) ?? -1);
      const winners: Edge[] = [];
      for (const edge of proposals.sort(order))
        if (!winners.some(({ name }) => name === edge.name)) winners.push(edge);
      for (const { parent, name, score, via } of winners) result.push({ depth, parent, name, score, via });
      for (const { name } of winners) known.add(name);
      level = winners.map(({ name, chunk }) => ({
        name,
        path: chunk.path,
        vector: chunk.vector,
        chunks: [chunk],
      }));
    }
    return result;
  }
}

function middleOf(chunks: readonly StoredChunk[]): Float32Array | null {
  const vectors = chunks.flatMap(({ vector }) => Array.from(vector ?? []));
  const mean = Array.from({ length: dimensions }, (_, at) =>
    vectors.reduce((sum, _value, index) => (index % dimensions === at ? sum + vectors[index]! : sum), 0),
  );
  return Math.hypot(...mean) < 1e-9 ? null : Float32Array.from(mean);
}

/** The reply in the terms of the slow graph. */
function flat({ nodes }: GraphReply, dedup: boolean) {
  const name = (id: number | undefined): string => {
    const node = nodes[id ?? 0];
    if (node === undefined || node.id === 0) return "";
    return dedup ? node.path : `${node.path}#${String((node.start_line ?? 0) - 1).padStart(3, "0")}`;
  };
  return nodes.slice(1).map(({ id, depth, parent_id, score, via }) => ({
    depth,
    parent: name(parent_id),
    name: name(id),
    score,
    via,
  }));
}

/** What the limit of nodes cuts off: of the depth it was met in the rest, of those below it nothing is known. */
function nodesCut(
  whole: readonly { depth: number }[],
  { depth, max_nodes: most }: { depth: number; max_nodes: number },
): object {
  const last = whole[most - 2];
  if (last === undefined) return {};
  const reached = whole[most - 1]?.depth === last.depth ? last.depth : undefined;
  if (reached !== undefined)
    return { max_nodes: whole.filter((node) => node.depth <= reached).length - (most - 1) };
  return last.depth < depth ? { max_nodes: undefined } : {};
}

const chunk = fc.record({
  words: fc.array(fc.constantFrom(...vocabulary), { minLength: 1, maxLength: 6 }),
  quality: fc.constantFrom(0.1, 1, 1, 1),
  vector: fc.option(
    fc
      .array(fc.integer({ min: -3, max: 3 }), { minLength: dimensions, maxLength: dimensions })
      .filter((values) => values.some((value) => value !== 0)),
    { freq: 3 },
  ),
});
const knowledgeBase = fc.array(
  fc.record({ topic: fc.constantFrom("a", "b"), chunks: fc.array(chunk, { minLength: 1, maxLength: 3 }) }),
  { minLength: 2, maxLength: 12 },
);
const options = fc.record({
  depth: fc.integer({ min: 1, max: 3 }),
  fan_out: fc.integer({ min: 1, max: 4 }),
  min_similarity: fc.constantFrom(0, 0.3, 0.6, 0.9),
  seed_strategy: fc.constantFrom("all_chunks", "centroid"),
  dedup_by_path: fc.boolean(),
  topic: fc.constantFrom(undefined, "a"),
  excluded: fc.nat({ max: 12 }),
  max_nodes: fc.constantFrom(2, 5, 100),
});
/** So few that most searches take several rounds. */
const candidates = fc.record({ first: fc.constantFrom(1, 2, 5), most: fc.constantFrom(6, 1000) });

describe("the connection graph", () => {
  let folder: StoreFolder;
  let store: VectorStore;
  beforeAll(async () => {
    folder = await storeFolder();
    store = await folder.open();
  });
  afterAll(() => folder.remove());

  it("is the one that a walk over all passages finds", async () => {
    await fc.assert(
      fc.asyncProperty(
        knowledgeBase,
        fc.array(fc.tuple(options, candidates), { minLength: 6, maxLength: 6 }),
        async (base, asked) => {
          const plain = await indexDocuments(
            base.map(({ topic: folder, chunks }, index) => ({
              path: `${folder}/${index}.md`,
              title: "moss",
              chunks: chunks.map(({ words, quality }) => ({ content: words.join(" "), quality })),
            })),
          );
          const writes = plain.map(({ document, chunks }, index) => {
            const vectors = base[index]!.chunks.map(({ vector }) => vector && unit(vector));
            return {
              document: { ...document, declinedCount: vectors.filter((vector) => vector === null).length },
              chunks: chunks.map((each, at) => ({ ...each, vector: vectors[at] ?? null })),
            };
          });
          await store.reset({ dimensions, meta: { built: "yes" } });
          await store.write({ put: writes });
          for (const [{ topic, excluded, ...rest }, candidates] of asked) {
            const request = {
              ...rest,
              start: writes[0]!.document.path,
              ...(topic !== undefined && { topic }),
              exclude_paths: excluded < writes.length ? [writes[excluded]!.document.path] : [],
            };
            const reply = await connectionGraph(
              {
                store: () => Promise.resolve(store),
                isServable: () => true,
                notes: () => Promise.resolve([]),
                qualityFilter: quality,
                candidates,
              },
              request,
              new AbortController().signal,
            );
            const cuts = new Map(reply.truncation.map(({ limit, left_out }) => [limit, left_out]));
            expect(reply.truncated).toBe(cuts.size > 0);
            if (candidates.most > writes.flatMap(({ chunks }) => chunks).length)
              expect(cuts.has("candidates")).toBe(false);
            // What was not looked at is unknown.
            if (cuts.has("candidates")) continue;
            const whole = new SlowGraph(writes).walk(request);
            expect(flat(reply, rest.dedup_by_path)).toEqual(whole.slice(0, rest.max_nodes - 1));
            expect(Object.fromEntries(cuts)).toStrictEqual(nodesCut(whole, rest));
          }
        },
      ),
      { numRuns: 15 },
    );
  }, 120_000);
});

function unit(values: readonly number[]): Float32Array {
  const length = Math.hypot(...values);
  return Float32Array.from(values, (value) => value / length);
}
