// Every limit, once, with its reason. docs/limits.md is compared with this file by a test.

const KiB = 1024;
const MiB = 1024 * KiB;

export const limits = {
  /** Bytes of text one read returns: more does not fit any client's context. */
  readTextBytes: 1 * MiB,
  /** Bytes of a file at index time, text or binary; `[index].max_file_mib` changes it. */
  indexFileBytes: 50 * MiB,
  /** Bytes of a document path; Linux's PATH_MAX. */
  pathBytes: 4096,
  /** Milliseconds one file may take to parse, and again each part of its chunks. */
  parseMilliseconds: 30_000,
  /** MiB of heap a parse process may use. */
  parseHeapMiB: 512,
  /** Milliseconds in which a third-party package must load and show that its parsers work. */
  pluginMilliseconds: 15_000,
  /** Bytes of a search query. */
  queryBytes: 1 * KiB,
  /** Entries in one list filter. */
  filterEntries: 64,
  /** Bytes of one entry of a list filter. */
  filterEntryBytes: 1 * KiB,
  /** Hits a search returns when none is asked for. */
  searchLimitDefault: 5,
  /** Hits a search returns at most. */
  searchLimitMax: 100,
  /** Steps of a connection graph away from its start when none are asked for. */
  graphDepthDefault: 2,
  /** Steps of a connection graph at most: further away everything is connected with everything. */
  graphDepthMax: 3,
  /** Neighbours of one node of a connection graph when none are asked for. */
  graphFanOutDefault: 5,
  /** Neighbours of one node of a connection graph at most. */
  graphFanOutMax: 20,
  /** Nodes of a connection graph when none are asked for, the start counted: about what one reply holds. */
  graphNodesDefault: 100,
  /** Nodes of a connection graph at most: each takes a search or two. */
  graphNodesMax: 2000,
  /** Passages of its start that a connection graph follows when none are asked for. */
  graphSeedsDefault: 32,
  /** Passages of its start that a connection graph follows at most: each takes a search or two. */
  graphSeedsMax: 1000,
  /** Bytes of `.kb-mcpignore`. */
  ignoreFileBytes: 64 * KiB,
  /** Patterns of `.kb-mcpignore` that count. */
  ignorePatterns: 1000,
  /** Double asterisks before a slash in one ignore pattern: the matcher's work is the path's depth to this power. */
  ignoreGlobstars: 2,
  /** Directories above an indexed file; what lies deeper is excluded. Bounds the matcher's work. */
  directoryDepth: 64,
  /** Bytes of a configuration file: over a thousand lines, and no more than half a second of parsing at worst. */
  configFileBytes: 64 * KiB,
  /** Tables and lists inside one another in a plugin's options: more than any hand-written file needs. */
  configDepth: 16,
  /** Bytes of a frontmatter block: metadata, not a place for data. */
  frontmatterBytes: 64 * KiB,
  /** YAML aliases a frontmatter may resolve: enough for any hand-written one, too few for an alias bomb. */
  frontmatterAliases: 100,
  /** Directories above the working directory that are searched for a `.git`. */
  configAncestors: 20,
  /** Bytes of an argument of a prompt: a question, not a document. */
  promptArgumentBytes: 4 * KiB,
  /** Bytes of the target of a best practice; the longest name a file can have. */
  practiceTargetBytes: 255,
  /** Resources one session may subscribe to. */
  subscriptions: 10_000,
  /** Spans marked in one hit. */
  matchSpans: 100,
  /** Bytes of a golden file: thousands of questions. */
  goldenFileBytes: 1 * MiB,
  /** Questions of a golden file. */
  goldenQueries: 5000,
  /** YAML aliases a golden file may resolve: enough for any hand-written one, too few for an alias bomb. */
  goldenAliases: 100,
  /** Runs that the history of evaluations keeps for a knowledge base. */
  evalHistoryRuns: 200,
} as const;
