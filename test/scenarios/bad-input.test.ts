// What goes wrong on the command line: an error with a code or a skipped file with a reason, nothing lost, no stack trace.
import { mkdir, mkdtemp, open, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import type { IndexSummary, SearchReply, StatusReply } from "../../src/core/index.js";
import { connectClient, runCli, startCli, type CliResult } from "../support/kb-mcp-process.js";

let folder: string;
let notes: string;
let data: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "kb-mcp-bad-input-"));
  notes = join(folder, "notes");
  data = join(folder, "data");
  await mkdir(notes);
  await mkdir(data);
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const write = (path: string, content: string | Uint8Array) => writeFile(join(notes, path), content);
const index = async (): Promise<IndexSummary> => {
  const result = await runCli(["index", "--kb-path", notes, "--format", "json"], data);
  expect(result).toMatchObject({ code: 0 });
  return JSON.parse(result.stdout) as IndexSummary;
};
const search = async (query: string): Promise<SearchReply> => {
  const result = await runCli(["search", query, "--kb-path", notes, "--format", "json"], data);
  expect(result).toMatchObject({ code: 0 });
  return JSON.parse(result.stdout) as SearchReply;
};
const expectCleanFailure = (result: CliResult, exitCode: number, code: string): void => {
  expect(result).toMatchObject({ code: exitCode, stdout: "" });
  expect(result.stderr).toContain(`[${code}]`);
  expect(result.stderr).not.toMatch(/^\s+at /mu);
};

describe("the command line refuses with a code", () => {
  it("a folder that does not exist", async () => {
    const result = await runCli(["index", "--kb-path", join(folder, "nowhere")], data);
    expectCleanFailure(result, 2, "KB_CONFIG_KB_PATH");
  });

  it("a file in place of a folder", async () => {
    await write("a.md", "# A\n");
    expectCleanFailure(
      await runCli(["index", "--kb-path", join(notes, "a.md")], data),
      2,
      "KB_CONFIG_KB_PATH",
    );
  });

  it("no folder at all", async () => {
    expectCleanFailure(await runCli(["index"], data), 2, "KB_CONFIG_NO_KB_PATH");
  });

  it("a misspelled key of the configuration, with its line and the key that was meant", async () => {
    const config = join(folder, "kb-mcp.toml");
    await writeFile(config, 'kb_path = "./notes"\n\n[search]\nmin_confidance = 0.4\n');
    const result = await runCli(["index", "--config", config], data);
    expectCleanFailure(result, 2, "KB_CONFIG_UNKNOWN_KEY");
    expect(result.stderr).toMatch(/kb-mcp\.toml:4/u);
    expect(result.stderr).toContain("min_confidence");
  });

  it("a search before the first index run", async () => {
    await write("a.md", "# A\n");
    expectCleanFailure(await runCli(["search", "a", "--kb-path", notes], data), 1, "KB_STORE_EMPTY");
  });

  it("an empty query", async () => {
    await write("a.md", "# Apples\n\nApples keep well in the cellar.\n");
    await index();
    for (const query of ["", "  ", "?!"])
      expectCleanFailure(await runCli(["search", query, "--kb-path", notes], data), 2, "KB_SEARCH_QUERY");
  });

  it("a filter that means nothing", async () => {
    await write("a.md", "# Apples\n");
    expectCleanFailure(
      await runCli(["search", "apples", "--path", "[", "--kb-path", notes], data),
      2,
      "KB_SEARCH_FILTER",
    );
  });

  it("an unknown flag", async () => {
    expectCleanFailure(await runCli(["index", "--frce"], data), 2, "KB_CLI_USAGE");
  });
});

