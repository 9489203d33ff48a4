import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { environmentName, settings, type SettingKey } from "../../../src/core/config/settings.js";
import { ConfigWorkspace, knownPlugins, refusal } from "./support/config-workspace.js";

let workspace: ConfigWorkspace;
beforeAll(async () => {
  workspace = await ConfigWorkspace.create();
});
afterAll(() => workspace.remove());

describe("the configuration", () => {
  it("has these defaults", async () => {
    const { config, file, trusted, warnings, origins } = await workspace.load({ flags: { kbPath: "notes" } });
    expect(config).toEqual({
      kbPath: path.join(workspace.project, "notes"),
      excludeDirs: [".obsidian", ".git", "node_modules", "target", ".vscode", ".idea"],
      excludeHeadings: [],
      parsers: { enabled: ["md", "txt"], options: {} },
      plugins: { packages: [], folder: workspace.project, key: "KB_MCP_PLUGINS_PACKAGES" },
      embedder: { use: "bundled", options: {} },
      store: { use: "lancedb", options: {} },
      transport: { use: "stdio", options: {} },
      search: {
        minConfidence: 0.5,
        limit: 5,
        mmr: false,
        mmrLambda: 0.7,
        mmrSameDocPenalty: 0,
        parentRetriever: false,
      },
      qualityFilter: { enabled: true, threshold: 0.3 },
      bestPractice: { pathTemplates: [] },
      eval: {},
      index: { maxFileBytes: 50 * 1024 * 1024 },
      mcp: { maxReplyTokens: 16_000 },
      dataDirectory: workspace.data,
      logLevel: "info",
    });
    expect({ file, trusted, warnings }).toEqual({ file: undefined, trusted: true, warnings: [] });
    expect(origins).toMatchObject({ kb_path: "flag", data_dir: "environment", "search.limit": "default" });
    expect(Object.keys(origins).sort()).toEqual(Object.keys(settings).sort());
  });

  it("hands out lists that a caller may change without changing the defaults", async () => {
    const first = await workspace.load({ flags: { kbPath: "notes" } });
    first.config.excludeDirs.push("mine");
    const second = await workspace.load({ flags: { kbPath: "notes" } });
    expect(second.config.excludeDirs).not.toContain("mine");
  });

  it("takes the command line before the environment before the file before the default", async () => {
    const content = 'kb_path = "from-file"\n[transport]\nuse = "http"\n';
    const use = async (
      environment: Record<string, string>,
      flags: Record<string, string>,
    ): Promise<unknown> => {
      const { config, origins } = await workspace.loadTrusted(content, { environment, flags });
      return [config.kbPath, origins["kb_path"], config.transport.use, origins["transport.use"]];
    };
    const from = (...parts: string[]): string => path.join(workspace.root, ...parts);
    expect(await use({}, {})).toEqual([from("trusted/from-file"), "file", "http", "file"]);
    const environment = { KB_MCP_KB_PATH: "from-env", KB_MCP_TRANSPORT_USE: "stdio" };
    expect(await use(environment, {})).toEqual([
      path.join(workspace.project, "from-env"),
      "environment",
      "stdio",
      "environment",
    ]);
    expect(await use(environment, { kbPath: "/from-flag", transport: "http" })).toEqual([
      path.resolve("/from-flag"),
      "flag",
      "http",
      "flag",
    ]);
  });

  it("expands ~/ everywhere, because MCP clients start servers without a shell", async () => {
    const notes = path.join(workspace.home, "notes");
    expect((await workspace.loadTrusted('kb_path = "~/notes"')).config.kbPath).toBe(notes);
    expect((await workspace.load({ flags: { kbPath: "~/notes" } })).config.kbPath).toBe(notes);
    const environment = { KB_MCP_KB_PATH: "~/notes", KB_MCP_DATA_DIR: "~" };
    const error = await refusal(workspace.load({ environment: { ...environment, KB_MCP_KB_PATH: "~" } }));
    expect(error.code).toBe("KB_CONFIG_DATA_DIRECTORY");
    expect((await workspace.load({ environment })).config).toMatchObject({
      kbPath: notes,
      dataDirectory: workspace.home,
    });
    expect((await workspace.loadTrusted('kb_path = "~other/notes"')).config.kbPath).toBe(
      path.join(workspace.root, "trusted", "~other", "notes"),
    );
  });

  it("needs a folder of notes from somewhere", async () => {
    expect((await refusal(workspace.load())).code).toBe("KB_CONFIG_NO_KB_PATH");
    const environment = { KB_MCP_KB_PATH: " " };
    expect((await refusal(workspace.load({ environment }))).code).toBe("KB_CONFIG_NO_KB_PATH");
  });
});

