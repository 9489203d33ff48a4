// The page for authors, done as it says: its programs as they stand, tested and run as it says.
import { execFile } from "node:child_process";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { withTemporaryFolder, writeTree } from "../support/temporary-folder.js";

/** The blocks of a language in a section of the page, in order. */
async function blocksOf(section: string, language: string): Promise<string[]> {
  const page = await readFile("docs/write-a-parser.md", "utf8");
  const text = page.split(/^## /mu).find((each) => each.startsWith(`${section}\n`))!;
  return [...text.matchAll(/^```(\w+)\n([^]*?)^```$/gmu)]
    .filter(([, written]) => written === language)
    .map(([, , block]) => block!);
}

interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function run(command: string, args: readonly string[], folder: string): Promise<Ran> {
  const env = {
    PATH: process.env["PATH"],
    HOME: folder,
    XDG_CONFIG_HOME: folder,
    KB_MCP_DATA_DIR: join(folder, "data"),
    npm_config_offline: "true",
  };
  return new Promise((done) => {
    const child = execFile(command, args, { cwd: folder, env }, (_, stdout, stderr) =>
      done({ code: child.exitCode, stdout, stderr }),
    );
  });
}

const log = "06:00 pump starts\r\n06:10 connection refused by valve seven   \r\n\r\n06:20 pump stops  \t\r\n";

/** A folder of an author who has installed kb-mcp and copied what the page shows. */
async function withAuthor(
  act: (folder: string) => Promise<void>,
  change = (parser: string) => parser,
): Promise<void> {
  const [parser] = await blocksOf("The smallest one", "js");
  const [configuration] = await blocksOf("The smallest one", "toml");
  const [contract] = await blocksOf("Test it", "js");
  await withTemporaryFolder(async (folder) => {
    await writeTree(folder, {
      "my-parser.mjs": change(parser!),
      "kb-mcp.toml": configuration!,
      "test/contract.test.mjs": contract!,
      "test/samples/a.log": log,
      "notes/a.log": log,
    });
    await mkdir(join(folder, "node_modules/.bin"), { recursive: true });
    await symlink(resolve("."), join(folder, "node_modules/kb-mcp"), "dir");
    // As npm makes it, but for a link to a file that may be executed: that of the project need not be.
    const command = `#!/bin/sh\nexec "${process.execPath}" "${resolve("dist/cli/main.js")}" "$@"\n`;
    await writeFile(join(folder, "node_modules/.bin/kb-mcp"), command, { mode: 0o755 });
    await act(folder);
  });
}

/** The tests that failed, and the groups that they are in. */
async function failedTests(folder: string): Promise<string[]> {
  const { stdout } = await run(process.execPath, ["--test", "--test-reporter=tap"], folder);
  expect(stdout).toMatch(/ok \d+ - finds text in a sample/u);
  return [...stdout.matchAll(/^ *not ok \d+ - (.*)$/gmu)].map(([, name]) => name!);
}

describe("the page for authors of parsers", () => {
  it("shows a parser that passes the test that it shows", async () => {
    await withAuthor(async (folder) => {
      expect(await failedTests(folder)).toEqual([]);
    });
  });

  it("shows a test that a parser can fail", async () => {
    const trimmed = (parser: string): string => parser.replace("= text.split", "= text.trimEnd().split");
    await withAuthor(async (folder) => {
      expect(await failedTests(folder)).toContain(
        "gives each section exactly its lines, in order and without overlap",
      );
    }, trimmed);
  });

  it("shows a schema by hand that passes the test too", async () => {
    const [, schema] = await blocksOf("Options", "js");
    const withSchema = (parser: string): string =>
      parser.replace("binary: false,", (line) => `${line}\n${schema!}`);
    await withAuthor(async (folder) => {
      expect(await readFile(join(folder, "my-parser.mjs"), "utf8")).toContain("optionsSchema: {");
      expect(await failedTests(folder)).toEqual([]);
    }, withSchema);
  });

  it("shows commands that list the plugin, index with it and find what it read", async () => {
    const [commands] = await blocksOf("The smallest one", "sh");
    const lines = commands!.trimEnd().split("\n");
    await withAuthor(async (folder) => {
      const ran: Ran[] = [];
      for (const line of lines) ran.push(await run("/bin/sh", ["-c", line], folder));
      expect(ran).toMatchObject([{ code: 0 }, { code: 0 }, { code: 0 }]);
      const [plugins, index, search] = ran;
      expect(plugins?.stdout).toMatch(/log\b.*my-parser/u);
      expect(index?.stdout).toContain("added 1");
      expect(search?.stdout).toMatch(/a\.log.*1/u);
    });
  });
});
