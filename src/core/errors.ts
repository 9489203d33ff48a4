// The one table of error codes, and the one error class. A code is never used for two things, and a
// retired code is never used again. docs/errors.md is compared with this table by a test.

/**
 * Who is shown an error in full. Everybody else learns only that something internal went wrong, and the log
 * has the rest.
 *
 * - `startup`: the person at the command line, while kb-mcp starts or a command runs
 * - `file`: the indexing summary; the file is skipped and the run goes on
 * - `caller`: whoever called a tool, a resource or a command
 * - `nobody`: the log only
 */
export type ErrorAudience = "startup" | "file" | "caller" | "nobody";

interface ErrorEntry {
  readonly audience: ErrorAudience;
  /** One thing to do about it. */
  readonly hint: string;
}

const errorTable = {
  // Configuration and command line
  KB_CONFIG_NOT_FOUND: {
    audience: "startup",
    hint: "Check the path given with --config, or leave --config out to use the file kb-mcp discovers.",
  },
  KB_CONFIG_UNREADABLE: { audience: "startup", hint: "Check the permissions of the configuration file." },
  KB_CONFIG_SYNTAX: { audience: "startup", hint: "Correct the TOML at the line named above." },
  KB_CONFIG_UNKNOWN_KEY: {
    audience: "startup",
    hint: "Correct or remove the key; docs/configuration.md lists every key.",
  },
  KB_CONFIG_INVALID_VALUE: {
    audience: "startup",
    hint: "Correct the value; docs/configuration.md lists what each key takes.",
  },
  KB_CONFIG_NO_KB_PATH: {
    audience: "startup",
    hint: 'Name the folder of your notes: --kb-path ./notes, KB_MCP_KB_PATH, or kb_path = "./notes" in kb-mcp.toml.',
  },
  KB_CONFIG_KB_PATH: {
    audience: "startup",
    hint: "Give the path of an existing folder that you may read.",
  },
  KB_CONFIG_DATA_DIRECTORY: {
    audience: "startup",
    hint: "Set KB_MCP_DATA_DIR to a writable folder outside the knowledge base.",
  },
  KB_CLI_USAGE: { audience: "startup", hint: "Run kb-mcp --help for the commands and flags." },

  // Plugins
  KB_PLUGIN_UNKNOWN: { audience: "startup", hint: "Use one of the ids named above in kb-mcp.toml." },
  KB_PLUGIN_NOT_FOUND: {
    audience: "startup",
    hint: "Install the package in the folder of kb-mcp.toml (npm install <name>), or correct its name or path.",
  },
  KB_PLUGIN_LOAD: {
    audience: "startup",
    hint: "Check that the package is installed, with all that it depends on, and runs on this version of Node.",
  },
  KB_PLUGIN_INVALID: {
    audience: "startup",
    hint: "A plugin module must export a plugin as its default export: docs/write-a-parser.md shows one.",
  },
  KB_PLUGIN_API_VERSION: {
    audience: "startup",
    hint: "Install a version of the plugin made for this version of kb-mcp.",
  },
  KB_PLUGIN_DUPLICATE_ID: {
    audience: "startup",
    hint: "Remove one of the two plugins, or give yours another id.",
  },
  KB_PLUGIN_DUPLICATE_EXTENSION: {
    audience: "startup",
    hint: "Enable only one of the two parsers in [parsers].enabled.",
  },
  KB_PLUGIN_OPTIONS: { audience: "startup", hint: "Correct the plugin's options in kb-mcp.toml." },
  KB_PLUGIN_SAMPLE: {
    audience: "startup",
    hint: "Report this to the author of the plugin, and take the package out of [plugins].packages until it is mended.",
  },
  KB_PLUGIN_CREATE: {
    audience: "startup",
    hint: "Correct the plugin's options in kb-mcp.toml, or report this to the author of the plugin.",
  },

  // Reading documents
  KB_READ_PATH: {
    audience: "caller",
    hint: "Use a path relative to the knowledge base as search results show it, for example guide/setup.md.",
  },
  KB_READ_OUTSIDE: { audience: "caller", hint: "Only files inside the knowledge base can be read." },
  KB_READ_LINK: {
    audience: "caller",
    hint: "Links are never followed; put a real copy of the file in the knowledge base.",
  },
  KB_READ_TYPE: { audience: "caller", hint: "Only regular files can be read." },
  KB_READ_EXTENSION: {
    audience: "caller",
    hint: "Enable a parser for this kind of file in [parsers].enabled.",
  },
  KB_READ_TOO_LARGE: {
    audience: "caller",
    hint: "Split the file, or find the passage with search, which covers the whole of it.",
  },
  KB_READ_NOT_FOUND: {
    audience: "caller",
    hint: "Search again for the current path; the file may have been moved or deleted.",
  },
  KB_READ_NO_FILES: {
    audience: "caller",
    hint: "The folder is probably unmounted or moved: check it, then index again. If it was emptied on purpose, empty the index: kb-mcp index --force, or rebuild_index with force set to true.",
  },
  KB_READ_DENIED: { audience: "caller", hint: "Check the permissions of the file." },
  KB_READ_CHANGED: { audience: "caller", hint: "The file was being changed; try again." },
  KB_READ_FAILED: { audience: "caller", hint: "Try again; if it stays, check the disk." },
  KB_READ_ROOT: {
    audience: "caller",
    hint: "Check that the folder exists and that the disk or network drive that holds it is connected.",
  },
  KB_READ_RANGE: {
    audience: "caller",
    hint: "Lines are counted from 1; start_line must not be after end_line or the end of the document.",
  },
  KB_READ_NOT_SERVABLE: {
    audience: "caller",
    hint: "List the resources for what is on offer, or read the file with get_document.",
  },
  KB_READ_URI: { audience: "caller", hint: "Use a URI of the form kb://doc/<path> or kb://topic/<prefix>." },

  // Best practices
  KB_PRACTICE_NOT_CONFIGURED: {
    audience: "caller",
    hint: 'Set path_templates under [best_practice] in kb-mcp.toml, for example ["best-practices/{target}/PERFECT.md"]; until then, use search.',
  },
  KB_PRACTICE_TARGET: {
    audience: "caller",
    hint: "Give the name alone, as it stands in the paths, for example react.",
  },
  KB_PRACTICE_NOT_FOUND: { audience: "caller", hint: "Use search to find what the documents say instead." },
  KB_PRACTICE_CATEGORY: { audience: "caller", hint: "Use the heading of one of its sections of level 2." },

  // Parsing
  KB_PARSE_FAILED: { audience: "file", hint: "Check that the file is what its extension says." },
  KB_PARSE_TIMEOUT: { audience: "file", hint: "Split the file into smaller ones." },
  KB_PARSE_MEMORY: { audience: "file", hint: "Split the file into smaller ones." },
  KB_PARSE_ENCODING: { audience: "file", hint: "Save the file as UTF-8." },
  KB_PARSE_RESULT: { audience: "file", hint: "Report this to the author of the parser." },

  // Embedding
  KB_EMBED_FAILED: {
    audience: "caller",
    hint: "Run kb-mcp index again; if it stays, check [embedder] in kb-mcp.toml.",
  },
  KB_EMBED_SERVER: {
    audience: "caller",
    hint: "Check that the server runs and that base_url under [embedder] in kb-mcp.toml is its address.",
  },
  KB_EMBED_KEY: {
    audience: "caller",
    hint: "Put the key into the environment variable that api_key_env under [embedder] in kb-mcp.toml names.",
  },
  KB_EMBED_DIMENSIONS: {
    audience: "caller",
    hint: "Set dimensions under [embedder] in kb-mcp.toml to what the model answers, then build the index anew: kb-mcp index --force.",
  },
  KB_RERANK_FAILED: {
    audience: "caller",
    hint: "Try again; if it stays, check the reranker's table in kb-mcp.toml, or leave it out: search.reranker.",
  },
  KB_EMBED_TIMEOUT: {
    audience: "caller",
    hint: "Ask again in a minute: a model that was still being loaded is then ready. If it stays, check [embedder] in kb-mcp.toml.",
  },

  // Models on this machine
  KB_MODEL_LIBRARY: {
    audience: "caller",
    hint: "Install it next to kb-mcp: npm install @xenova/transformers (with -g where kb-mcp is installed with -g).",
  },
  KB_MODEL_MISSING: {
    audience: "caller",
    hint: "Connect to the network and run kb-mcp models pull; or name a folder that holds the model as model in kb-mcp.toml; or use the bundled embedder.",
  },
  KB_MODEL_DOWNLOAD: {
    audience: "caller",
    hint: "Run kb-mcp models pull again: it goes on where it stopped.",
  },
  KB_MODEL_INVALID: {
    audience: "caller",
    hint: "Run kb-mcp models verify, then kb-mcp models pull, which fetches again what is damaged.",
  },
  KB_MODEL_UNKNOWN: {
    audience: "caller",
    hint: "Check the id and the revision of the model; ids look like Xenova/multilingual-e5-small.",
  },

  // The store and the index
  KB_STORE_FAILED: {
    audience: "caller",
    hint: "Run kb-mcp index again; kb-mcp index --force builds the index anew.",
  },
  KB_STORE_CORRUPT: { audience: "caller", hint: "Build the index anew: kb-mcp index --force." },
  KB_STORE_BUSY: {
    audience: "caller",
    hint: "Wait for the other process to finish, or stop it, and try again.",
  },
  KB_STORE_MISMATCH: { audience: "caller", hint: "Build the index anew: kb-mcp index --force." },
  KB_STORE_EMPTY: { audience: "caller", hint: "Build the index first: kb-mcp index." },

  // Search
  KB_SEARCH_QUERY: { audience: "caller", hint: 'Ask with at least one word, for example "backup schedule".' },
  KB_SEARCH_FILTER: { audience: "caller", hint: "Correct the filter named above." },

  // The connection graph
  KB_GRAPH_START: {
    audience: "caller",
    hint: "Give the path of an indexed document as search shows it, for example guide/setup.md.",
  },
  KB_GRAPH_OPTION: { audience: "caller", hint: "Correct the setting named above; docs/graph.md lists them." },

  // Evaluation
  KB_EVAL_NO_GOLDEN: {
    audience: "startup",
    hint: 'Name it: --golden golden.yml, or golden = "golden.yml" under [eval] in kb-mcp.toml; docs/eval.md shows one.',
  },
  KB_EVAL_UNREADABLE: {
    audience: "startup",
    hint: "Check the path given with --golden or under [eval] in kb-mcp.toml.",
  },
  KB_EVAL_GOLDEN: { audience: "startup", hint: "Correct the golden file; docs/eval.md describes its form." },

  // Arguments of tools
  KB_TOOL_ARGUMENT: { audience: "caller", hint: "Correct the argument named above." },
  KB_TOOL_UNKNOWN: { audience: "caller", hint: "Use one of the tools that tools/list returns." },

  // Requests of the protocol
  KB_PROMPT_UNKNOWN: { audience: "caller", hint: "Use one of the prompts that prompts/list returns." },
  KB_PROMPT_ARGUMENT: { audience: "caller", hint: "Correct the argument named above." },
  KB_REQUEST_METHOD: { audience: "caller", hint: "Use the methods that the server's capabilities announce." },
  KB_REQUEST_INVALID: { audience: "caller", hint: "Correct what is named above." },

  KB_CANCELLED: { audience: "caller", hint: "Run it again; what is stored by now is not done twice." },
  KB_INTERNAL: {
    audience: "nobody",
    hint: "This is a defect in kb-mcp; the log on stderr has the details.",
  },
} satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof errorTable;

