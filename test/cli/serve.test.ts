import { once } from "node:events";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { startCli } from "../support/kb-mcp-process.js";
import { withTemporaryFolder, writeTree } from "../support/temporary-folder.js";

describe("the log of a server", () => {
  it("names a file that it skipped once, with why and the code", async () => {
    await withTemporaryFolder(async (folder) => {
      const binary = Uint8Array.from({ length: 600 }, (_, index) => index % 7);
      await writeTree(folder, { "notes/a.md": "# A\n\nText.\n", "notes/bad.md": binary });
      const child = startCli(["serve", "--kb-path", join(folder, "notes")], folder);
      let log = "";
      child.stderr!.setEncoding("utf8").on("data", (text: string) => (log += text));
      const clientInfo = { name: "test", version: "0" };
      const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
      child.stdin!.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params })}\n`);
      while (!log.includes("skipped bad.md")) await once(child.stderr!, "data");
      child.stdin!.end();
      await once(child, "close");
      expect(log.match(/bad\.md/gu)).toHaveLength(1);
      expect(log).toMatch(/^kb-mcp warn: skipped bad\.md: .+ \[KB_[A-Z_]+\]$/mu);
    });
  });
});
