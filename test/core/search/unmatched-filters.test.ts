import { beforeAll, describe, expect, it } from "@jest/globals";
import type { VectorStore } from "../../../src/core/plugin-api.js";
import type { SearchFilters } from "../../../src/core/search/search-reply.js";
import { indexDocuments } from "../../support/indexed-documents.js";
import { memoryStore } from "../../support/memory-store.js";
import { searchOver } from "../../support/search-over-store.js";

let store: VectorStore;
beforeAll(async () => {
  store = memoryStore(
    await indexDocuments([
      { path: "ops/a.md", category: "Runbook", date: "2026-03-01", tags: ["Storage"], chunks: ["Moss."] },
      { path: "b.md", tags: ["garden"], chunks: ["Rain."] },
    ]),
  );
});

async function notesOf(filters: SearchFilters): Promise<readonly string[]> {
  const reply = await searchOver(store)({ query: "moss", ...filters }, new AbortController().signal);
  return reply.notes.filter((note) => /^No (?:document|path)/u.test(note));
}

describe("a search that finds nothing", () => {
  it.each<[SearchFilters, string]>([
    [{ category: "runbok" }, 'No document has the category "runbok"; list_topics shows which there are.'],
    [{ topic: "opps" }, 'No document has the topic "opps"; list_topics shows which there are.'],
    [{ tags_all: ["storage", "#attic"] }, 'No document has the tag "attic".'],
    [{ tags_any: ["attic", "cellar"] }, 'No document has one of the tags "attic, cellar".'],
    [{ path_globs: ["opps/**", "!x.md"] }, 'No path matches "opps/**, !x.md".'],
    [
      { date_from: "2027-01-01" },
      "No document has a date in that range; one without a date in its frontmatter is in none.",
    ],
  ])("names the filter that nothing meets: %j", async (filters, note) => {
    expect(await notesOf(filters)).toEqual([note]);
  });

  it("names none where each filter is met by something", async () => {
    expect(await notesOf({ topic: "ops", tags_all: ["garden"] })).toEqual([]);
  });

  it("keeps its notes short", async () => {
    const notes = await notesOf({ tags_all: Array.from({ length: 60 }, (_, n) => `${n}`.repeat(400)) });
    expect(notes.length).toBeLessThanOrEqual(8);
    expect(notes.join("").length).toBeLessThan(1200);
  });

  it("says nothing of filters where it found something", async () => {
    expect(await notesOf({ topic: "ops" })).toEqual([]);
  });
});
