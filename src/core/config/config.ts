// The shapes of the configuration: what goes into loading it and what comes out. Holds no logic.
import type { LogLevel } from "../logger.js";
import type { PluginKind } from "./setting.js";

/** The effective configuration. Paths are absolute. */
export interface Config {
  /** The folder of notes as configured: it may not exist, and links in it are not resolved. */
  kbPath: string;
  /** Names of folders that are not indexed. */
  excludeDirs: string[];
  /** Headings whose sections are not indexed. */
  excludeHeadings: string[];
  plugins: {
    /** Third-party packages as written; `path` is absolute, and absent for the name of a package. */
    packages: { name: string; path?: string }[];
    /** The folder from which names are resolved, and relative paths in options. */
    folder: string;
    /** The setting that names them, for messages. */
    key: string;
  };
  /** Options by parser id. */
  parsers: { enabled: string[]; options: Record<string, Record<string, unknown>> };
  embedder: { use: string; options: Record<string, unknown> };
  store: { use: string; options: Record<string, unknown> };
  /** Absent where hits keep the order of the search itself. */
  reranker?: { use: string; options: Record<string, unknown> };
  /** The options of the chosen transport only. */
  transport: { use: string; options: Record<string, unknown> };
  /** `vectorWeight` is absent where the embedder's own weight counts. */
  search: {
    minConfidence: number;
    vectorWeight?: number;
    limit: number;
    mmr: boolean;
    mmrLambda: number;
    mmrSameDocPenalty: number;
    parentRetriever: boolean;
  };
  qualityFilter: { enabled: boolean; threshold: number };
  bestPractice: { pathTemplates: string[] };
  /** `golden` is absolute; absent where no golden file is named. */
  eval: { golden?: string };
  index: { maxFileBytes: number };
  mcp: { maxReplyTokens: number };
  /** Where indexes are kept; it may not exist yet. */
  dataDirectory: string;
  logLevel: LogLevel;
}

/** What the command line sets; each is absent where the flag is not given. */
export interface ConfigFlags {
  readonly config?: string | undefined;
  readonly kbPath?: string | undefined;
  readonly transport?: string | undefined;
  readonly golden?: string | undefined;
}

/** The ids that come with kb-mcp, by kind. */
export type KnownPlugins = Readonly<Record<`${PluginKind}s`, readonly string[]>>;

/** Everything the configuration is made from. */
export interface ConfigSources {
  readonly flags: ConfigFlags;
  /** Usually `process.env`. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly workingDirectory: string;
  readonly knownPlugins: KnownPlugins;
  /** The folder of the user's own `kb-mcp.toml`; default: what the platform prescribes. */
  readonly userConfigDirectory?: string | undefined;
  /** Default: the home directory of the user who runs kb-mcp. */
  readonly homeDirectory?: string | undefined;
}

/** Where a value came from. */
export type Origin = "default" | "file" | "environment" | "flag";

export interface LoadedConfig {
  readonly config: Config;
  /** The file that counted, absolute; absent if there was none. */
  readonly file?: string;
  /** Whether the file may set everything; true without a file. */
  readonly trusted: boolean;
  /** What was left out, and how to have it: one sentence each. */
  readonly warnings: string[];
  /** Where each value came from, by dotted name, options of plugins included ("embedder.threads"). */
  readonly origins: Record<string, Origin>;
}
