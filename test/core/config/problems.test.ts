import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { ConfigWorkspace, knownPlugins, refusal } from "./support/config-workspace.js";

let workspace: ConfigWorkspace;
let file: string;
beforeAll(async () => {
  workspace = await ConfigWorkspace.create();
  file = path.join(workspace.root, "trusted", "kb-mcp.toml");
});
afterAll(() => workspace.remove());

const problem = async (content: string): Promise<[string, string]> => {
  const { code, message } = await refusal(workspace.loadTrusted(content));
  return [code, message.replaceAll(file, "FILE")];
};

describe("an unknown key", () => {
  it.each([
    ["[search]\nlimt = 3", "FILE:2: unknown key search.limt", "search.limit"],
    ["\n\nexclude_dir = []", "FILE:3: unknown key exclude_dir", "exclude_dirs"],
    ["[serach]\nlimit = 3\nmin_confidence = 1", "FILE:1: unknown key serach", "search"],
    ["min_confidence = 0.3", "FILE:1: unknown key min_confidence", "search.min_confidence"],
    ["search.Limit = 3", "FILE:1: unknown key search.Limit", "search.limit"],
    ["search = { limits = 3 }", "FILE:1: unknown key search.limits", "search.limit"],
    ["[parsers]\nenable = ['md']", "FILE:2: unknown key parsers.enable", "parsers.enabled"],
    ["[mcp.more]\nmax_reply_tokens = 1", "FILE:1: unknown key mcp.more", "mcp.max_reply_tokens"],
    ['"search.limit" = 3', 'FILE:1: unknown key "search.limit"', "search.limit"],
    ["[search]\n__proto__ = 1", "FILE:2: unknown key search.__proto__", undefined],
    ["[search]\nthreshold = 1", "FILE:2: unknown key search.threshold", "quality_filter.threshold"],
    ["constructor = 1", "FILE:1: unknown key constructor", undefined],
  ])("is refused with its line and the nearest known one: %j", async (content, start, nearest) => {
    const [code, message] = await problem(content);
    expect(code).toBe("KB_CONFIG_UNKNOWN_KEY");
    expect(message.split("; the nearest known one is ")[0]).toBe(start);
    expect(message).toMatch(/; the nearest known one is "[a-z_.]+"$/);
    if (nearest !== undefined) expect(message).toContain(`"${nearest}"`);
  });
});

describe("a key that only the environment sets", () => {
  it("is refused in a file, with the name of the variable", async () => {
    expect(await problem('data_dir = "/x"')).toEqual([
      "KB_CONFIG_UNKNOWN_KEY",
      "FILE:1: unknown key data_dir: only the environment sets it, as KB_MCP_DATA_DIR",
    ]);
    expect((await problem('log = "debug"'))[1]).toContain("KB_MCP_LOG");
  });
});

