import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { runProgram } from "../../src/cli/program.js";

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

describe("help and version", () => {
  it.each([["--help"], ["index --help"], ["--version"]])("are no failure: %s", async (line) => {
    expect(await runProgram(line.split(" "))).toBe(0);
    expect(printed).toEqual({ stdout: expect.stringMatching(/\S/u) as unknown, stderr: "" });
  });
});