/** A value of each key that differs from its default, as TOML, as an environment variable, and as read. */
const examples: Record<Exclude<SettingKey, "data_dir" | "log">, [string, string, unknown]> = {
  kb_path: ['"/notes"', "/notes", path.resolve("/notes")],
  exclude_dirs: ['["a", "b c"]', "a, b c,", ["a", "b c"]],
  exclude_headings: ['["Notes, private"]', '["Notes, private"]', ["Notes, private"]],
  "plugins.packages": ['["/a.mjs", "~/b"]', "/a.mjs, ~/b", ["/a.mjs", "~/b"]],
  "parsers.enabled": ['["txt"]', "txt", ["txt"]],
  "embedder.use": ['"openai"', "openai", "openai"],
  "store.use": ['"memory"', "memory", "memory"],
  "transport.use": ['"http"', "http", "http"],
  "search.min_confidence": ["0.25", "0.25", 0.25],
  "search.vector_weight": ["1", "1", 1],
  "search.limit": ["100", "100", 100],
  "search.mmr": ["true", "true", true],
  "search.mmr_lambda": ["0.5", "0.5", 0.5],
  "search.mmr_same_doc_penalty": ["0.25", "0.25", 0.25],
  "search.parent_retriever": ["true", "true", true],
  "search.reranker": ['"cross-encoder"', "cross-encoder", "cross-encoder"],
  "quality_filter.enabled": ["false", "false", false],
  "quality_filter.threshold": ["0.0", "0", 0],
  "best_practice.path_templates": ['["a/{target}.md"]', "a/{target}.md", ["a/{target}.md"]],
  "eval.golden": ['"/golden.yml"', "/golden.yml", path.resolve("/golden.yml")],
  "index.max_file_mib": ["1", "1", 1024 * 1024],
  "mcp.max_reply_tokens": ["1_000", "1000", 1000],
};

const read = (config: Awaited<ReturnType<ConfigWorkspace["load"]>>["config"]): Record<string, unknown> => ({
  kb_path: config.kbPath,
  exclude_dirs: config.excludeDirs,
  exclude_headings: config.excludeHeadings,
  "plugins.packages": config.plugins.packages.map(({ name }) => name),
  "parsers.enabled": config.parsers.enabled,
  "embedder.use": config.embedder.use,
  "store.use": config.store.use,
  "transport.use": config.transport.use,
  "search.min_confidence": config.search.minConfidence,
  "search.vector_weight": config.search.vectorWeight,
  "search.limit": config.search.limit,
  "search.mmr": config.search.mmr,
  "search.mmr_lambda": config.search.mmrLambda,
  "search.mmr_same_doc_penalty": config.search.mmrSameDocPenalty,
  "search.parent_retriever": config.search.parentRetriever,
  "search.reranker": config.reranker?.use,
  "quality_filter.enabled": config.qualityFilter.enabled,
  "quality_filter.threshold": config.qualityFilter.threshold,
  "best_practice.path_templates": config.bestPractice.pathTemplates,
  "eval.golden": config.eval.golden,
  "index.max_file_mib": config.index.maxFileBytes,
  "mcp.max_reply_tokens": config.mcp.maxReplyTokens,
});

