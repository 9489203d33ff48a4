// What the command line prints of names and texts that were made to act on a terminal.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import type { StatusReply } from "../../src/core/index.js";
import { runCli, type CliResult } from "../support/kb-mcp-process.js";
import { withTemporaryFolder, writeTree } from "../support/temporary-folder.js";

const inNames = process.platform === "win32" ? it.skip : it;

describe("a name that would act on a terminal", () => {
  inNames("is shown escaped in every text, and exactly in JSON", async () => {
    await withTemporaryFolder(async (folder) => {
      const notes = join(folder, "no\u202etes\u009b");
      const data = join(folder, "data");
      const name = "herbs\u001b[2J\r\u0007.md";
      await mkdir(data);
      await writeTree(notes, {
        [name]: "# Thyme\n\nThyme likes a \u001b[31mdry\u001b[0m and sunny place.\n",
        [`bad-${name}`]: Uint8Array.from({ length: 600 }, (_, index) => index % 7),
      });
      const run = (...args: string[]): Promise<CliResult> => runCli([...args, "--kb-path", "."], data, notes);
      const results = [await run("index"), await run("status", "--paths"), await run("search", "thyme")];
      for (const { code, stdout, stderr } of results) {
        expect([code, stdout]).toEqual([
          0,
          expect.stringContaining(String.raw`herbs\u001b[2J\u000d\u0007.md`),
        ]);
        expect(stdout + stderr).not.toMatch(/(?!\n)[\p{Cc}\u202e]/u);
      }
      const json = await run("status", "--paths", "--format", "json");
      expect((JSON.parse(json.stdout) as StatusReply).paths).toEqual([name]);
    });
  });
});
