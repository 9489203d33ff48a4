// One knowledge base whose configuration changes from one embedder to another, and an embedder whose server is gone.
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import type { IndexSummary, SearchReply, StatusReply } from "../../src/core/index.js";
import { combinationNeeds, type Combination, type CombinationNeeds } from "../support/combinations.js";
import { KnowledgeBaseFolder } from "../support/knowledge-base-folder.js";
import { searchWhenIndexed } from "../support/running-server.js";
import { bilingualNotes, english } from "./support/bilingual-notes.js";

let needs: CombinationNeeds;
let folder: KnowledgeBaseFolder;
beforeEach(async () => {
  needs = await combinationNeeds();
  folder = await KnowledgeBaseFolder.make(bilingualNotes);
});
afterEach(async () => {
  await folder.remove();
  await needs.close();
});

const use = (embedder: Combination["embedder"]): Promise<void> =>
  folder.configure(needs.toml({ embedder, store: "lancedb" }));

async function expectHybrid(): Promise<void> {
  const { mode, notes, results } = await folder.search(english.query, "--explain");
  expect({ mode, notes }).toEqual({ mode: "hybrid", notes: [] });
  expect(results[0]).toMatchObject({
    path: english.answer,
    explanation: { vector: { rank: expect.any(Number) } },
  });
}

function expectWordsAlone({ mode, notes, results }: SearchReply, ...notesInOrder: string[]): void {
  expect({ mode, path: results[0]?.path }).toEqual({ mode: "lexical", path: english.answer });
  expect(notes).toEqual(notesInOrder.map((note) => expect.stringContaining(note)));
}

describe("a configuration that names another embedder", () => {
  it("leaves the search by words, says which command to run, and is hybrid again after it", async () => {
    await use("bundled");
    await folder.read<IndexSummary>("index");
    await expectHybrid();
    for (const [before, now] of [
      ["bundled", "openai"],
      ["openai", "transformers"],
      ["transformers", "bundled"],
    ] as const) {
      await use(now);
      const reply = await folder.search(english.query);
      const change = `embedder was ${before}, now ${now}`;
      expectWordsAlone(reply, change);
      expect(reply.notes[0]).toContain("search uses words alone");
      expect(reply.notes[0]).toContain("kb-mcp index --force");

      const unforced = await folder.run("index");
      expect([unforced.code, unforced.stderr]).toEqual([1, expect.stringContaining("KB_STORE_MISMATCH")]);
      expect(unforced.stderr).toContain("kb-mcp index --force");
      expect(await folder.read<StatusReply>("status")).toMatchObject({
        changed: expect.arrayContaining([change]),
        overview: { embedder: before },
      });

      expect(await folder.read<IndexSummary>("index", "--force")).toMatchObject({
        documents: 4,
        embedded: 4,
      });
      await expectHybrid();
      expect(await folder.read<StatusReply>("status")).not.toHaveProperty("changed");
    }
  }, 90_000);
});

describe("an embedder whose server is gone", () => {
  it("leaves the search by words, in a command and in a server, and says so", async () => {
    await use("openai");
    await folder.read<IndexSummary>("index");
    await expectHybrid();
    await needs.stopServer();
    expectWordsAlone(await folder.search(english.query), "KB_EMBED_SERVER");
    const { client } = await folder.serve();
    try {
      expectWordsAlone(await searchWhenIndexed(client, { query: english.query }), "KB_EMBED_SERVER");
      const { contents } = await client.readResource({ uri: `kb://doc/${english.answer}` });
      expect(contents).toEqual([expect.objectContaining({ text: bilingualNotes["ops/backup.md"] })]);
    } finally {
      await client.close();
    }
    const before = await folder.read<StatusReply>("status");
    expect((await folder.run("index", "--force")).code).not.toBe(0);
    expect(await folder.read<StatusReply>("status")).toEqual(before);
    expectWordsAlone(await folder.search(english.query), "KB_EMBED_SERVER");
  }, 60_000);

  it.each(["bundled", "transformers"] as const)(
    "does not cost the index that %s built: a forced run fails before anything is deleted",
    async (builder) => {
      await use(builder);
      await folder.read<IndexSummary>("index");
      await needs.stopServer();
      await use("openai");
      const forced = await folder.run("index", "--force");
      expect([forced.code, forced.stdout, forced.stderr]).toEqual([
        1,
        "",
        expect.stringContaining("KB_EMBED_SERVER"),
      ]);
      expectWordsAlone(await folder.search(english.query), `embedder was ${builder}, now openai`);
      await use(builder);
      await expectHybrid();
      expect(await folder.read<IndexSummary>("index")).toMatchObject({ unchanged: 4, embedded: 0 });
    },
    60_000,
  );
});
