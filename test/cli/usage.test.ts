import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { runProgram } from "../../src/cli/program.js";
import type { SearchReply } from "../../src/core/index.js";
import { runCli } from "../support/kb-mcp-process.js";
import { withTemporaryFolder, writeTree } from "../support/temporary-folder.js";

let printed: { stdout: string; stderr: string };
beforeEach(() => {
  printed = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    jest.spyOn(process[name], "write").mockImplementation((text) => {
      printed[name] += String(text);
      return true;
    });
});
afterEach(() => {
  jest.restoreAllMocks();
});

describe("a command line that means nothing", () => {
  it.each([
    [["index", "--frce"], "unknown option '--frce' (Did you mean --force?)", "kb-mcp index --help"],
    [["serve", "--prot"], "unknown option '--prot'", "kb-mcp serve --help"],
    [["--verbos"], "unknown option '--verbos'", "kb-mcp --help"],
    [["serch", "x"], "unknown command 'serch' (Did you mean search?)", "kb-mcp --help"],
    [["search"], "missing required argument 'query'", "kb-mcp search --help"],
    [["search", "garden", "-moss"], "unknown option '-moss'", "kb-mcp search --help"],
    [["search", "x", "--format", "xml"], "Allowed choices are text, json.", "kb-mcp search --help"],
    [["search", "x", "--limit", "500"], "a whole number from 1 to 100", "kb-mcp search --help"],
    [["search", "x", "--limit", "0"], "a whole number from 1 to 100", "kb-mcp search --help"],
    [["search", "x", "--limit", "1e1"], "a whole number from 1 to 100", "kb-mcp search --help"],
    [["search", "--tag", "zoo"], "missing required argument 'query'", "kb-mcp search --help"],
    [["graph", "a.md", "--exclude-path", "b.md", "c.md"], "too many arguments", "kb-mcp graph --help"],
    [["eval", "--across", "model", "documents"], "too many arguments", "kb-mcp eval --help"],
    [["eval", "--across", "model", "--across", "x"], "Allowed choices are settings,", "kb-mcp eval --help"],
    [["index", "--\u001b[2J"], String.raw`unknown option '--\u001b[2J'`, "kb-mcp index --help"],
  ])("is refused once, like every failure, with what was meant: %j", async (args, what, help) => {
    expect(await runProgram(args)).toBe(2);
    const [message, hint, ...rest] = printed.stderr.split("\n");
    expect(message?.startsWith("kb-mcp: ")).toBe(true);
    expect(message).toContain(what);
    expect(hint).toContain(`Run ${help} for`);
    expect([rest, printed.stdout]).toEqual([["  [KB_CLI_USAGE]", ""], ""]);
  });

  it("is told how an exclusion is written where it looks like one", async () => {
    await runProgram(["search", "garden", "-moss"]);
    expect(printed.stderr).toContain('kb-mcp search "garden -moss"');
  });

  it("is answered with the help where nothing is given at all", async () => {
    expect(await runProgram([])).toBe(2);
    expect(printed.stderr).toMatch(/^Usage: kb-mcp [^]*no command was given[^]*\[KB_CLI_USAGE\]\n$/u);
  });
});

describe("a flag that may be repeated", () => {
  it("takes one value each time, and leaves the query alone", async () => {
    await withTemporaryFolder(async (folder) => {
      const kb = join(folder, "kb");
      await writeTree(folder, { "kb/z.md": "---\ntags: [zoo, africa]\n---\n\n# Zebra\n\nZebra stripes.\n" });
      expect(await runCli(["index", "--kb-path", kb], folder)).toMatchObject({ code: 0 });
      const lists = ["--tag-any", "a", "--tag-any", "zoo", "--path", "*.md", "--path", "!b.md"];
      const args = ["search", ...lists, "--tag", "zoo", "--tag", "africa", "zebra", "stripes"];
      const { stdout } = await runCli([...args, "--kb-path", kb, "--format", "json"], folder);
      expect(JSON.parse(stdout) as SearchReply).toMatchObject({
        results: [{ path: "z.md" }],
        filter_applied: {
          tags_all: ["zoo", "africa"],
          tags_any: ["a", "zoo"],
          path_globs: ["*.md", "!b.md"],
        },
      });
    });
  }, 60_000);

  it.each(["search", "graph", "eval"])(
    "is said to be one in the help of %s, and takes no list",
    async (name) => {
      await runProgram([name, "--help"]);
      expect(printed.stdout).toMatch(/may\s+be\s+repeated/u);
      expect(printed.stdout.split("Options:")[1]).not.toContain("...");
    },
  );
});

describe("help and version", () => {
  it.each([["--help"], ["index --help"], ["--version"]])("are no failure: %s", async (line) => {
    expect(await runProgram(line.split(" "))).toBe(0);
    expect(printed).toEqual({ stdout: expect.stringMatching(/\S/u) as unknown, stderr: "" });
  });
});
