import { appendFile, mkdir, mkdtemp, rename, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { openKnowledgeBase } from "../../src/index.js";
import type { KnowledgeBase } from "../../src/core/index.js";

let folder: string;
let notes: string;
let open: KnowledgeBase[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "kb-mcp-incremental-"));
  notes = join(folder, "notes");
  process.env["KB_MCP_DATA_DIR"] = join(folder, "data");
  open = [];
  await mkdir(join(notes, "trips"), { recursive: true });
  await write("trips/kyoto.md", "# Kyoto\n\nWe saw the moss garden in the rain.\n");
  await write("trips/oslo.md", "# Oslo\n\nThe ferry to the islands runs every hour.\n");
  await write("recipes.md", "---\ntags: [food]\n---\n# Recipes\n\nMiso soup wants a gentle heat.\n");
});
afterEach(async () => {
  for (const knowledgeBase of open) await knowledgeBase.close();
  delete process.env["KB_MCP_DATA_DIR"];
  await rm(folder, { recursive: true, force: true });
});

const write = (path: string, text: string | Uint8Array) => writeFile(join(notes, path), text);
const openNotes = async (): Promise<KnowledgeBase> => {
  const knowledgeBase = await openKnowledgeBase({ kbPath: notes });
  open.push(knowledgeBase);
  return knowledgeBase;
};
const firstPath = async (knowledgeBase: KnowledgeBase, query: string) =>
  (await knowledgeBase.search({ query })).results[0]?.path;

describe("an index run after a change", () => {
  it("embeds only the file that changed", async () => {
    const knowledgeBase = await openNotes();
    expect(await knowledgeBase.index()).toMatchObject({ added: 3, embedded: 3, documents: 3 });
    await appendFile(join(notes, "trips/oslo.md"), "\nThe opera house has a roof one can walk on.\n");
    expect(await knowledgeBase.index()).toMatchObject({ added: 0, updated: 1, unchanged: 2, embedded: 1 });
    expect(await firstPath(knowledgeBase, "opera roof")).toBe("trips/oslo.md");
    expect(await knowledgeBase.index()).toMatchObject({ updated: 0, unchanged: 3, embedded: 0 });
  });

  it("embeds nothing for a file that was touched", async () => {
    const knowledgeBase = await openNotes();
    await knowledgeBase.index();
    await utimes(join(notes, "recipes.md"), new Date(), new Date());
    expect(await knowledgeBase.index()).toMatchObject({ updated: 0, unchanged: 3, embedded: 0 });
  });

  it("keeps the vectors of a file that moved, and finds it under its new path", async () => {
    const knowledgeBase = await openNotes();
    await knowledgeBase.index();
    await rename(join(notes, "trips/kyoto.md"), join(notes, "kyoto-2024.md"));
    expect(await knowledgeBase.index()).toMatchObject({ renamed: 1, added: 0, deleted: 0, embedded: 0 });
    const { results } = await knowledgeBase.search({ query: "moss garden" });
    expect(results[0]).toMatchObject({ path: "kyoto-2024.md", topic: "" });
    expect(results.map(({ path }) => path)).not.toContain("trips/kyoto.md");
  });

  it("equals a fresh index after a move", async () => {
    const knowledgeBase = await openNotes();
    await knowledgeBase.index();
    await rename(join(notes, "trips/kyoto.md"), join(notes, "trips/garden.md"));
    await knowledgeBase.index();
    const moved = await knowledgeBase.search({ query: "garden in the rain" });
    await knowledgeBase.index({ force: true });
    expect(await knowledgeBase.search({ query: "garden in the rain" })).toEqual(moved);
  });

  it("forgets a file that was deleted", async () => {
    const knowledgeBase = await openNotes();
    await knowledgeBase.index();
    await rm(join(notes, "recipes.md"));
    expect(await knowledgeBase.index()).toMatchObject({ deleted: 1, documents: 2 });
    const { results } = await knowledgeBase.search({ query: "miso soup" });
    expect(results.map(({ path }) => path)).not.toContain("recipes.md");
  });

  it("keeps what it knew of a file that cannot be read any more", async () => {
    const knowledgeBase = await openNotes();
    await knowledgeBase.index();
    await write(
      "recipes.md",
      Uint8Array.from({ length: 600 }, (_, index) => index % 7),
    );
    const summary = await knowledgeBase.index();
    expect(summary.skipped).toMatchObject([{ path: "recipes.md", code: "KB_PARSE_ENCODING" }]);
    expect(summary.documents).toBe(3);
    expect(await firstPath(knowledgeBase, "miso soup")).toBe("recipes.md");
  });

  it("refuses to empty the index because the folder is suddenly empty", async () => {
    const knowledgeBase = await openNotes();
    await knowledgeBase.index();
    for (const path of ["trips", "recipes.md"]) await rm(join(notes, path), { recursive: true });
    await expect(knowledgeBase.index()).rejects.toMatchObject({ code: "KB_READ_NO_FILES" });
    expect(await knowledgeBase.index({ force: true })).toMatchObject({ documents: 0, deleted: 3 });
  });

  it("goes on where a cancelled run stopped", async () => {
    for (let day = 1; day <= 150; day++)
      await write(`day-${day}.md`, `# Day ${day}\n\nToday we walked ${day} miles along the river.\n`);
    const knowledgeBase = await openNotes();
    const stop = new AbortController();
    const run = knowledgeBase.index({
      signal: stop.signal,
      onProgress: ({ filesDone }) => {
        if (filesDone > 0) stop.abort();
      },
    });
    await expect(run).rejects.toMatchObject({ code: "KB_CANCELLED" });
    const rest = await knowledgeBase.index();
    expect(rest.unchanged).toBeGreaterThan(0);
    expect(rest).toMatchObject({ documents: 153, skipped: [] });
    expect(rest.added).toBe(153 - rest.unchanged);
  });
});

describe("an index", () => {
  it("that was never built is an error that says what to run", async () => {
    const knowledgeBase = await openNotes();
    await expect(knowledgeBase.search({ query: "moss" })).rejects.toMatchObject({
      code: "KB_STORE_EMPTY",
      hint: expect.stringContaining("kb-mcp index"),
    });
  });

  it("built with other settings is refused, and built anew with force", async () => {
    await (await openNotes()).index();
    const config = join(folder, "kb-mcp.toml");
    await writeFile(config, 'exclude_headings = ["Recipes"]\n');
    const changed = await openKnowledgeBase({ kbPath: notes, configFile: config });
    open.push(changed);
    await expect(changed.search({ query: "moss" })).rejects.toMatchObject({ code: "KB_STORE_MISMATCH" });
    await expect(changed.index()).rejects.toMatchObject({
      code: "KB_STORE_MISMATCH",
      message: expect.stringContaining("exclude_headings"),
    });
    let during: Promise<unknown> | undefined;
    await changed
      .index({
        onProgress: () => {
          during ??= changed.search({ query: "moss" }).catch((error: unknown) => error);
        },
      })
      .catch(() => undefined);
    expect(await during).toMatchObject({ code: "KB_STORE_MISMATCH" });
    await changed.index({ force: true });
    expect(await firstPath(changed, "moss garden")).toBe("trips/kyoto.md");
  });

  it("is refused to a second writer while one is at work", async () => {
    const [first, second] = [await openNotes(), await openNotes()];
    let refused: Promise<unknown> | undefined;
    await first.index({
      onProgress: () => {
        refused ??= second.index().catch((error: unknown) => error);
      },
    });
    expect(await refused).toMatchObject({ code: "KB_STORE_BUSY" });
    await second.index();
  });
});
