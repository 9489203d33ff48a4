// The face that plugins use, published as kb-mcp/plugin. Built-in plugins import this file and nothing else of
// core. Everything that crosses it is plain data or a function: a plugin may carry its own copies of libraries.
import type { Logger } from "./logger.js";

export { KbError, isKbError } from "./errors.js";
export type { ErrorCode } from "./errors.js";
export type { Logger } from "./logger.js";
export { estimateTokens } from "./estimate-tokens.js";

/**
 * The version of this interface. A plugin writes the number of the one that it was made for: one that imports this
 * instead would claim to fit any version.
 */
export const pluginApiVersion = 1;

/** A value that survives JSON and structured cloning. */
export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };

/** The part of the Standard Schema interface (https://standardschema.dev) that kb-mcp uses; zod and valibot fit. */
export interface OptionsSchema<Options> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => OptionsResult<Options> | Promise<OptionsResult<Options>>;
    /** Carries the option type only; never set at run time by kb-mcp. */
    readonly types?: { readonly input: unknown; readonly output: Options } | undefined;
  };
}

/** What a schema answers: the options, or why they are refused. */
export type OptionsResult<Options> =
  | { readonly value: Options; readonly issues?: undefined }
  | {
      readonly issues: readonly {
        readonly message: string;
        readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
      }[];
    };

/** What kb-mcp gives a plugin when it is created. Never the container. */
export interface PluginHost {
  readonly logger: Logger;
  /** Aborted when kb-mcp shuts down. */
  readonly signal: AbortSignal;
  /** The directory from which relative paths in options count: that of kb-mcp.toml. */
  readonly configDirectory: string;
  /** A directory of this plugin's own for what must last; it may not exist yet. Outside the knowledge base. */
  readonly dataDirectory: string;
  /** The same for what can be fetched again, such as models; all knowledge bases share it. */
  readonly cacheDirectory: string;
  /** Tells whoever waits how far a long preparation is, such as the download of a model. Cheap: call it often. */
  readonly progress: (progress: PreparationProgress) => void;
}

/** How far a long preparation is. `done` equals `total` at its end. */
export interface PreparationProgress {
  /** What is being done, in a few words that begin a line: "Downloading Xenova/all-MiniLM-L6-v2". */
  readonly what: string;
  readonly done: number;
  /** Absent where nobody knows. */
  readonly total?: number;
  readonly unit: "bytes" | "items";
}

// ---------------------------------------------------------------------------------------------- Parser

/** What kind of text a parser delivers. */
export type MediaType = "text/markdown" | "text/plain";

/** One part of a document, in document order; sections do not overlap. */
export interface Section {
  /** Plain text of the heading; absent for text before the first heading. */
  heading?: string;
  /** 1 to 6 for a heading, 0 without one. */
  level: number;
  /** The section's text as a reader sees it in the document, with its heading line. */
  text: string;
  /** First line in the delivered text, counted from 1. Absent where lines mean nothing. */
  startLine?: number;
  /** Last line, inclusive. `text` is exactly the lines from `startLine` to `endLine`, joined by "\n". */
  endLine?: number;
}

/** What a parser delivers. */
export interface ParsedDocument {
  /** The title the document gives itself, in metadata or its first top-level heading; absent if none. */
  title?: string;
  /** Metadata as written; empty if none. */
  frontmatter: { [key: string]: JsonValue };
  sections: Section[];
  /** The whole text that a read returns. */
  text: string;
  /** What was wrong with the file without losing it, in words for its author. */
  warnings?: string[];
}

export interface ParserInput {
  /** Path relative to the knowledge base, with `/`. */
  readonly path: string;
  readonly bytes: Uint8Array;
  /**
   * The decoded text, without a byte-order mark, when the factory is not `binary`; else the empty string.
   * kb-mcp decodes, so that every text format treats encodings alike.
   */
  readonly text: string;
  readonly signal: AbortSignal;
}

