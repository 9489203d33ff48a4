// The walk, breadth first: every node of a depth names its nearest neighbours, and each of those joins the graph below
// the node that it is nearest to. Knows nothing of what a reader is shown.
import type { ChunkKey, StoredChunk, StoredDocument, VectorStore } from "../plugin-api.js";
import { throwIfCancelled } from "../search/cancelled.js";
import { chunkId } from "../search/chunk-key.js";
import { byScore } from "../search/fusion.js";
import { neighboursOf, type Neighbour, type Neighbourhood, type NeighbourSearch } from "./neighbours.js";
import type { StartSource } from "./start-sources.js";

/** What is read of a passage: what a node shows, and what its neighbours are found by. */
const passageFields = [
  "path",
  "position",
  "heading",
  "headingPath",
  "content",
  "startLine",
  "endLine",
  "vector",
] as const satisfies readonly (keyof StoredChunk)[];

export type NodePassage = Pick<StoredChunk, (typeof passageFields)[number]>;

/** A place in the graph other than the start. */
export interface WalkNode extends Neighbour {
  readonly id: number;
  readonly parentId: number;
  readonly depth: number;
  readonly passage: NodePassage;
  readonly document: StoredDocument;
  /** The passage of the start that it was reached from; absent further down and for a centroid. */
  readonly seed?: StoredChunk;
}

export interface WalkOptions {
  readonly depth: number;
  readonly fanOut: number;
  /** The start counted. */
  readonly maxNodes: number;
  readonly dedupByPath: boolean;
}

export interface WalkResult {
  readonly nodes: readonly WalkNode[];
  /** The best similarity to the start that was too low, if it was come across. */
  readonly nearestMiss: number | undefined;
  /** Set where `maxNodes` ended the walk: how many neighbours were left out, as far as anybody looked. */
  readonly leftOut: number | undefined;
  /** Whether a node may have nearer neighbours beyond the candidates that were looked at. */
  readonly cut: boolean;
}

/** Passages whose neighbours are looked for at once: the store has threads of its own. */
const concurrency = 4;

/** A passage from which the walk goes on. */
interface Frontier extends StartSource {
  readonly id: number;
  readonly path: string;
}

interface Proposal extends Neighbour {
  readonly parentId: number;
  readonly seed?: StoredChunk;
}

/** @throws KbError KB_CANCELLED, KB_STORE_* */
export async function walk(
  start: string,
  sources: readonly StartSource[],
  search: Omit<NeighbourSearch, "nameOf" | "isNew" | "fanOut">,
  options: WalkOptions,
  signal: AbortSignal,
): Promise<WalkResult> {
  const nameOf = (chunk: ChunkKey): string => (options.dedupByPath ? chunk.path : chunkId(chunk));
  const taken = new Set<string>();
  const nodes: WalkNode[] = [];
  let frontier: readonly Frontier[] = sources.map((source) => ({ ...source, id: 0, path: start }));
  let nearestMiss: number | undefined;
  let cut = false;

  for (let depth = 1; depth <= options.depth && frontier.length > 0; depth++) {
    const room = options.maxNodes - 1 - nodes.length;
    if (room === 0) return { nodes, nearestMiss, cut, leftOut: 0 };
    const found = await inBatches(frontier, async (source) => {
      const isNew = (chunk: ChunkKey): boolean =>
        chunk.path !== start && chunk.path !== source.path && !taken.has(nameOf(chunk));
      const result = await neighboursOf(source, { ...search, fanOut: options.fanOut, nameOf, isNew }, signal);
      return { source, ...result };
    });
    cut ||= found.some((result) => result.cut);
    if (depth === 1) nearestMiss = highest(found);
    const claimed = nearestParents(found.flatMap(proposalsOf), options.fanOut, nameOf);
    const joined = await inGraph(search.store, claimed.slice(0, room), nodes.length + 1, depth);
    throwIfCancelled(signal);
    for (const node of joined) taken.add(nameOf(node));
    nodes.push(...joined);
    if (claimed.length > room) return { nodes, nearestMiss, cut, leftOut: claimed.length - room };
    frontier = joined.map(({ id, path, passage, document }) => ({
      id,
      path,
      vector: passage.vector,
      passages: [{ ...passage, title: document.title }],
    }));
  }
  return { nodes, nearestMiss, cut, leftOut: undefined };
}

function proposalsOf({ source, neighbours }: { source: Frontier } & Neighbourhood): Proposal[] {
  const { id, chunk } = source;
  return neighbours.map((neighbour) => ({
    ...neighbour,
    parentId: id,
    ...(chunk !== undefined && { seed: chunk }),
  }));
}

/**
 * Each name once, below the parent that it is nearest to; best first. The start may have been asked passage by passage:
 * of all that its passages named only its `fanOut` nearest count.
 */
function nearestParents(
  proposals: readonly Proposal[],
  fanOut: number,
  nameOf: (chunk: ChunkKey) => string,
): Proposal[] {
  const ranked = [...proposals].sort(
    (a, b) => byScore(a, b) || a.parentId - b.parentId || (a.seed?.position ?? 0) - (b.seed?.position ?? 0),
  );
  const named = new Map<number, Set<string>>();
  const claimed = new Map<string, Proposal>();
  for (const proposal of ranked) {
    const name = nameOf(proposal);
    const names = named.get(proposal.parentId) ?? new Set();
    named.set(proposal.parentId, names);
    if (!names.has(name) && names.size === fanOut) continue;
    names.add(name);
    if (!claimed.has(name)) claimed.set(name, proposal);
  }
  return [...claimed.values()];
}

/** Nodes with what they show; a passage or a document that has left the index meanwhile is left out. */
async function inGraph(
  store: VectorStore,
  chosen: readonly Proposal[],
  firstId: number,
  depth: number,
): Promise<WalkNode[]> {
  const [passages, documents] = await Promise.all([
    store.chunks(chosen, passageFields),
    store.documentsAt([...new Set(chosen.map(({ path }) => path))]),
  ]);
  const passageOf = new Map(passages.map((passage) => [chunkId(passage), passage]));
  const documentOf = new Map(documents.map((document) => [document.path, document]));
  const nodes: WalkNode[] = [];
  for (const proposal of chosen) {
    const passage = passageOf.get(chunkId(proposal));
    const document = documentOf.get(proposal.path);
    if (passage === undefined || document === undefined) continue;
    nodes.push({ ...proposal, id: firstId + nodes.length, depth, passage, document });
  }
  return nodes;
}

async function inBatches<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let at = 0; at < items.length; at += concurrency)
    results.push(...(await Promise.all(items.slice(at, at + concurrency).map(work))));
  return results;
}

function highest(found: readonly Neighbourhood[]): number | undefined {
  const values = found.flatMap(({ nearestMiss }) => nearestMiss ?? []);
  return values.length > 0 ? Math.max(...values) : undefined;
}
