import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import type { SearchReply } from "../../src/core/index.js";
import { connectClient } from "../support/kb-mcp-process.js";

let folder: string;
let notes: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "kb-mcp-first-start-"));
  notes = join(folder, "notes");
  await mkdir(notes);
  await writeFile(join(notes, "herbs.md"), "# Herbs\n\nThyme likes a dry and sunny place.\n");
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe("the first start of a server on a folder", () => {
  it("answers at once, says that indexing is under way, and finds the note when it is done", async () => {
    const { client } = await connectClient(["--kb-path", notes], folder);
    try {
      expect(client.getInstructions()).toContain("being indexed right now");
      const search = async () => {
        const result = await client.callTool({ name: "search", arguments: { query: "thyme" } });
        expect([result.isError ?? false, result.content]).toEqual([false, expect.anything()]);
        return result.structuredContent as SearchReply;
      };
      const first = await search();
      expect(first.notes.join(" ")).toMatch(/Indexing (?:has just started|is under way)/u);
      let reply = first;
      for (let round = 0; round < 200 && reply.notes.length > 0; round++) reply = await search();
      expect(reply).toMatchObject({ notes: [], results: [{ path: "herbs.md" }] });
    } finally {
      await client.close();
    }
  });
});