describe("a wrong value", () => {
  it.each([
    ['[search]\nlimit = "5"', 'FILE:2: search.limit takes a whole number from 1 to 100; got the text "5"'],
    ["[search]\nlimit = 0", "FILE:2: search.limit takes a whole number from 1 to 100; got 0"],
    ["[search]\nlimit = 101", "FILE:2: search.limit takes a whole number from 1 to 100; got 101"],
    ["[search]\nlimit = 2.5", "FILE:2: search.limit takes a whole number from 1 to 100; got 2.5"],
    [
      "[search]\nlimit = 99999999999999999999",
      "FILE:2: search.limit takes a whole number from 1 to 100; got the whole number 99999999999999999999",
    ],
    ["[search]\nmin_confidence = nan", "FILE:2: search.min_confidence takes a number from 0 to 1; got NaN"],
    [
      "[search]\nmin_confidence = -inf",
      "FILE:2: search.min_confidence takes a number from 0 to 1; got -Infinity",
    ],
    ["[search]\nvector_weight = 1.5", "FILE:2: search.vector_weight takes a number from 0 to 1; got 1.5"],
    ["quality_filter.enabled = 1", "FILE:1: quality_filter.enabled takes true or false; got 1"],
    [
      "[mcp]\nmax_reply_tokens = 2026-01-01",
      "FILE:2: mcp.max_reply_tokens takes a whole number from 1000 to 1000000; got the date 2026-01-01",
    ],
    ["kb_path = 1979-05-27", "FILE:1: kb_path takes the path of a folder; got the date 1979-05-27"],
    ['kb_path = ""', 'FILE:1: kb_path takes the path of a folder; got the text ""'],
    ['kb_path = ["a"]', "FILE:1: kb_path takes the path of a folder; got a list"],
    ['exclude_dirs = "target"', 'FILE:1: exclude_dirs takes a list of folder names; got the text "target"'],
    ["exclude_dirs = [\n 'a',\n 3]", "FILE:1: exclude_dirs takes a list of folder names; got 3 as entry 2"],
    ["exclude_dirs = ['a/b']", 'FILE:1: exclude_dirs takes names of folders, not paths; got "a/b"'],
    [
      "exclude_headings = ['']",
      'FILE:1: exclude_headings takes a list of headings; got the text "" as entry 1',
    ],
    ["parsers.enabled = []", "FILE:1: parsers.enabled needs at least one id of parsers"],
    ["search = 3", "FILE:1: search is a table, written [search]; got 3"],
    ["[[search]]\nlimit = 3", "FILE:1: search is a table, written [search]; got a list"],
    ["[transport]\nhttp = true", "FILE:2: transport.http is a table, written [transport.http]; got true"],
    ["[embedder]\nn = inf", "FILE:2: embedder.n takes a finite number; got Infinity"],
    [
      "[embedder]\nn = 9007199254740993",
      "FILE:2: embedder.n takes whole numbers up to 2^53; got the whole number 9007199254740993",
    ],
    [
      "[embedder]\nx = { __proto__ = 1 }",
      "FILE:2: embedder.x.__proto__ is not a name that an option can have",
    ],
    [
      '[plugins]\npackages = ["kb-mcp-parser-org", "https://example.com/plugin.mjs"]',
      'FILE:2: plugins.packages takes names of npm packages, and paths that begin with "./", "../", "~/" or "/"; got "https://example.com/plugin.mjs"',
    ],
  ])("is refused with what it got and what it takes: %j", async (content, message) => {
    expect(await problem(content)).toEqual(["KB_CONFIG_INVALID_VALUE", message]);
  });

  it("says how to write a Windows path when a backslash became something else", async () => {
    for (const content of ['kb_path = "C:\\notes"', 'kb_path = "C:\\Users\\me"']) {
      expect((await refusal(workspace.loadTrusted(content))).hint).toContain("single quotes");
    }
  });

  it("says where paths belong when exclude_dirs holds one", async () => {
    for (const refused of [
      () => workspace.loadTrusted('exclude_dirs = ["archive", "old/drafts"]'),
      () =>
        workspace.load({ flags: { kbPath: "x" }, environment: { KB_MCP_EXCLUDE_DIRS: "archive, drafts/" } }),
    ]) {
      const { code, message, hint } = await refusal(refused());
      expect([code, message]).toEqual([
        "KB_CONFIG_INVALID_VALUE",
        expect.stringMatching(
          /(?:kb-mcp\.toml:1: exclude_dirs|environment: KB_MCP_EXCLUDE_DIRS) takes names of folders, not paths; got "/u,
        ),
      ]);
      expect(hint).toContain(".kb-mcpignore");
    }
  });

  it("shows nothing of a hostile file that a terminal would act on, and nothing long", async () => {
    const hostile = `"\\u001b[2J\\u202e\\u009b" = 1\nkb_path = ["${"x".repeat(5000)}"]\nexclude_dirs = "\\u001b]0;\\u0007${"y".repeat(5000)}"\n"${"k".repeat(5000)}" = 1`;
    const [, message] = await problem(hostile);
    expect(message).not.toMatch(/(?!\n)[\p{C}]/u);
    expect(message.length).toBeLessThan(800);
  });
});

describe("a list of packages", () => {
  it("may be empty", async () => {
    expect((await workspace.loadTrusted("[plugins]\npackages = []")).warnings).toEqual([]);
  });

  it.each([
    "kb-mcp-parser-org",
    "@scope/parser",
    "pkg/entry.mjs",
    "./a b.mjs",
    "../x",
    "~/x.mjs",
    "/x",
    "C:\\x",
  ])("takes names and paths: %s", async (name) => {
    const { config } = await workspace.loadTrusted(`[plugins]\npackages = ['${name}']`);
    expect(config.plugins.packages.map((named) => named.name)).toEqual([name]);
  });

  it.each([
    "file:///x.mjs",
    "data:text/javascript,1",
    "node:fs",
    "@scope",
    "a//b",
    "a b",
    "..",
    "a/../../b.mjs",
    ".",
  ])("takes nothing else: %s", async (name) => {
    expect((await problem(`[plugins]\npackages = ['${name}']`))[0]).toBe("KB_CONFIG_INVALID_VALUE");
  });

  it("has absolute paths, and names without one", async () => {
    const { config } = await workspace.loadTrusted('[plugins]\npackages = ["./a.mjs", "~/b.mjs", "c"]');
    const folder = path.join(workspace.root, "trusted");
    expect(config.plugins).toMatchObject({
      packages: [
        { name: "./a.mjs", path: path.join(folder, "a.mjs") },
        { name: "~/b.mjs", path: path.join(workspace.home, "b.mjs") },
        { name: "c" },
      ],
      folder,
    });
  });

  it("lets the environment and the command line name what the packages of the file offer", async () => {
    const { config } = await workspace.loadTrusted('[plugins]\npackages = ["x"]', {
      environment: { KB_MCP_EMBEDDER_USE: "far-away" },
      flags: { transport: "socket" },
    });
    expect([config.embedder.use, config.transport.use]).toEqual(["far-away", "socket"]);
  });

  it("leaves ids open, which only the packages know", async () => {
    const file =
      '[plugins]\npackages = ["x"]\n[parsers]\nenabled = ["org"]\n[parsers.options.org]\ndeep = true\n[store]\nuse = "shelf"';
    const { config } = await workspace.loadTrusted(file);
    expect([config.parsers, config.store.use]).toEqual([
      { enabled: ["org"], options: { org: { deep: true } } },
      "shelf",
    ]);
  });
});

