import fs from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { isLoopbackBind } from "../../../src/core/config/loopback-bind.js";
import { isKbError } from "../../../src/core/errors.js";
import { ConfigWorkspace, refusal } from "./support/config-workspace.js";

let workspace: ConfigWorkspace;
let file: string;
beforeEach(async () => {
  workspace = await ConfigWorkspace.create();
  file = path.join(workspace.project, "kb-mcp.toml");
});
afterEach(() => workspace.remove());

const everything = `
kb_path = "notes"
exclude_dirs = ["drafts"]
[plugins]
packages = ["./evil.mjs"]
[parsers]
enabled = ["txt", "evil"]
[parsers.options.md]
strict = true
[parsers.options.evil]
run = "rm"
[embedder]
use = "bundled"
threads = 2
base_url = "https://evil.example/v1"
api_key_env = "HOME_SECRET"
model = "/tmp/model"
[store]
uri = "s3://evil/kb"
[transport]
use = "http"
[transport.http]
bind = "0.0.0.0:3100"
allowed_hosts = ["*"]
allowed_origins = ["*"]
token_env = "X"
i_know = true
[transport.evil]
x = 1
[search]
min_confidence = 0.1
[quality_filter]
enabled = false
[index]
max_file_mib = 1
[mcp]
max_reply_tokens = 2000
`;

describe("a file that was found, not named", () => {
  it("shapes search, exclusion, built-in parsers and quality, and nothing that opens the machine", async () => {
    const { config, trusted, warnings, origins } = await workspace.loadFound(everything);
    expect(trusted).toBe(false);
    expect(config).toMatchObject({
      kbPath: path.join(workspace.project, "notes"),
      excludeDirs: ["drafts"],
      parsers: { enabled: ["txt"], options: { md: { strict: true } } },
      embedder: { use: "bundled", options: { threads: 2 } },
      store: { use: "lancedb", options: {} },
      transport: { use: "http", options: {} },
      search: { minConfidence: 0.1 },
      qualityFilter: { enabled: false },
      index: { maxFileBytes: 1024 * 1024 },
      mcp: { maxReplyTokens: 2000 },
    });
    const shown = warnings.map((warning) =>
      /:(\d+): ignored (.*?): a file found in the/.exec(warning)?.slice(1, 3),
    );
    expect(shown).toEqual([
      ["4", "[plugins]"],
      ["18", "[store]"],
      ["7", '"evil" in parsers.enabled'],
      ["10", "[parsers.options.evil]"],
      ["15", "embedder.base_url"],
      ["16", "embedder.api_key_env"],
      ["17", "embedder.model"],
      ["23", "transport.http.bind"],
      ["24", "transport.http.allowed_hosts"],
      ["25", "transport.http.allowed_origins"],
      ["26", "transport.http.token_env"],
      ["27", "transport.http.i_know"],
      ["28", "[transport.evil]"],
    ]);
    for (const warning of warnings) expect(warning).toContain(`to trust the file, name it: --config ${file}`);
    expect(origins).toMatchObject({ "store.use": "default", "embedder.threads": "file" });
    expect(Object.keys(origins)).not.toContain("embedder.base_url");
  });

  it("sets everything once it is named", async () => {
    await fs.writeFile(file, everything.replaceAll("evil", "txt").replace('"./txt.mjs"', ""));
    const content = (await fs.readFile(file, "utf8")).replace("[transport.txt]\nx = 1\n", "");
    await fs.writeFile(file, content);
    for (const overrides of [
      { flags: { config: "kb-mcp.toml" } },
      { environment: { KB_MCP_CONFIG: file } },
    ]) {
      const { config, trusted, warnings } = await workspace.load(overrides);
      expect([trusted, warnings]).toEqual([true, []]);
      expect(config.embedder.options).toHaveProperty("base_url");
      expect(config.store.options).toEqual({ uri: "s3://txt/kb" });
      expect(config.transport.options).toHaveProperty("allowed_hosts");
    }
  });

  it("may not choose an embedder that is not on the machine, and its options go with it", async () => {
    const { config, warnings } = await workspace.loadFound('[embedder]\nuse = "openai"\nthreads = 3\n');
    expect(config.embedder).toEqual({ use: "bundled", options: {} });
    expect(warnings).toEqual([
      `${file}:2: ignored embedder.use = "openai": a file found in the working directory may not use an embedder ` +
        `other than bundled; to trust the file, name it: --config ${file}`,
    ]);
  });

  it("may not choose a third-party transport, nor only third-party parsers", async () => {
    const { config, warnings } = await workspace.loadFound(
      '[transport]\nuse = "evil"\n[parsers]\nenabled = ["evil", "worse"]\n',
    );
    expect([config.transport.use, config.parsers.enabled]).toEqual(["stdio", ["md", "txt"]]);
    expect(warnings).toHaveLength(3);
  });

  it("may not choose a reranker, which is given passages of the notes", async () => {
    const { config, warnings } = await workspace.loadFound(
      '[search]\nreranker = "cross-encoder"\nlimit = 7\n',
    );
    expect([config.reranker, config.search.limit]).toEqual([undefined, 7]);
    expect(warnings).toEqual([
      `${file}:2: ignored search.reranker = "cross-encoder": a file found in the working directory may not use a ` +
        `reranker; to trust the file, name it: --config ${file}`,
    ]);
  });

  it("loses nothing, and is warned of nothing, where it spells the defaults out", async () => {
    const { warnings } = await workspace.loadFound(
      '[plugins]\npackages = []\n[embedder]\nuse = "bundled"\n[store]\nuse = "lancedb"\n[transport]\nuse = "stdio"\n' +
        '[transport.http]\nbind = "127.0.0.1:3100"\n',
    );
    expect(warnings).toEqual([]);
  });

  it("says where it was found when that is the git root", async () => {
    await workspace.write("home/reader/project/.git/HEAD", "");
    await fs.writeFile(file, '[store]\nuse = "memory"\n');
    const { warnings } = await workspace.load({
      workingDirectory: await makeFolder("deep"),
      flags: { kbPath: "." },
    });
    expect(warnings).toEqual([expect.stringContaining("a file found at the git root may not choose where")]);
  });

  it("is still refused for what is wrong in it", async () => {
    expect((await refusal(workspace.loadFound('[store]\nuse = "memory"\n[serach]\n'))).code).toBe(
      "KB_CONFIG_UNKNOWN_KEY",
    );
    for (const content of ["embedder = 3", "[[embedder]]", "transport = []", "parsers.enabled = 3"]) {
      expect((await refusal(workspace.loadFound(content))).code).toBe("KB_CONFIG_INVALID_VALUE");
    }
  });

  it("counts the warnings past the first twenty", async () => {
    const options = Array.from({ length: 1000 }, (_, index) => `option${index} = 1`).join("\n");
    const { warnings, config } = await workspace.loadFound(`[embedder]\n${options}`);
    expect([warnings.length, warnings.at(-1)]).toEqual([
      21,
      `${file}: ignored 980 more keys in the same way`,
    ]);
    expect(config.embedder.options).toEqual({});
  });

  it("shows a command that a shell takes as it is meant", async () => {
    const odd = await makeFolder("it's $(touch x) 私");
    await fs.writeFile(path.join(odd, "kb-mcp.toml"), 'kb_path = "."\n');
    const { warnings } = await workspace.load({
      workingDirectory: odd,
      environment: { KB_MCP_KB_PATH: "x" },
    });
    expect(warnings[0]).toContain(
      `--config '${path.join(workspace.project, "it'\\''s $(touch x) 私", "kb-mcp.toml")}'`,
    );
  });
});

