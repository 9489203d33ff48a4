// A client that goes away while the index is built: an ordinary end of a session, worth no warning.
import { once } from "node:events";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { startCli } from "../support/kb-mcp-process.js";
import { withTemporaryFolder, writeTree } from "../support/temporary-folder.js";

describe("a client that goes away during the first index run", () => {
  it("leaves a log without warnings and an exit code of 0", async () => {
    await withTemporaryFolder(async (folder) => {
      const note = "# Note\n\nThe keeper of the lighthouse wrote this down in the evening.\n".repeat(20);
      const notes = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`${i}.md`, `${note}${i}`]));
      await writeTree(join(folder, "notes"), notes);
      const child = startCli(["serve", "--kb-path", join(folder, "notes")], folder);
      let log = "";
      child.stderr!.setEncoding("utf8").on("data", (text: string) => (log += text));
      const clientInfo = { name: "test", version: "0" };
      const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
      child.stdin!.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params })}\n`);
      await once(child.stdout!, "data");
      child.stdin!.end();
      const [code] = (await once(child, "close")) as [number | null];
      expect({ code, log }).toEqual({ code: 0, log: "" });
    });
  });
});
