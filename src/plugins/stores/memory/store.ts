// The VectorStore of this plugin. A commit is worked out aside and then takes effect at once, between two turns of the
// event loop; a search reads what was there when it began.
/* eslint-disable @typescript-eslint/require-await -- the interface is asynchronous, memory is not */
import { randomUUID } from "node:crypto";
import { KbError, type ChunkKey, type VectorStore } from "../../../core/plugin-api.js";
import { Best, byKey } from "./best.js";
import { cosine, inverseLength } from "./cosine.js";
import { checkLength, chunkOf, pick } from "./entry.js";
import { conditionsOf } from "./filter.js";
import { Holdings } from "./holdings.js";
import { Pacer } from "./pacer.js";

/** Documents in one batch of `documents`. */
const batchSize = 500;

/** A store that nothing was ever built in. */
export function createMemoryStore(): VectorStore {
  /** The numbers of commits alone would be those of the next process too. */
  const name = randomUUID();
  let commits = 0;
  let holdings: Holdings | undefined;

  const built = (): Holdings => {
    if (holdings === undefined) throw new KbError("KB_STORE_EMPTY", "There is no index to write to");
    return holdings;
  };

  return {
    async readMeta() {
      return holdings?.meta;
    },
    async reset({ dimensions, meta }) {
      holdings = new Holdings(dimensions, meta);
      commits++;
    },
    async writeMeta(entries) {
      built().addMeta(entries);
      commits++;
    },
    async write(batch) {
      built().apply(batch);
      commits++;
    },
    async *documents(fields) {
      const entries = holdings?.snapshot() ?? [];
      for (let at = 0; at < entries.length; at += batchSize)
        yield entries.slice(at, at + batchSize).map(({ document }) => pick(document, fields));
    },
    async documentsAt(paths) {
      return paths.flatMap((path) => holdings?.entry(path)?.document ?? []);
    },
    async chunks(keys, fields) {
      return keys.flatMap(({ path, position }) => {
        const passage = holdings?.entry(path)?.passages[position];
        if (passage === undefined) return [];
        return fields === undefined ? chunkOf(passage) : pick(chunkOf(passage), fields);
      });
    },
    async documentChunks(path) {
      return (holdings?.entry(path)?.passages ?? []).map(chunkOf);
    },
    async textSearch(query, k, filter) {
      if (holdings === undefined || k < 1) return [];
      const { admitsDocument, admitsChunk } = conditionsOf(filter);
      const scored = holdings.score(query);
      const best = new Best(k);
      const pacer = new Pacer();
      const admitted = new Map<string, boolean>();
      for (const { passage, document, score } of scored) {
        if (pacer.isDue()) await pacer.turn();
        let admits = admitted.get(document.path);
        if (admits === undefined) admitted.set(document.path, (admits = admitsDocument(document)));
        if (admits && admitsChunk(passage.row)) best.offer(passage.key, score);
      }
      return best.take();
    },
    async vectorSearch(vector, k, filter) {
      if (holdings === undefined) return [];
      checkLength(vector, holdings.dimensions);
      if (k < 1) return [];
      const sought = vector.slice();
      const scale = inverseLength(sought);
      const { admitsDocument, admitsChunk } = conditionsOf(filter);
      const best = new Best(k);
      const pacer = new Pacer();
      for (const { document, passages } of holdings.snapshot()) {
        if (pacer.isDue()) await pacer.turn();
        if (!admitsDocument(document)) continue;
        for (const passage of passages) {
          if (pacer.isDue()) await pacer.turn();
          if (passage.vector !== null && admitsChunk(passage.row))
            best.offer(passage.key, cosine(sought, passage.vector, scale * passage.inverseLength));
        }
      }
      return best.take();
    },
    async filteredChunks(filter, k) {
      const { admitsDocument, admitsChunk } = conditionsOf(filter);
      const entries = holdings?.snapshot() ?? [];
      entries.sort((a, b) => byKey({ ...a.document, position: 0 }, { ...b.document, position: 0 }));
      const pacer = new Pacer();
      const found: ChunkKey[] = [];
      for (const { document, passages } of entries) {
        if (found.length >= k) break;
        if (pacer.isDue()) await pacer.turn();
        if (!admitsDocument(document)) continue;
        for (const { key, row } of passages) {
          if (pacer.isDue()) await pacer.turn();
          if (found.length < k && admitsChunk(row)) found.push({ ...key });
        }
      }
      return found;
    },
    async documentFrequencies(terms) {
      return terms.map((term) => holdings?.frequency(term) ?? 0);
    },
    async counts() {
      return holdings?.counts() ?? { documents: 0, chunks: 0, vectors: 0 };
    },
    async version() {
      return `${name}.${commits}`;
    },
    async maintain() {
      // Every commit leaves the search structures up to date and nothing of old versions.
    },
    async close() {
      holdings = undefined;
      commits++;
    },
  };
}
