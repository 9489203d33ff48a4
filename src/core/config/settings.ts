// The one table of what can be configured: key, type, default, meaning, and what an untrusted file may do with
// it. Types, validation, environment names and docs/configuration.md derive from it. Holds no logic of its own.
import { limits } from "../limits.js";
import type { LogLevel } from "../logger.js";
import type { OptionsTable, Setting, ValueOf } from "./setting.js";

const logLevels = ["debug", "info", "warn", "error"] as const satisfies readonly LogLevel[];

/** Every key with a fixed name, by its dotted name in `kb-mcp.toml`. */
export const settings = {
  kb_path: {
    type: "path",
    description: "The folder of notes.",
    untrusted: "confined",
    flag: "--kb-path",
  },
  exclude_dirs: {
    type: "list",
    entries: "folder names",
    default: [".obsidian", ".git", "node_modules", "target", ".vscode", ".idea"],
    description: "Folders with one of these names, at any depth, are not indexed. Replaces the default list.",
    untrusted: "allowed",
  },
  exclude_headings: {
    type: "list",
    entries: "headings",
    default: [],
    description: "Sections under one of these headings are not indexed.",
    untrusted: "allowed",
  },
  "plugins.packages": {
    type: "list",
    entries: "packages",
    default: [],
    description: "Third-party plugins: names of npm packages, and paths that begin with `./`.",
    untrusted: "ignored",
    risk: "load code",
  },
  "parsers.enabled": {
    type: "ids",
    of: "parser",
    default: ["md", "txt"],
    description: "The parsers in use; files of other kinds are neither indexed nor read.",
    untrusted: "known-ids",
  },
  "embedder.use": {
    type: "id",
    of: "embedder",
    default: "bundled",
    description: "What turns text into vectors.",
    // Every other embedder may send the notes to a server or fetch a model from one.
    untrusted: { only: ["bundled"] },
  },
  "store.use": {
    type: "id",
    of: "store",
    default: "lancedb",
    description: "What keeps the index.",
    untrusted: "ignored",
    risk: "choose where your index is kept",
  },
  "transport.use": {
    type: "id",
    of: "transport",
    default: "stdio",
    description: "How MCP clients reach the server.",
    untrusted: "known-ids",
    flag: "--transport",
  },
  "search.min_confidence": {
    type: "number",
    min: 0,
    max: 1,
    default: 0.5,
    description: "A reply with less confidence than this says that it has low confidence.",
    untrusted: "allowed",
  },
  "search.vector_weight": {
    type: "number",
    min: 0,
    max: 1,
    description: "Share of the search by meaning in the score; the rest is the search by words.",
    untrusted: "allowed",
  },
  "search.limit": {
    type: "integer",
    min: 1,
    max: limits.searchLimitMax,
    default: limits.searchLimitDefault,
    description: "Hits a search returns when none is asked for.",
    untrusted: "allowed",
  },
  "search.mmr": {
    type: "boolean",
    default: false,
    description: "Whether hits are chosen for variety: one that repeats a better one comes later.",
    untrusted: "allowed",
  },
  "search.mmr_lambda": {
    type: "number",
    min: 0,
    max: 1,
    default: 0.7,
    description: "How much the score counts against variety: 1 is the order by score.",
    untrusted: "allowed",
  },
  "search.mmr_same_doc_penalty": {
    type: "number",
    min: 0,
    max: 1,
    default: 0,
    description: "How much more alike hits of one document count when hits are chosen for variety.",
    untrusted: "allowed",
  },
  "search.parent_retriever": {
    type: "boolean",
    default: false,
    description: "Whether hits grow to the section they stand in, as far as the reply has room.",
    untrusted: "allowed",
  },
  "search.reranker": {
    type: "id",
    of: "reranker",
    description: "What puts the best hits in a better order.",
    // A reranker is given passages of the notes, which it may send to a server.
    untrusted: { only: [] },
  },
  "quality_filter.enabled": {
    type: "boolean",
    default: true,
    description: "Whether near-empty and placeholder passages are hidden unless asked for.",
    untrusted: "allowed",
  },
  "quality_filter.threshold": {
    type: "number",
    min: 0,
    max: 1,
    default: 0.3,
    description: "Passages of a lower quality than this are hidden.",
    untrusted: "allowed",
  },
  "best_practice.path_templates": {
    type: "list",
    entries: "path templates",
    default: [],
    description:
      "Where `get_best_practice` looks, in this order; `{target}` stands for what it is asked for.",
    untrusted: "allowed",
  },
  "eval.golden": {
    type: "path",
    of: "file",
    description: "The golden file of `kb-mcp eval`: questions, and where their answers are.",
    untrusted: "allowed",
    flag: "--golden",
  },
  "index.max_file_mib": {
    type: "integer",
    min: 1,
    // A file is decoded to one string, and Node's strings end just below 512 MiB.
    max: 500,
    default: limits.indexFileBytes / (1024 * 1024),
    description: "Size in MiB above which a file is not indexed.",
    untrusted: "allowed",
  },
  "mcp.max_reply_tokens": {
    type: "integer",
    min: 1000,
    max: 1_000_000,
    default: 16_000,
    description: "Estimated tokens that one reply holds at most; clients cut off at about 25,000.",
    untrusted: "allowed",
  },
  data_dir: {
    type: "path",
    description: "Where indexes are kept, each in a folder of its own; never inside the folder of notes.",
    untrusted: "ignored",
    environmentOnly: true,
  },
  log: {
    type: "choice",
    choices: logLevels,
    default: "info",
    description: "The least important messages that are written to stderr.",
    untrusted: "ignored",
    environmentOnly: true,
  },
} as const satisfies Readonly<Record<string, Setting>>;

export type SettingKey = keyof typeof settings;

/** Every options table, by its name in `kb-mcp.toml`; `<id>` stands for a plugin's id. */
export const optionsTables = {
  "parsers.options.<id>": {
    of: "parser",
    description: "Options of one parser.",
    untrusted: "allowed",
  },
  embedder: {
    of: "embedder",
    description: "Options of the embedder in use, next to `use`.",
    untrusted: { only: ["threads"] },
    risk: "say where your notes are sent or a model comes from",
  },
  store: {
    of: "store",
    description: "Options of the store in use, next to `use`.",
    untrusted: "ignored",
    risk: "choose where your index is kept",
  },
  "reranker.<id>": {
    of: "reranker",
    description: "Options of one reranker; they count while it is in use.",
    untrusted: "ignored",
    risk: "say where your notes are sent or a model comes from",
  },
  "transport.<id>": {
    of: "transport",
    description: "Options of one transport; they count while it is in use.",
    untrusted: { only: ["bind"] },
    risk: "open kb-mcp to other machines",
  },
} as const satisfies Readonly<Record<string, OptionsTable>>;

/** The value of every key, as checked; undefined where nothing sets it and it has no default. */
export type SettingValues = {
  [Key in SettingKey]:
    | ValueOf<(typeof settings)[Key]>
    | ((typeof settings)[Key] extends { default: unknown } ? never : undefined);
};

/** The entry of a key, or undefined if there is no such key. */
export function findSetting(key: string): Setting | undefined {
  return Object.hasOwn(settings, key) ? settings[key as SettingKey] : undefined;
}

/** All keys, in the order of the table. */
export const settingKeys = Object.keys(settings) as readonly SettingKey[];

/** The environment variable that sets a key: `search.limit` is `KB_MCP_SEARCH_LIMIT`. */
export function environmentName(key: SettingKey): string {
  return `KB_MCP_${key.toUpperCase().replaceAll(".", "_")}`;
}
