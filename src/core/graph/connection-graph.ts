// The connection graph of a document: plan → start → walk → reply. The parts decide; this puts them in order and says
// what a node shows.
import { documentUri } from "../documents/document-uri.js";
import type { StoredDocument, VectorStore } from "../plugin-api.js";
import { throwIfCancelled } from "../search/cancelled.js";
import type { QualityFilter } from "../search/filters.js";
import { pathToRegExp } from "../search/glob.js";
import { shortened } from "../text/shortened.js";
import { excludedPaths } from "./exclude-paths.js";
import { findStart } from "./find-start.js";
import { planGraph } from "./graph-plan.js";
import type { GraphNode, GraphReply, GraphRequest } from "./graph-reply.js";
import { notesOf, truncationOf } from "./graph-messages.js";
import { defaultCandidates, type CandidateLimits } from "./neighbours.js";
import { snippetOf } from "./snippet.js";
import { startSources } from "./start-sources.js";
import { vectorlessChunks } from "./vectorless-chunks.js";
import { walk, type NodePassage } from "./walk.js";

export interface GraphDependencies {
  readonly store: () => Promise<VectorStore>;
  /** Whether a document can be read as a resource. */
  readonly isServable: (document: StoredDocument) => boolean;
  readonly qualityFilter: QualityFilter;
  /** What the reader should know about the index now. */
  readonly notes: () => Promise<readonly string[]>;
  /** Why the embedder's vectors do not fit the index; absent where they do. */
  readonly vectorMismatch?: () => Promise<string | undefined>;
  /** How many candidates for neighbours are looked at; absent for the usual ones. */
  readonly candidates?: CandidateLimits;
}

const ofOtherVectors =
  "Connections are found all the same, by the vectors that are stored; they change when the index is built anew.";

/** Characters of a title or heading that a node shows. */
const titleCharacters = 120;

/**
 * Walks from a document to those that are like it, and on from there. The same content gives the same graph, whatever
 * the history of the index.
 * @throws KbError KB_GRAPH_*, KB_SEARCH_FILTER, KB_STORE_*, KB_CANCELLED
 */
export async function connectionGraph(
  { store: open, isServable, qualityFilter, notes, ...optional }: GraphDependencies,
  request: GraphRequest,
  signal: AbortSignal,
): Promise<GraphReply> {
  const { candidates = defaultCandidates, vectorMismatch } = optional;
  const { settings, filter, excluded } = planGraph(request, qualityFilter);
  const store = await open();
  const indexNotes = [...(await notes())];
  // Only stored vectors are compared here, and with one another: they are all of one make.
  if ((await vectorMismatch?.()) !== undefined) indexNotes.push(ofOtherVectors);
  const start = await findStart(store, request.start, signal);
  const exclusion = await excludedPaths(store, excluded, signal);
  const [chunks, counts, vectorless] = await Promise.all([
    store.documentChunks(start.path),
    store.counts(),
    vectorlessChunks(store),
  ]);
  const own = await ownPath(store, start.path, chunks.length, candidates);
  throwIfCancelled(signal);
  const { sources, leftOut } = startSources(start, chunks, settings, qualityFilter);
  const found = await walk(
    start.path,
    sources,
    {
      store,
      filter: { ...filter, pathExcludes: [...exclusion.expressions, ...own] },
      vectorless,
      chunks: counts.chunks,
      minSimilarity: settings.min_similarity,
      candidates,
    },
    {
      depth: settings.depth,
      fanOut: settings.fan_out,
      maxNodes: settings.max_nodes,
      dedupByPath: settings.dedup_by_path,
    },
    signal,
  );
  const truncation = truncationOf(settings, leftOut, found);
  const describe = (document: StoredDocument): Pick<GraphNode, "path" | "uri" | "title"> => ({
    path: document.path,
    ...(isServable(document) && { uri: documentUri(document.path) }),
    title: shortened(document.title, titleCharacters),
  });
  return {
    start: start.path,
    settings,
    nodes: [
      { id: 0, depth: 0, ...describe(start), ...shownOf(chunks[0]) },
      ...found.nodes.map(({ id, parentId, depth, score, via, document, passage, seed }): GraphNode => ({
        id,
        parent_id: parentId,
        depth,
        score,
        via,
        ...describe(document),
        ...shownOf(passage),
        ...(seed?.startLine !== undefined && { parent_start_line: seed.startLine }),
        ...(seed?.endLine !== undefined && { parent_end_line: seed.endLine }),
      })),
    ],
    truncated: truncation.length > 0,
    truncation,
    notes: [...indexNotes, ...exclusion.notes, ...notesOf(settings, chunks.length, found)],
  };
}

/**
 * Expressions that keep the start's own passages, which are more like it than all others, from filling the first
 * candidates. Where they are too few for that there are none: a condition on paths costs every search 10 ms at 48,000
 * chunks. Nor where another document's path differs in case or Unicode form only: conditions take the two for one.
 */
async function ownPath(
  store: VectorStore,
  path: string,
  chunks: number,
  { first }: CandidateLimits,
): Promise<string[]> {
  if (chunks < first) return [];
  const expression = pathToRegExp(path);
  const found = await store.filteredChunks({ pathIncludes: [expression] }, chunks + 1);
  return found.length > chunks ? [] : [expression];
}

/** What a node shows of a passage. */
function shownOf(
  passage: NodePassage | undefined,
): Pick<GraphNode, "heading" | "start_line" | "end_line" | "snippet"> {
  return {
    ...(passage?.heading !== undefined && { heading: shortened(passage.heading, titleCharacters) }),
    ...(passage?.startLine !== undefined && { start_line: passage.startLine }),
    ...(passage?.endLine !== undefined && { end_line: passage.endLine }),
    snippet: snippetOf(passage?.content ?? ""),
  };
}