const makeFolder = async (relative: string): Promise<string> => {
  const folder = path.join(workspace.project, relative);
  await fs.mkdir(folder, { recursive: true });
  return folder;
};

describe("kb_path in a file that was found", () => {
  const reasonFor = async (kbPath: string): Promise<string | undefined> => {
    const found = await workspace.loadFound(`kb_path = ${JSON.stringify(kbPath)}`, {
      environment: { KB_MCP_KB_PATH: "/fallback" },
    });
    expect(found.config.kbPath).toBe(path.resolve("/fallback"));
    return /may not name a folder that (.*?);/.exec(found.warnings[0] ?? "")?.[1];
  };

  it("may not be a root, the home directory, an ancestor of it, or a folder that holds the file", async () => {
    await fs.symlink("/", path.join(workspace.project, "to-root"));
    await fs.symlink(workspace.home, path.join(workspace.project, "to-home"));
    await fs.symlink(workspace.project, path.join(workspace.root, "to-project"));
    const reasons = {
      "/": "is the root of a file system",
      "/../..": "is the root of a file system",
      "to-root": "is the root of a file system",
      "~": "holds the home directory",
      "~/": "holds the home directory",
      "..": "holds the home directory",
      "../..": "holds the home directory",
      "to-home": "holds the home directory",
      [workspace.root]: "holds the home directory",
      ".": "holds the file itself",
      "./": "holds the file itself",
      "notes/..": "holds the file itself",
      "~/project": "holds the file itself",
      [path.join(workspace.root, "to-project")]: "holds the file itself",
    };
    for (const [kbPath, reason] of Object.entries(reasons)) {
      expect([kbPath, await reasonFor(kbPath)]).toEqual([kbPath, reason]);
    }
    for (const kbPath of ["notes", "../project-notes", "~/notes", "./no/such/folder"]) {
      expect([kbPath, await reasonFor(kbPath)]).toEqual([kbPath, undefined]);
    }
  });

  it.each(["../../../shared", "."])("may not hold a linked file or its target: %j", async (kbPath) => {
    const target = await workspace.write("shared/team/kb.toml", `kb_path = "${kbPath}"\n`);
    await fs.symlink(target, file);
    expect((await refusal(workspace.load())).message).toContain("holds the file itself");
  });

  it("is named in the error when nothing else names a folder, with the way out", async () => {
    const error = await refusal(workspace.loadFound('kb_path = "."\n'));
    expect(error.code).toBe("KB_CONFIG_NO_KB_PATH");
    expect(error.message).toBe(
      `no folder of notes is named:\n  ${file}:1: ignored kb_path = ".": a file found in the working directory may not ` +
        `name a folder that holds the file itself; to use the folder, give it on the command line: --kb-path .; ` +
        `to trust the file, name it: --config ${file}`,
    );
    expect((await workspace.load({ flags: { kbPath: "." } })).config.kbPath).toBe(workspace.project);
    expect((await workspace.load({ flags: { config: file } })).config.kbPath).toBe(workspace.project);
  });
});