describe("every key", () => {
  const keys = Object.keys(examples) as (keyof typeof examples)[];

  it("is read from the file, in any subset, order and style", async () => {
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(keys), fc.boolean(), async (subset, dotted) => {
        const top = subset.filter((key) => dotted || !key.includes("."));
        const lines = top.map((key) => `${key} = ${examples[key][0]}`);
        const sections = new Set(subset.filter((key) => !top.includes(key)).map((key) => key.split(".")[0]!));
        for (const section of sections) {
          lines.push(`[${section}]`);
          for (const key of subset.filter((each) => each.startsWith(`${section}.`))) {
            lines.push(`${key.slice(section.length + 1)} = ${examples[key][0]}`);
          }
        }
        const { config, origins } = await workspace.loadTrusted(lines.join("\n"));
        const values = read(config);
        for (const key of keys.filter((each) => each !== "kb_path")) {
          if (subset.includes(key)) expect([key, values[key]]).toEqual([key, examples[key][2]]);
          else expect([key, values[key]]).not.toEqual([key, examples[key][2]]);
          expect([key, origins[key]]).toEqual([key, subset.includes(key) ? "file" : "default"]);
        }
      }),
      { numRuns: 60 },
    );
  });

  it.each(keys)("%s is read from the environment", async (key) => {
    const { config, origins } = await workspace.load({
      environment: { KB_MCP_KB_PATH: "/other", [environmentName(key)]: examples[key][1] },
    });
    expect([read(config)[key], origins[key]]).toEqual([examples[key][2], "environment"]);
  });

  it("has an environment name of its own", () => {
    const names = [
      ...Object.keys(settings).map((key) => environmentName(key as SettingKey)),
      "KB_MCP_CONFIG",
    ];
    expect(new Set(names).size).toBe(names.length);
    expect(environmentName("search.min_confidence")).toBe("KB_MCP_SEARCH_MIN_CONFIDENCE");
  });
});

describe("the environment", () => {
  const load = (environment: Record<string, string>): ReturnType<ConfigWorkspace["load"]> =>
    workspace.load({ environment, flags: { kbPath: "notes" } });

  it("sets the level of the log", async () => {
    expect((await load({ KB_MCP_LOG: "debug" })).config.logLevel).toBe("debug");
    expect((await refusal(load({ KB_MCP_LOG: "loud" }))).message).toBe(
      'environment: KB_MCP_LOG takes one of debug, info, warn, error; got the text "loud"',
    );
  });

  it("may set a list to nothing", async () => {
    expect((await load({ KB_MCP_EXCLUDE_DIRS: "[]" })).config.excludeDirs).toEqual([]);
  });

  it("warns of a variable that means nothing, and names the nearest", async () => {
    const { warnings } = await load({ KB_MCP_SERACH_LIMIT: "5", OTHER: "x", KB_MCP_EMPTY: "" });
    expect(warnings).toEqual([
      'the environment variable "KB_MCP_SERACH_LIMIT" means nothing to kb-mcp and was ignored; ' +
        'the nearest known one is "KB_MCP_SEARCH_LIMIT"',
    ]);
  });

  it.each([
    ["KB_MCP_SEARCH_LIMIT", "0"],
    ["KB_MCP_SEARCH_LIMIT", "5.5"],
    ["KB_MCP_SEARCH_LIMIT", "0x10"],
    ["KB_MCP_SEARCH_LIMIT", "1e1"],
    ["KB_MCP_SEARCH_MIN_CONFIDENCE", "1.01"],
    ["KB_MCP_SEARCH_MIN_CONFIDENCE", "Infinity"],
    ["KB_MCP_QUALITY_FILTER_ENABLED", "yes"],
    ["KB_MCP_EXCLUDE_HEADINGS", "[1]"],
    ["KB_MCP_EXCLUDE_HEADINGS", "[broken"],
    ["KB_MCP_PARSERS_ENABLED", "[]"],
    ["KB_MCP_PLUGINS_PACKAGES", "https://example.com/x.mjs"],
    ["KB_MCP_PLUGINS_PACKAGES", "kb-mcp-parser-org"],
    ["KB_MCP_PLUGINS_PACKAGES", "./parser.mjs"],
    ["KB_MCP_PLUGINS_PACKAGES", "/opt/one.mjs, ../two.mjs"],
  ])("refuses %s=%s by name", async (name, value) => {
    const error = await refusal(load({ [name]: value }));
    expect(error.code).toBe("KB_CONFIG_INVALID_VALUE");
    expect(error.message).toContain(name);
  });

  it("refuses an id that does not exist, and names the nearest and those that exist", async () => {
    const error = await refusal(load({ KB_MCP_STORE_USE: "lanzedb" }));
    expect([error.code, error.message]).toEqual([
      "KB_PLUGIN_UNKNOWN",
      `environment: KB_MCP_STORE_USE: there is no store "lanzedb"; this version has ${knownPlugins.stores.join(", ")}; ` +
        'the nearest known one is "lancedb"',
    ]);
  });
});

