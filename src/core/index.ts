// The face that transports and the command line use.
import type {
  BestPracticeReply,
  BestPracticeRequest,
  DocumentReply,
  DocumentRequest,
  RecentDocuments,
  ResourceChange,
  ResourceContent,
  TopicResource,
  TopicsReply,
} from "./documents/document-reply.js";
import type { EvalReport, EvalRequest } from "./eval/eval-report.js";
import type { GraphReply, GraphRequest } from "./graph/graph-reply.js";
import type { IndexOptions, IndexProgress, IndexSummary } from "./indexing/index-summary.js";
import type { IndexOverview } from "./indexing/index-overview.js";
import type { SearchReply, SearchRequest } from "./search/search-reply.js";

export * from "./documents/document-reply.js";
export * from "./eval/eval-report.js";
export * from "./graph/graph-reply.js";
export * from "./indexing/index-summary.js";
export type { IndexOverview } from "./indexing/index-overview.js";
export * from "./search/search-reply.js";
export { errorCodes, isKbError, KbError } from "./errors.js";
export type { ErrorCode } from "./errors.js";
export { limits } from "./limits.js";
export { partTokens, replyTokens } from "./search/reply-tokens.js";
export { fold } from "./text/fold.js";
export { localDay } from "./documents/recent-documents.js";
export { nearestName } from "./text/nearest-name.js";
export { shortened } from "./text/shortened.js";

export interface StatusReply {
  kb_path: string;
  /** Absent where nothing is kept. */
  index_directory?: string;
  /** Where the store keeps the index, if elsewhere: a folder or a URI. */
  store_location?: string;
  /** The index lives in the memory of a process, which fills it at each start. */
  ephemeral?: boolean;
  /** false until a first run has ended. */
  indexed: boolean;
  overview?: IndexOverview;
  /** What differs from the settings that the index was built with: until kb-mcp index --force it is not written to. */
  changed?: string[];
  /** Why the embedder cannot be used. */
  embedder_failure?: { code: string; message: string; hint: string };
  /** The process that writes to the index now. */
  writer?: { pid: number; host: string; running_seconds: number };
  /** Indexed paths, only when asked for. */
  paths?: string[];
}

/**
 * One folder of documents with its index. An index that lives in this process only is filled when it is first asked:
 * whatever asks it then waits for that, and fails with what that fails with; but not once `index` was called with
 * `background`.
 */
export interface KnowledgeBase {
  /**
   * By words alone, with a note that says why, where the embedder does not work or is not the one that the index was
   * built with. @throws KbError KB_SEARCH_QUERY, KB_SEARCH_FILTER, KB_STORE_EMPTY, KB_STORE_MISMATCH
   */
  search(request: SearchRequest, signal?: AbortSignal): Promise<SearchReply>;
  /** Asks the questions of a golden file and keeps the result in the history. @throws KbError KB_EVAL_*, KB_STORE_*, KB_CANCELLED */
  evaluate(request: EvalRequest, signal?: AbortSignal): Promise<EvalReport>;
  /** Reads through the read guard; the file need not be indexed. @throws KbError KB_READ_* */
  getDocument(request: DocumentRequest, signal?: AbortSignal): Promise<DocumentReply>;
  /**
   * Reads the best practice of a target by `[best_practice].path_templates`, through the read guard; the file need
   * not be indexed. @throws KbError KB_PRACTICE_*, KB_READ_*
   */
  bestPractice(request: BestPracticeRequest, signal?: AbortSignal): Promise<BestPracticeReply>;
  listTopics(): Promise<TopicsReply>;
  /**
   * Walks from a document to those that are like it. @throws KbError KB_GRAPH_*, KB_SEARCH_FILTER, KB_STORE_*,
   * KB_CANCELLED
   */
  connectionGraph(request: GraphRequest, signal?: AbortSignal): Promise<GraphReply>;
  /** The topic groups of the servable set. */
  listResources(): Promise<TopicResource[]>;
  /** A kb://doc/ or kb://topic/ URI. @throws KbError KB_READ_URI, KB_READ_NOT_SERVABLE, KB_READ_* */
  readResource(uri: string, signal?: AbortSignal): Promise<ResourceContent>;
  /** The one spelling of a kb:// URI of something on offer. @throws KbError KB_READ_URI, KB_READ_NOT_SERVABLE */
  canonicalUri(uri: string): Promise<string>;
  /** Tells a listener what runs in this process change, a burst at a time. Returns a function that ends it. */
  onResourceChange(listener: (change: ResourceChange) => void): () => void;
  /** Documents changed on or after a day (YYYY-MM-DD), newest first, at most `limit`. */
  recentDocuments(since: string, limit: number): Promise<RecentDocuments>;
  /** Servable paths that start with a prefix, compared without case, at most `limit`, and how many there are in all. */
  completePath(prefix: string, limit: number): Promise<{ paths: string[]; total: number }>;
  /** Brings the index up to date. @throws KbError KB_STORE_BUSY if another run holds the index, KB_CANCELLED */
  index(options?: IndexOptions): Promise<IndexSummary>;
  /** Fills an index that lives in this process only and was not filled yet, and waits for it. */
  fill(options?: Pick<IndexOptions, "signal" | "onProgress">): Promise<void>;
  /** Progress of a run in this process, or undefined. */
  indexing(): IndexProgress | undefined;
  /** Cheap: opens no store. */
  overview(): Promise<IndexOverview | undefined>;
  /** Opens the store, and fills it where that is needed, only when paths are asked for. */
  status(options?: { paths?: boolean }): Promise<StatusReply>;
  close(): Promise<void>;
}
