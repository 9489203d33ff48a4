// A parser package as a stranger publishes it, installed by npm beside a packed kb-mcp in an empty folder. Needs what
// npm install needs: the registry, or a cache that has been filled from it.
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { DocumentReply, IndexSummary, SearchReply } from "../../src/core/index.js";

const example = resolve("examples/kb-mcp-parser-org");
const journal = "garden/garden-journal.org";
const minutes = "garden/会議メモ.org";
const configuration = `
kb_path = "./notes"

[plugins]
packages = ["kb-mcp-parser-org", "./my-parser.mjs"]

[parsers]
enabled = ["md", "txt", "org", "log"]

[parsers.options.org]
todo_keywords = ["LATER"]
`;

/** An optional dependency of some 230 MB that nothing here needs. */
const withoutTransformers = { "@xenova/transformers": "npm:empty-npm-package@1.0.0" };

let home: string;
let client: Client | undefined;
let summary: IndexSummary;

beforeAll(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), "kb-mcp-third-party-")));
  const [kbMcp, parser] = [await pack(resolve(".")), await pack(example)];
  const { overrides } = JSON.parse(await readFile("package.json", "utf8")) as { overrides: object };
  await writeFile(
    join(home, "package.json"),
    JSON.stringify({ private: true, overrides: { ...overrides, ...withoutTransformers } }),
  );
  const quick = [
    "--prefer-offline",
    "--no-audit",
    "--no-fund",
    "--fetch-retry-mintimeout=500",
    "--fetch-retries=1",
  ];
  await npm(["install", ...quick, kbMcp, parser], home).catch((cause: unknown) => {
    throw new Error(`npm could not install ${kbMcp} and ${parser}; can it reach its registry?`, { cause });
  });
  await mkdir(join(home, "notes/garden"), { recursive: true });
  await cp(join(example, "test/samples"), join(home, "notes/garden"), { recursive: true });
  await writeFile(join(home, "notes/later.org"), "* LATER Prune the quince\nIn the first week of frost.\n");
  await writeFile(join(home, "notes/pump.log"), "06:00 pump starts\n06:10 valve seven is stuck\n");
  await writeFile(join(home, "my-parser.mjs"), await smallestParser());
  await writeFile(join(home, "kb-mcp.toml"), configuration);
  const indexed = await kbMcpCommand("index", "--config", "kb-mcp.toml", "--format", "json");
  expect([indexed.code, indexed.stderr]).toEqual([0, expect.anything()]);
  summary = JSON.parse(indexed.stdout) as IndexSummary;
  client = new Client({ name: "kb-mcp-test", version: "1.0.0" });
  await client.connect(
    new StdioClientTransport({
      command: installedCommand(),
      args: ["serve", "--config", "kb-mcp.toml"],
      cwd: home,
      env: environment(),
      stderr: "pipe",
    }),
  );
}, 180_000);

afterAll(async () => {
  await client?.close();
  await rm(home, { recursive: true, force: true, maxRetries: 3 });
});

/** The first program of the page for authors. */
async function smallestParser(): Promise<string> {
  const page = await readFile("docs/write-a-parser.md", "utf8");
  return /```js\n([^]*?)```/u.exec(page)![1]!;
}

/** Packs what would be published and returns the tarball's name in the folder. */
async function pack(folder: string): Promise<string> {
  // dist/ is built before tests run; packing it anew would change it below their feet.
  const packed = await npm(["pack", "--ignore-scripts", "--json", "--pack-destination", home], folder);
  const [{ filename }] = JSON.parse(packed) as [{ filename: string }];
  return `./${filename}`;
}

async function npm(args: readonly string[], cwd: string): Promise<string> {
  const { code, stdout, stderr } = await run("npm", ["--loglevel=error", ...args], cwd, process.env);
  if (code !== 0) throw new Error(`npm ${args.join(" ")} ended with ${code}:\n${stdout}\n${stderr}`);
  return stdout;
}

const installedCommand = (): string => join(home, "node_modules/.bin/kb-mcp");

/** Nothing of the surrounding machine's configuration reaches it. */
const environment = (): Record<string, string> => ({
  PATH: process.env["PATH"] ?? "",
  HOME: home,
  XDG_CONFIG_HOME: home,
  KB_MCP_DATA_DIR: join(home, "data"),
});

function kbMcpCommand(...args: string[]): Promise<Ran> {
  return run(installedCommand(), args, home, environment());
}