describe("options of a plugin", () => {
  it("are passed on as plain data, with their origins", async () => {
    const { config, origins } = await workspace.loadTrusted(`
      [parsers.options.md]
      since = 2024-05-01
      deep = { list = [1, { a.b = true }], "quoted key" = "x" }
      [embedder]
      use = "openai"
      model = "m"
      [store]
      uri = "s3://bucket/kb"
      [transport]
      use = "http"
      [transport.http]
      bind = "0.0.0.0:80"
      [transport.stdio]
      unused = 1
    `);
    expect(config.parsers.options).toEqual({
      md: { since: "2024-05-01", deep: { list: [1, { a: { b: true } }], "quoted key": "x" } },
    });
    expect(config.embedder).toEqual({ use: "openai", options: { model: "m" } });
    expect(config.store).toEqual({ use: "lancedb", options: { uri: "s3://bucket/kb" } });
    expect(config.transport).toEqual({ use: "http", options: { bind: "0.0.0.0:80" } });
    expect(origins).toMatchObject({
      "parsers.options.md.since": "file",
      "embedder.model": "file",
      "store.uri": "file",
      "transport.http.bind": "file",
    });
    expect(structuredClone(config)).toEqual(config);
    expect(JSON.parse(JSON.stringify(config))).toEqual(config);
  });

  it("are left out with a warning when another plugin is in use", async () => {
    const { config, warnings, origins } = await workspace.loadTrusted(
      '[embedder]\nuse = "openai"\nmodel = "m"\n[store]\nuri = "x"\n',
      { environment: { KB_MCP_EMBEDDER_USE: "bundled", KB_MCP_STORE_USE: "memory" } },
    );
    expect([config.embedder, config.store]).toEqual([
      { use: "bundled", options: {} },
      { use: "memory", options: {} },
    ]);
    expect(warnings).toEqual([
      'the options of [embedder] in the file belong to embedder "openai" and were ignored: embedder "bundled" is in use',
      'the options of [store] in the file belong to store "lancedb" and were ignored: store "memory" is in use',
    ]);
    expect(Object.keys(origins)).not.toContain("embedder.model");
  });

  it("survive the way through TOML, whatever they hold", async () => {
    const key = fc
      .string({ unit: "binary", maxLength: 12 })
      .filter((name) => !["__proto__", "use"].includes(name));
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        fc.string({ unit: "binary" }),
        fc.boolean(),
        fc.maxSafeInteger(),
        fc.double({ noNaN: true, noDefaultInfinity: true }).filter((n) => !Object.is(n, -0)),
        fc.array(tie("value"), { maxLength: 3 }),
        fc.dictionary(key, tie("value"), { maxKeys: 3, noNullPrototype: true }),
      ),
    }));
    await fc.assert(
      fc.asyncProperty(fc.dictionary(key, value, { maxKeys: 5, noNullPrototype: true }), async (options) => {
        const { config } = await workspace.loadTrusted(`[embedder]\n${toTomlLines(options).join("\n")}`);
        expect(config.embedder.options).toEqual(options);
      }),
      { numRuns: 150 },
    );
  });
});

const toTomlLines = (table: object): string[] =>
  Object.entries(table).map(([name, value]) => `${toToml(name)} = ${toToml(value)}`);

function toToml(value: unknown): string {
  if (typeof value === "string") {
    // TOML knows JSON's escapes and asks for one more.
    return JSON.stringify(value).replaceAll("\u007f", "\\u007f");
  }
  if (typeof value === "number") {
    return Number.isInteger(value) && !Number.isSafeInteger(value) ? `${BigInt(value)}.0` : String(value);
  }
  if (Array.isArray(value)) return `[${value.map(toToml).join(", ")}]`;
  if (typeof value === "object" && value !== null) return `{ ${toTomlLines(value).join(", ")} }`;
  return String(value);
}
