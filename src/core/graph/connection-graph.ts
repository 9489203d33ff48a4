// The connection graph of a document: plan → start → walk → reply. The parts decide; this puts them in order and says
// what a node shows.
import { documentUri } from "../documents/document-uri.js";
import type { StoredDocument, VectorStore } from "../plugin-api.js";
import { throwIfCancelled } from "../search/cancelled.js";
import type { QualityFilter } from "../search/filters.js";
import { findStart } from "./find-start.js";
import { planGraph } from "./graph-plan.js";
import type { GraphNode, GraphReply, GraphRequest } from "./graph-reply.js";
import { notesOf, truncationOf } from "./graph-words.js";
import { shortened, snippetOf } from "./snippet.js";
import { startSources } from "./start-sources.js";
import { vectorlessChunks } from "./vectorless-chunks.js";
import { walk, type Passage } from "./walk.js";

export interface GraphDependencies {
  readonly store: () => Promise<VectorStore>;
  /** Whether a document can be read as a resource. */
  readonly isServable: (document: StoredDocument) => boolean;
  readonly qualityFilter: QualityFilter;
  /** What the reader should know about the index now. */
  readonly notes: () => Promise<readonly string[]>;
}

/** Characters of a title or heading that a node shows. */
const titleCharacters = 120;

/**
 * Walks from a document to those that are like it, and on from there. The same content gives the same graph, whatever
 * the history of the index.
 * @throws KbError KB_GRAPH_*, KB_SEARCH_FILTER, KB_READ_*, KB_STORE_*, KB_CANCELLED
 */
export async function connectionGraph(
  { store: open, isServable, qualityFilter, notes }: GraphDependencies,
  request: GraphRequest,
  signal: AbortSignal,
): Promise<GraphReply> {
  const { settings, filter } = planGraph(request, qualityFilter);
  const store = await open();
  const indexNotes = await notes();
  const start = await findStart(store, request.start);
  const [chunks, counts, vectorless] = await Promise.all([
    store.documentChunks(start.path),
    store.counts(),
    vectorlessChunks(store),
  ]);
  throwIfCancelled(signal);
  const { sources, leftOut } = startSources(start, chunks, settings, qualityFilter);
  const found = await walk(
    start.path,
    sources,
    { store, filter, vectorless, chunks: counts.chunks, minSimilarity: settings.min_similarity },
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
      { id: 0, depth: 0, ...describe(start), ...placeOf(chunks[0]) },
      ...found.nodes.map(({ id, parentId, depth, score, via, document, passage, seed }): GraphNode => ({
        id,
        parent_id: parentId,
        depth,
        score,
        via,
        ...describe(document),
        ...placeOf(passage),
        ...(seed?.startLine !== undefined && { parent_start_line: seed.startLine }),
        ...(seed?.endLine !== undefined && { parent_end_line: seed.endLine }),
      })),
    ],
    truncated: truncation.length > 0,
    truncation,
    notes: [...indexNotes, ...notesOf(settings, chunks.length, found)],
  };
}

function placeOf(
  passage: Passage | undefined,
): Pick<GraphNode, "heading" | "start_line" | "end_line" | "snippet"> {
  return {
    ...(passage?.heading !== undefined && { heading: shortened(passage.heading, titleCharacters) }),
    ...(passage?.startLine !== undefined && { start_line: passage.startLine }),
    ...(passage?.endLine !== undefined && { end_line: passage.endLine }),
    snippet: snippetOf(passage?.content ?? ""),
  };
}