/** Turns the bytes of one kind of file into text and sections. Runs in a process of its own. */
export interface Parser {
  parse(input: ParserInput): ParsedDocument | Promise<ParsedDocument>;
}

export interface ParserFactory<Options = unknown> {
  /** The name used in `[parsers].enabled`. */
  readonly id: string;
  /** Lower case, without the dot. */
  readonly extensions: readonly string[];
  readonly mediaType: MediaType;
  /** Whether the files hold something other than text, such as a zip. */
  readonly binary: boolean;
  readonly optionsSchema?: OptionsSchema<Options>;
  create(options: Options, host: PluginHost): Parser | Promise<Parser>;
}

// ---------------------------------------------------------------------------------------------- Embedder

/** Turns text into vectors. Heavy work runs outside the event loop. */
export interface Embedder {
  /** The model and whatever else changes its vectors, in words that can be compared, e.g. "use-lite@1". */
  readonly model: string;
  /** Length of every vector. */
  readonly dimensions: number;
  /**
   * The passage size that serves this model best, in the tokens that `countTokens` counts; in estimated tokens (see
   * estimateTokens) where there is none. `max` is at most what the model reads of a text, unless measurements say that
   * passages that it reads only the beginning of serve better.
   */
  readonly chunkTokens: { readonly target: number; readonly max: number };
  /** Share of the vector leg in score fusion, 0 to 1; a stronger model deserves more. */
  readonly fusionWeight: number;
  /**
   * How many tokens of the model each text takes, those that it adds to every text included. With it no passage of an
   * index passes `chunkTokens.max`, whatever its language; without it passages are cut by estimate.
   */
  countTokens?(texts: readonly string[], signal: AbortSignal): Promise<number[]>;
  /**
   * One unit-length vector for each text, in order; null for a text that the model cannot read, which is then
   * found by words alone.
   * @throws KbError KB_EMBED_FAILED where the texts are to blame: each document is then tried by itself, and one that
   *   fails again is skipped by name. Any other KB_EMBED_* or KB_MODEL_* ends the run: no text would fare better.
   *   KB_CANCELLED
   */
  embedDocuments(texts: readonly string[], signal: AbortSignal): Promise<(Float32Array | null)[]>;
  /** The vector of a query, or null if the model cannot read it. Goes ahead of waiting documents. */
  embedQuery(text: string, signal: AbortSignal): Promise<Float32Array | null>;
  dispose(): Promise<void>;
}

export interface EmbedderFactory<Options = unknown> {
  /** The name used in `[embedder].use`. */
  readonly id: string;
  readonly optionsSchema?: OptionsSchema<Options>;
  /** Must be cheap: the model itself loads on first use. */
  create(options: Options, host: PluginHost): Embedder | Promise<Embedder>;
  /** Present where its models are files on this machine. */
  models?(options: Options, host: PluginHost): ModelLibrary | Promise<ModelLibrary>;
}

// ---------------------------------------------------------------------------------------------- Model files

/** A model that a plugin can use, as `kb-mcp models` lists it. */
export interface ModelEntry {
  readonly model: string;
  /** What is worth knowing before it is chosen, in a few words: "384 dimensions, 100 languages". */
  readonly description?: string;
  /** Whether its files are on this machine, whole. */
  readonly present: boolean;
  /** Bytes on this machine; absent where none are. */
  readonly bytes?: number;
  /** Where its files are, an absolute path; absent where none are. */
  readonly folder?: string;
}

/** What was found wrong with the files of a model; empty where nothing was. */
export interface ModelCheck {
  readonly entry: ModelEntry;
  readonly problems: readonly string[];
}