interface Ran {
  /** null for a command that could not be started or was ended by a signal. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function run(command: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<Ran> {
  return new Promise((done) => {
    const child = execFile(
      command,
      args,
      { cwd, env, maxBuffer: 1024 ** 3, timeout: 120_000 },
      (error, stdout, stderr) =>
        done({
          code: child.exitCode,
          stdout,
          stderr: error === null ? stderr : `${error.message}\n${stderr}`,
        }),
    );
  });
}

async function call<Reply>(name: string, args: Record<string, unknown>): Promise<Reply> {
  const { isError = false, content, structuredContent } = await client!.callTool({ name, arguments: args });
  expect([isError, content]).toEqual([false, expect.anything()]);
  return structuredContent as Reply;
}

async function search(query: string, filters: Record<string, unknown> = {}): Promise<SearchReply["results"]> {
  return (await call<SearchReply>("search", { query, ...filters })).results;
}

describe("a third-party parser package, installed beside kb-mcp", () => {
  it("reads the documents of its kind, as the smallest parser of the page for authors does", () => {
    expect(summary).toMatchObject({ added: 4, skipped: [], documents: 4 });
  });

  it("is listed with its version, extensions and the entry that names it", async () => {
    const { code, stdout } = await kbMcpCommand("plugins", "--config", "kb-mcp.toml", "--format", "json");
    const { plugins, refused } = JSON.parse(stdout) as { plugins: object[]; refused: object[] };
    const org = { kind: "parser", id: "org", active: true, version: "1.0.0", extensions: ["org"] };
    expect(plugins).toContainEqual({
      ...org,
      package: "kb-mcp-parser-org",
      named: "kb-mcp-parser-org",
      media_type: "text/plain",
    });
    expect([code, refused]).toEqual([0, []]);
  });

  it("lets documents be found by their headings, tags, category and dates", async () => {
    const pot = ["order a larger pot", "--tag", "houseplants", "--config", "kb-mcp.toml"];
    const { code, stdout } = await kbMcpCommand("search", ...pot, "--format", "json");
    const [hit, ...others] = (JSON.parse(stdout) as SearchReply).results;
    expect([code, others]).toEqual([0, []]);
    expect(hit).toMatchObject({
      path: journal,
      title: "Garden journal",
      category: "journal",
      date: "2026-04-11",
      tags: ["garden", "spring", "houseplants"],
    });
    expect(await search("灌水の見直し", { tags_all: ["会議", "灌水"] })).toMatchObject([{ path: minutes }]);
    expect((await search("valve seven stuck"))[0]).toMatchObject({ path: "pump.log", start_line: 1 });
  });

  it("takes its options from kb-mcp.toml", async () => {
    expect((await search("prune the quince"))[0]).toMatchObject({ title: "Prune the quince" });
    const misspelt = configuration.replace("todo_keywords", "todo_keyword");
    await writeFile(join(home, "misspelt.toml"), misspelt);
    const { code, stderr } = await kbMcpCommand("index", "--config", "misspelt.toml");
    expect([code, stderr]).toEqual([2, expect.stringContaining("KB_PLUGIN_OPTIONS")]);
    expect(stderr).toContain("todo_keyword: there is no such option");
  });

  it("serves documents to an MCP client, as text and as resources", async () => {
    const text = await readFile(join(home, "notes", minutes), "utf8");
    const document = await call<DocumentReply>("get_document", { path: minutes });
    expect(document).toMatchObject({ text, title: "温室の定例会議", media_type: "text/plain" });
    const uri = `kb://doc/${minutes.split("/").map(encodeURIComponent).join("/")}`;
    const { contents } = await client!.readResource({ uri });
    expect(contents).toEqual([{ uri, mimeType: "text/plain", text }]);
  });

  it("is not loaded for a configuration file that was merely found", async () => {
    const { stdout, stderr } = await kbMcpCommand("plugins", "--format", "json");
    expect(stdout).not.toContain("kb-mcp-parser-org");
    expect(stderr).toContain("ignored [plugins]: a file found in the working directory may not load code");
  });

  it("passes its own tests there", async () => {
    const source = join(home, "packages/kb-mcp-parser-org");
    await cp(example, source, { recursive: true });
    const report = await npm(["test", "--", "--test-reporter=tap"], source);
    expect(report).toMatch(/ok \d+ - finds text in a sample/u);
    expect(report).toMatch(/^# fail 0$/mu);
  }, 60_000);
});