describe("an index run", () => {
  it("of an empty folder ends well and says that there is nothing", async () => {
    const result = await runCli(["index", "--kb-path", notes], data);
    expect(result).toMatchObject({ code: 0 });
    expect(result.stdout).toMatch(/0 documents[^]*No file here/u);
    expect((await search("anything")).results).toEqual([]);
  });

  it("skips what it cannot read with a reason, and indexes the rest", async () => {
    await write("good.md", "# Herbs\n\nThyme likes a dry and sunny place.\n");
    await write(
      "invalid-utf8.md",
      Uint8Array.from([...Buffer.from("# Caf"), 0xc3, 0x28, 0x00, 0x01, 0x02, 0xff]),
    );
    const huge = await open(join(notes, "huge.md"), "w");
    await huge.truncate(60 * 1024 * 1024);
    await huge.close();
    const summary = await index();
    expect(summary.documents).toBe(1);
    expect(summary.skipped.map(({ path, code }) => [path, code]).sort()).toEqual([
      ["huge.md", "KB_READ_TOO_LARGE"],
      ["invalid-utf8.md", "KB_PARSE_ENCODING"],
    ]);
    expect(JSON.stringify(summary)).not.toContain(folder);
    expect((await search("thyme")).results[0]?.path).toBe("good.md");
    const strict = await runCli(["index", "--kb-path", notes, "--strict"], data);
    expect(strict).toMatchObject({ code: 1 });
  });

  it("keeps a note whose frontmatter is broken, and warns", async () => {
    await write(
      "broken.md",
      "---\ntitle: Herbs: a list\ntags: [garden\n---\n# Herbs\n\nSage grows slowly.\n",
    );
    const summary = await index();
    expect(summary).toMatchObject({ documents: 1, skipped: [] });
    expect(summary.warnings.map(({ path }) => path)).toContain("broken.md");
    expect((await search("sage")).results[0]?.path).toBe("broken.md");
  });

  it("of a folder that is suddenly empty is refused with what a person and a model can do", async () => {
    await write("a.md", "# Apples\n\nApples keep well in the cellar.\n");
    await index();
    await rm(join(notes, "a.md"));
    const result = await runCli(["index", "--kb-path", notes], data);
    expectCleanFailure(result, 1, "KB_READ_NO_FILES");
    expect(result.stderr).toContain("kb-mcp index --force");

    const { client } = await connectClient(["--kb-path", notes], data);
    try {
      const reply = await retryUntil(
        () => client.callTool({ name: "rebuild_index" }),
        ({ content }) => !JSON.stringify(content).includes("KB_STORE_BUSY"),
      );
      expect(reply.isError).toBe(true);
      const text = JSON.stringify(reply.content);
      expect(text).toContain("its index holds 1 documents");
      expect(text).toContain("unmounted");
      expect(text).toContain("rebuild_index with force set to true");
    } finally {
      await client.close();
    }
  });

  it("beside another is refused with who is at work", async () => {
    for (let n = 0; n < 40; n++)
      await write(`note-${n}.md`, `# Note ${n}\n\n${"A longer text about herbs. ".repeat(40)}\n`);
    const first = startCli(["index", "--kb-path", notes], data);
    const ended = new Promise((done) => first.once("close", done));
    await retryUntil(status, ({ writer }) => writer !== undefined);
    const second = await runCli(["index", "--kb-path", notes], data);
    expectCleanFailure(second, 1, "KB_STORE_BUSY");
    expect(second.stderr).toContain(`pid ${first.pid}`);
    expect(await ended).toBe(0);
  }, 60_000);

  it("that is killed loses nothing it had committed, and the next one finishes the work", async () => {
    const total = 600;
    for (let n = 0; n < total; n++)
      await write(`note-${n}.md`, `# Note ${n}\n\nToday number ${n} was about herbs and their seeds.\n`);
    const first = startCli(["index", "--kb-path", notes], data);
    const ended = new Promise((done) => first.once("close", done));
    // The documents of the group that is being committed are seen already, and are read again after a kill.
    const group = 64;
    await retryUntil(indexedPaths, (paths) => paths.length > group);
    first.kill("SIGKILL");
    await ended;
    const kept = (await indexedPaths()).length;
    expect(kept).toBeGreaterThan(group);
    expect(kept).toBeLessThan(total);
    expect((await search("herbs")).notes.join(" ")).toContain("did not finish");
    const summary = await index();
    expect(summary).toMatchObject({ documents: total, chunks: total, skipped: [] });
    expect(summary.unchanged).toBeGreaterThanOrEqual(kept - group);
  }, 60_000);
});

async function status(): Promise<StatusReply> {
  const ended = await runCli(["status", "--kb-path", notes, "--paths", "--format", "json"], data);
  expect(ended).toMatchObject({ code: 0, stderr: "" });
  return JSON.parse(ended.stdout) as StatusReply;
}

async function indexedPaths(): Promise<string[]> {
  return (await status()).paths ?? [];
}

async function retryUntil<T>(attempt: () => Promise<T>, isDone: (value: T) => boolean): Promise<T> {
  for (let round = 0; round < 100; round++) {
    const value = await attempt();
    if (isDone(value)) return value;
  }
  throw new Error("It did not come about in 100 attempts");
}