/** Looks after the files of the models that a plugin uses on this machine, for `kb-mcp models`. */
export interface ModelLibrary {
  /** The models known to the plugin and those on this machine; the one that the options name comes first. */
  list(): Promise<ModelEntry[]>;
  /**
   * Downloads what is missing; tells `host.progress` how far it is.
   * @param model absent for the one that the options name
   * @throws KbError KB_MODEL_*, KB_CANCELLED
   */
  pull(model: string | undefined, signal: AbortSignal): Promise<ModelEntry>;
  /**
   * Compares the files on this machine with what they are known to hold. Downloads nothing.
   * @param model absent for every model on this machine
   */
  verify(model: string | undefined, signal: AbortSignal): Promise<ModelCheck[]>;
}

// ---------------------------------------------------------------------------------------------- VectorStore

/** One indexed document. Fields ending in `Key` are folded for comparison and are what filters match. */
export interface StoredDocument {
  readonly path: string;
  readonly title: string;
  readonly mediaType: MediaType;
  /** Id and version of the parser that read it, e.g. "md@1". */
  readonly parser: string;
  readonly sizeBytes: number;
  /** Modification time in milliseconds since 1970, with its fraction. */
  readonly modifiedMs: number;
  /** SHA-256 of the file's bytes, hexadecimal. */
  readonly contentHash: string;
  /** Lines of the delivered text. */
  readonly lineCount: number;
  readonly chunkCount: number;
  /** Chunks without a vector because the embedder declined them. */
  readonly declinedCount: number;
  readonly category?: string;
  readonly categoryKey?: string;
  /** The first one or two directories of the path, "" in the root. */
  readonly topic: string;
  readonly topicKey: string;
  /** YYYY-MM-DD */
  readonly date?: string;
  readonly tags: readonly string[];
  readonly tagKeys: readonly string[];
  readonly pathKey: string;
}

/** Terms of a chunk, analysed by kb-mcp; a store indexes them as they are. No term holds white space. */
export interface ChunkTerms {
  /** Words of the content. */
  readonly text: readonly string[];
  /** Words of the path, the title, the headings and the tags. */
  readonly title: readonly string[];
  /** Pairs of neighbouring CJK characters. */
  readonly bigrams: readonly string[];
}

export type TermField = keyof ChunkTerms;

/** One passage. `position` counts from 0 within its document. */
export interface StoredChunk {
  readonly path: string;
  readonly position: number;
  readonly heading?: string;
  readonly headingPath: readonly string[];
  readonly level: number;
  readonly content: string;
  /** The content folded: what phrases and exclusions are looked for in. */
  readonly contentKey: string;
  readonly startLine?: number;
  readonly endLine?: number;
  readonly tokens: number;
  /** 0 (near-empty, placeholder) to 1. */
  readonly quality: number;
  readonly terms: ChunkTerms;
  /** null if the embedder declined the text. */
  readonly vector: Float32Array | null;
}

/** A document with all of its chunks, in order of position. */
export interface DocumentWrite {
  readonly document: StoredDocument;
  readonly chunks: readonly StoredChunk[];
}

/** Changes that are committed together. A path occurs in one of the lists only. */
export interface WriteBatch {
  /** Documents that replace whatever was stored under their path. */
  readonly put?: readonly DocumentWrite[];
  /** Documents whose row changes and whose chunks stay. */
  readonly update?: readonly StoredDocument[];
  /** Paths to remove, with their chunks. */
  readonly delete?: readonly string[];
}

/** Where a chunk is. */
export interface ChunkKey {
  readonly path: string;
  readonly position: number;
}

/** A chunk found by one leg. Higher is better; scores of different legs are not comparable. */
export interface ScoredChunk extends ChunkKey {
  readonly score: number;
}

/**
 * A weighted sum of BM25 over fields: every clause adds `weight` times the BM25 of its terms in its field; a term given
 * twice counts twice. Okapi BM25 with k1 1.2 and b 0.75, over the chunks that are stored now: what was stored before
 * leaves no trace in a score.
 */
export interface TextQuery {
  readonly clauses: readonly {
    readonly field: TermField;
    readonly terms: readonly string[];
    readonly weight: number;
  }[];
}

/**
 * Conditions that all hold; applied before the top k is taken. Values are folded like the `Key` fields. An empty list
 * is no condition.
 */
