import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it } from "@jest/globals";
import { runModule } from "../../support/run-module.js";

/** A program that parses one file with a fixture's parser and then has nothing to do. */
const program = (path: string): string => `
  import { pathToFileURL } from "node:url";
  import { createGuardedParser } from "./dist/core/documents/guarded-parse.js";
  import { createParserRegistry } from "./dist/core/documents/parser-registry.js";
  const id = ${JSON.stringify(path)}.split(".")[1];
  const moduleUrl = pathToFileURL("test/fixtures/plugins/misbehaving-parsers.mjs").href;
  const parser = { id, version: "1", extensions: [id], mediaType: "text/plain", binary: false, moduleUrl, options: {} };
  const say = (message) => console.error(message);
  const guarded = createGuardedParser(createParserRegistry([parser]), { debug: say, info: say, warn: say, error: say });
  const parsed = await guarded.readText(${JSON.stringify(path)}, Buffer.from("text"), { maxBytes: 100, withSections: false }, new AbortController().signal);
  console.log("parsed", parsed.text);
`;

interface Started {
  readonly child: ChildProcess;
  /** What was written so far. */
  readonly stdout: () => string;
  readonly log: () => string;
}

function start(path: string): Started {
  const child = spawn(process.execPath, ["--input-type=module", "-e", program(path)], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let log = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (log += text));
  return { child, stdout: () => stdout, log: () => log };
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 20));
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe("the parse process", () => {
  it("does not keep kb-mcp running when it is idle", async () => {
    const { child, stdout } = start("a.echo");
    expect(await once(child, "close")).toEqual([0, null]);
    expect(stdout()).toBe("parsed text\n");
  });

  it("sends what a parser prints, in whatever way, to the log and never to standard output", async () => {
    const { child, stdout, log } = start("a.print");
    await once(child, "close");
    expect(stdout()).toBe("parsed printed\n");
    for (const way of ["printed", "written", "written to the descriptor"])
      expect(log()).toContain(`${way} by a parser`);
  });

  it("ends when kb-mcp is killed, even in the middle of a parser that hangs", async () => {
    const { child, log } = start("a.hangafterid");
    await until(() => /parse process \d+\n/.test(log()));
    const pid = Number(/parse process (\d+)/.exec(log())?.[1]);
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(isRunning(pid)).toBe(true);
    child.kill("SIGKILL");
    await until(() => !isRunning(pid));
  });
});

describe("a process that cannot be started", () => {
  it("costs the file that was to be parsed, and no other", async () => {
    const { stdout } = await runModule(`
      import { pathToFileURL } from "node:url";
      import { createGuardedParser } from "./dist/core/documents/guarded-parse.js";
      import { createParserRegistry } from "./dist/core/documents/parser-registry.js";
      const moduleUrl = pathToFileURL("dist/plugins/parsers/md/index.js").href;
      const md = { id: "md", version: "1", extensions: ["md"], mediaType: "text/markdown", binary: false, moduleUrl, options: {} };
      const quiet = () => undefined;
      const parser = createGuardedParser(createParserRegistry([md]), { debug: quiet, info: quiet, warn: quiet, error: quiet });
      const { signal } = new AbortController();
      const read = () => parser.readText("a.md", Buffer.from("# A"), { maxBytes: 100, withSections: false }, signal);
      // More than the system lets a process have in one variable: Node throws at once.
      process.env.LARGE = "x".repeat(4 * 1024 * 1024);
      console.log(await read().then(() => "parsed", (error) => error.code));
      delete process.env.LARGE;
      console.log(await read().then(() => "parsed", (error) => error.code));
      await parser.dispose();
    `);
    expect(stdout.trim().split("\n")).toEqual(["KB_PARSE_FAILED", "parsed"]);
  });
});