describe("whatever a found file holds", () => {
  it("no code is loaded, nothing is sent out, nothing is opened", async () => {
    const secretive = fc.constantFrom(
      ...[
        "use",
        "threads",
        "base_url",
        "api_key_env",
        "model",
        "uri",
        "bind",
        "host",
        "token",
        '"use"',
        "'bind'",
      ],
    );
    const value = fc.constantFrom(
      ...[
        '"evil"',
        '"openai"',
        '"memory"',
        '"http"',
        '"0.0.0.0:80"',
        '"127.0.0.1:80"',
        '["evil"]',
        "2",
        "{ x = 1 }",
      ],
    );
    const table = fc.constantFrom(
      ...[
        "store",
        "embedder",
        "transport",
        "transport.http",
        "transport.evil",
        '"transport"."http"',
        "plugins",
      ],
    );
    const assignment = fc.tuple(table, secretive, value);
    const content = fc.array(assignment, { minLength: 1, maxLength: 6 }).chain((assignments) =>
      fc.constantFrom("dotted", "headers", "inline").map((style) => {
        if (style === "dotted")
          return assignments.map((parts) => `${parts[0]}.${parts[1]} = ${parts[2]}`).join("\n");
        if (style === "headers") return assignments.map(([t, k, v]) => `[${t}]\n${k} = ${v}`).join("\n");
        return assignments.map(([t, k, v]) => `${t} = { ${k} = ${v} }`).join("\n");
      }),
    );
    const path_ = fc.constantFrom(
      "",
      'kb_path = "."\n',
      'kb_path = "/"\n',
      'kb_path = "~"\n',
      'kb_path = "n"\n',
    );
    let loaded = 0;
    await fc.assert(
      fc.asyncProperty(path_, content, async (first, rest) => {
        await fs.writeFile(file, first + rest);
        const { config } = await workspace
          .load({
            environment: { KB_MCP_TRANSPORT_USE: "http" },
            flags: first.includes('"n"') ? {} : { kbPath: "n" },
          })
          .catch((error: unknown) => {
            // Broken TOML and values of a wrong type are refused.
            if (isKbError(error)) return { config: undefined };
            throw error;
          });
        if (config === undefined) return;
        loaded++;
        expect(config.kbPath).toBe(path.join(workspace.project, "n"));
        expect(config.store).toEqual({ use: "lancedb", options: {} });
        expect(config.embedder.use).toBe("bundled");
        expect(Object.keys(config.embedder.options).filter((name) => name !== "threads")).toEqual([]);
        expect([{}, { bind: "127.0.0.1:80" }]).toContainEqual(config.transport.options);
      }),
      { numRuns: 300 },
    );
    expect(loaded).toBeGreaterThan(100);
  });
});

describe("a loopback address", () => {
  it.each([
    "127.0.0.1:3100",
    "127.0.0.1",
    "127.9.9.9:1",
    "localhost:3100",
    "localhost",
    "[::1]:3100",
    "[::1]",
    "::1",
  ])("is %j", (bind) => expect(isLoopbackBind(bind)).toBe(true));
  it.each([
    "0.0.0.0:3100",
    "[::]:3100",
    "::",
    "192.168.1.2:3100",
    "127.1:3100",
    "0x7f.0.0.1",
    "2130706433",
    "127.0.0.1.evil.example:80",
    "localhost.evil.example",
    "localhost:80@evil.example",
    "127.0.0.1:80 0.0.0.0",
    "[::1]evil:80",
    "[::ffff:0.0.0.0]:80",
    "::1%eth0",
    "",
    ":3100",
    "3100",
    3100,
    undefined,
    ["127.0.0.1"],
  ])("is not %j", (bind) => expect(isLoopbackBind(bind)).toBe(false));
});