export interface ChunkFilter {
  readonly categoryKey?: string;
  /** A topic and everything below it: "ops" also finds "ops/runbooks". */
  readonly topicKey?: string;
  /** Regular expressions (the common part of RE2 and JavaScript) against the whole `pathKey`: at least one matches. */
  readonly pathIncludes?: readonly string[];
  /** The same: none matches. */
  readonly pathExcludes?: readonly string[];
  /** Regular expressions, as above, that match anywhere in a chunk's `contentKey`: all of them do. */
  readonly contentIncludes?: readonly string[];
  /** The same: none does. */
  readonly contentExcludes?: readonly string[];
  readonly tagKeysAny?: readonly string[];
  readonly tagKeysAll?: readonly string[];
  /** Inclusive, YYYY-MM-DD. A document without a date never matches a date bound. */
  readonly dateFrom?: string;
  readonly dateTo?: string;
  /** Inclusive, 0 to 1. */
  readonly minQuality?: number;
}

export interface StoreCounts {
  readonly documents: number;
  readonly chunks: number;
  /** Chunks that have a vector. */
  readonly vectors: number;
}

/** Keeps documents, their chunks and a small table of metadata; searches chunks by words and by vector. */
export interface VectorStore {
  /** Metadata written by reset and writeMeta, or undefined if nothing was ever built here. */
  readMeta(): Promise<Readonly<Record<string, string>> | undefined>;
  /** Drops everything and starts an empty index. */
  reset(spec: {
    readonly dimensions: number;
    readonly meta: Readonly<Record<string, string>>;
  }): Promise<void>;
  /** Adds or replaces entries. */
  writeMeta(entries: Readonly<Record<string, string>>): Promise<void>;

  /**
   * Commits a batch. For each document a reader sees the old chunks or the new ones, never a mixture; after a
   * crash a document row is never newer than its chunks: where they may not belong together, its `contentHash` is
   * empty and its `modifiedMs` 0, so that it counts as changed. Updates and removals of unknown paths do nothing.
   * @throws KbError KB_STORE_MISMATCH for a vector of another length, KB_STORE_EMPTY before the first reset
   */
  write(batch: WriteBatch): Promise<void>;

  /** Chosen fields of every document, in batches, in no particular order. */
  documents<Field extends keyof StoredDocument>(
    fields: readonly Field[],
  ): AsyncIterable<readonly Pick<StoredDocument, Field>[]>;
  /** The documents at these paths, in the order asked; one that is not there is left out. */
  documentsAt(paths: readonly string[]): Promise<StoredDocument[]>;
  /**
   * The chunks with these keys, in the order asked; a key that is gone is left out. Only these fields have to be
   * there; all if none are named.
   */
  chunks<Field extends keyof StoredChunk = keyof StoredChunk>(
    keys: readonly ChunkKey[],
    fields?: readonly Field[],
  ): Promise<Pick<StoredChunk, Field>[]>;
  /** All chunks of a document in order of position, vectors and terms included. */
  documentChunks(path: string): Promise<StoredChunk[]>;

  /** The k best chunks by words, best first; equal scores in order of path and position, at the cut too. No terms: none. */
  textSearch(query: TextQuery, k: number, filter?: ChunkFilter): Promise<ScoredChunk[]>;
  /**
   * The k nearest chunks by cosine similarity (-1 to 1), nearest first; equal scores as in textSearch. Chunks without
   * a vector are never found.
   */
  vectorSearch(vector: Float32Array, k: number, filter?: ChunkFilter): Promise<ScoredChunk[]>;
  /** The first k chunks that pass a filter, in order of path (by UTF-16 units) and position. */
  filteredChunks(filter: ChunkFilter, k: number): Promise<ChunkKey[]>;
  /** For each term, in how many chunks it occurs in the `text` field. */
  documentFrequencies(terms: readonly string[]): Promise<number[]>;
  counts(): Promise<StoreCounts>;