/** Every code with its audience and hint, for the documentation test. */
export const errorCodes: Readonly<Record<ErrorCode, ErrorEntry>> = errorTable;

/**
 * The error that kb-mcp and its plugins throw: a stable code, a message that says what happened and where, and
 * a hint that says what to do next. The message never holds an absolute path of the machine when the audience is
 * a caller.
 */
export class KbError extends Error {
  override readonly name = "KbError";
  readonly hint: string;

  /**
   * @param code a code of the table
   * @param message what happened and where, one sentence without a full stop at its end
   * @param options `cause`, and a `hint` that replaces the table's own where a better one is known
   */
  constructor(
    readonly code: ErrorCode,
    message: string,
    options: { readonly cause?: unknown; readonly hint?: string } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.hint = options.hint ?? errorTable[code].hint;
  }
}

/**
 * Whether a value is a KbError. Matched by shape, not by class: a third-party package may carry its own copy of
 * kb-mcp, and errors cross threads.
 */
export function isKbError(value: unknown): value is KbError {
  return (
    typeof value === "object" &&
    value !== null &&
    "code" in value &&
    typeof value.code === "string" &&
    Object.hasOwn(errorTable, value.code) &&
    "message" in value
  );
}

/** Whether a caller may read the message of an error: it is one for callers, or one about a single file. */
export function mayBeShown(error: unknown): error is KbError {
  return isKbError(error) && ["caller", "file"].includes(errorTable[error.code].audience);
}
