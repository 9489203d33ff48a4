import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { connectClient, runCli } from "../support/kb-mcp-process.js";
import { writeTree } from "../support/temporary-folder.js";

let folder: string;
let flags: string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "kb-mcp-status-"));
  await writeTree(folder, { "notes/a.md": "# A\n\nSome text.\n" });
  flags = ["--kb-path", join(folder, "notes"), "--config", join(folder, "kb-mcp.toml")];
  await writeFile(join(folder, "kb-mcp.toml"), "");
  await runCli(["index", ...flags, "--quiet"], folder);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("an index that was built with other settings", () => {
  it("is shown by status, refused by index, and told of once when serve starts", async () => {
    const before = await runCli(["status", ...flags], folder);
    expect(before.stdout).toContain("1 documents");
    expect(before.stdout).not.toContain("Changed");
    await writeFile(join(folder, "kb-mcp.toml"), 'exclude_headings = ["Drafts"]\n');
    const { stdout } = await runCli(["status", ...flags], folder);
    expect(stdout).toContain('Changed         exclude_headings was [], now ["drafts"]');
    expect(stdout).toContain(`kb-mcp index --force ${flags.join(" ")}\n`);
    const refused = await runCli(["index", ...flags, "--quiet"], folder);
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(refused.stderr).toMatch(/exclude_headings was.*kb-mcp index --force.*KB_STORE_MISMATCH/su);
    const { client, stderr } = await connectClient(flags, folder);
    try {
      while (!stderr().includes("KB_STORE_MISMATCH")) await new Promise(setImmediate);
      const reply = await client.callTool({ name: "search", arguments: { query: "text" } });
      expect(JSON.stringify(reply.content)).toContain("rebuild_index with force set to true");
    } finally {
      await client.close();
    }
    expect(stderr().match(/kb-mcp warn: The index was built.*kb-mcp index --force/gu)).toHaveLength(1);
  });
});

describe("a folder that has not been indexed yet", () => {
  it("is told of with a command that can be pasted, by status and by search", async () => {
    await writeTree(folder, { "other notes/a.md": "# A\n\nSome text.\n" });
    const unindexed = ["--kb-path", "other notes"];
    const status = await runCli(["status", ...unindexed], folder);
    const command = "kb-mcp index --kb-path 'other notes'";
    expect(status).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`nothing yet; run ${command}\n`),
    });
    const search = await runCli(["search", "text", ...unindexed], folder);
    expect(search).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining(command) });
  });
});