  /** A word that changes with every commit, whoever made it; what is cached is kept under it. */
  version(): Promise<string>;
  /** Brings search structures up to date and frees what old versions hold. Safe beside readers. */
  maintain(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

export interface StoreFactory<Options = unknown> {
  /** The name used in `[store].use`. */
  readonly id: string;
  readonly optionsSchema?: OptionsSchema<Options>;
  /** true for a store that keeps nothing beyond its process: kb-mcp then fills it anew before it is searched. */
  readonly ephemeral?: boolean;
  /**
   * Where the index is, where the options say it: an absolute folder or a URI, without secrets. Shown to people; a folder
   * inside the knowledge base is refused.
   */
  location?(options: Options): string | undefined;
  /** Opens the store in `host.dataDirectory` (or where its options say); writes nothing yet. */
  create(options: Options, host: PluginHost): VectorStore | Promise<VectorStore>;
}

// ---------------------------------------------------------------------------------------------- Reranker

/** Scores how well each candidate answers the query. */
export interface Reranker {
  /** One score for each candidate, in order; higher is better. */
  rerank(query: string, candidates: readonly string[], signal: AbortSignal): Promise<number[]>;
  dispose(): Promise<void>;
}

export interface RerankerFactory<Options = unknown> {
  /** The name used in `[search].reranker`. */
  readonly id: string;
  readonly optionsSchema?: OptionsSchema<Options>;
  create(options: Options, host: PluginHost): Reranker | Promise<Reranker>;
  /** Present where its models are files on this machine. */
  models?(options: Options, host: PluginHost): ModelLibrary | Promise<ModelLibrary>;
}

// ---------------------------------------------------------------------------------------------- Transport

/** An MCP server for one connection, ready to be connected to an SDK transport. */
export interface McpSession {
  /** `transport` is a Transport of @modelcontextprotocol/sdk; the type stays out of this interface on purpose. */
  connect(transport: unknown): Promise<void>;
  close(): Promise<void>;
}

/** Carries MCP between clients and sessions. */
export interface Transport {
  /** Resolves when the transport takes requests. */
  start(createSession: () => McpSession | Promise<McpSession>): Promise<void>;
  /** Resolves when the transport has ended by itself, for example because the client went away. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

export interface TransportFactory<Options = unknown> {
  /** The name used in `[transport].use`. */
  readonly id: string;
  readonly optionsSchema?: OptionsSchema<Options>;
  create(options: Options, host: PluginHost): Transport | Promise<Transport>;
}

// ---------------------------------------------------------------------------------------------- Plugin

/** What a plugin package offers; the result of definePlugin is its default export. */
export interface Plugin {
  readonly name: string;
  readonly version: string;
  /** The version of this interface that it was written for, as a number: 1. */
  readonly apiVersion: number;
  readonly parsers?: readonly ParserFactory[];
  readonly embedders?: readonly EmbedderFactory[];
  readonly stores?: readonly StoreFactory[];
  readonly rerankers?: readonly RerankerFactory[];
  readonly transports?: readonly TransportFactory[];
}

/** The literal form of a plugin, in which each factory may have option types of its own. */
export interface PluginDefinition extends Omit<
  Plugin,
  "parsers" | "embedders" | "stores" | "rerankers" | "transports"
> {
  /* eslint-disable @typescript-eslint/no-explicit-any -- factories of different options share one list; each is checked by its own schema */
  readonly parsers?: readonly ParserFactory<any>[];
  readonly embedders?: readonly EmbedderFactory<any>[];
  readonly stores?: readonly StoreFactory<any>[];
  readonly rerankers?: readonly RerankerFactory<any>[];
  readonly transports?: readonly TransportFactory<any>[];
  /* eslint-enable @typescript-eslint/no-explicit-any */
}

/** Marks an object as a kb-mcp plugin and checks its types. */
export function definePlugin(definition: PluginDefinition): Plugin {
  return definition;
}