describe("an id that does not exist", () => {
  it.each([
    ['[embedder]\nuse = "bundeld"', 'embedder.use: there is no embedder "bundeld"', '"bundled"'],
    ['[parsers]\nenabled = ["md", "text"]', 'parsers.enabled: there is no parser "text"', '"txt"'],
    ["[transport.htpp]", 'transport.htpp: there is no transport "htpp"', '"http"'],
    ["[parsers.options.pdf]", 'parsers.options.pdf: there is no parser "pdf"', '"md"'],
  ])("is refused with those that exist: %j", async (content, start, nearest) => {
    const [code, message] = await problem(content);
    expect(code).toBe("KB_PLUGIN_UNKNOWN");
    expect(message).toContain(start);
    expect(message).toContain(`the nearest known one is ${nearest}`);
  });

  it("is refused plainly where this version has none of the kind", async () => {
    const { code, message, hint } = await refusal(
      workspace.loadTrusted('[search]\nreranker = "cross"', {
        knownPlugins: { ...knownPlugins, rerankers: [] },
      }),
    );
    expect([code, message.replaceAll(file, "FILE"), hint]).toEqual([
      "KB_PLUGIN_UNKNOWN",
      'FILE:2: search.reranker: there is no reranker "cross"; this version has none',
      "Leave the setting out.",
    ]);
  });

  it("is refused on the command line too", async () => {
    const { code, message } = await refusal(workspace.load({ flags: { kbPath: "x", transport: "htp" } }));
    expect(code).toBe("KB_PLUGIN_UNKNOWN");
    expect(message).toMatch(/^command line: --transport: there is no transport "htp"/);
  });
});

describe("broken TOML", () => {
  it.each([
    ["kb_path = ", "FILE:1:11"],
    ["a = 1\nb = = 2", "FILE:2:5"],
    ["[search]\nlimit = 1\nlimit = 2", "FILE:3:1"],
    ["kb_path = C:\\notes", "FILE:1:11"],
    ["[__proto__]\nx = 1\n[__proto__]", "FILE:3:2"],
  ])("is refused with line and column: %j", async (content, place) => {
    const [code, message] = await problem(content);
    expect(code).toBe("KB_CONFIG_SYNTAX");
    expect(message.startsWith(`${place}: `)).toBe(true);
  });
});

describe("several problems", () => {
  it("are reported together, in the order of the file, and then those from elsewhere", async () => {
    const content = '[search]\nlimit = 0\nlimt = 1\n[embedder]\nuse = "x"\n';
    const error = await refusal(
      workspace.loadTrusted(content, { environment: { KB_MCP_LOG: "loud" }, flags: { transport: "x" } }),
    );
    expect(error.code).toBe("KB_CONFIG_INVALID_VALUE");
    expect(error.message.split("\n").map((line) => line.replace(file, "FILE").slice(0, 34))).toEqual([
      "the configuration has 5 problems:",
      "  FILE:2: search.limit takes a who",
      "  FILE:3: unknown key search.limt;",
      "  FILE:5: embedder.use: there is n",
      "  environment: KB_MCP_LOG takes on",
      "  command line: --transport: there",
    ]);
  });

  it("are counted, not listed, past the first twenty", async () => {
    const [, message] = await problem(
      Array.from({ length: 3000 }, (_, index) => `key${index} = 1`).join("\n"),
    );
    const lines = message.split("\n");
    expect([lines.length, lines[0], lines.at(-1)]).toEqual([
      22,
      "the configuration has 3000 problems:",
      "  and 2980 more",
    ]);
  });
});
