import { mkdir, mkdtemp, readdir, rename, rm, truncate, utimes, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { KbError, type StoredChunk } from "../../../src/core/plugin-api.js";
import { indexerInFolder, waitingWord, type IndexerInFolder } from "../../support/indexer-in-folder.js";
import { letterEmbedder } from "../../support/letter-embedder.js";

let notes: string;
let indexer: IndexerInFolder;

beforeEach(async () => {
  notes = await mkdtemp(join(tmpdir(), "kb-mcp-indexer-"));
  indexer = await indexerInFolder(notes);
});
afterEach(async () => {
  await indexer.close();
  await rm(notes, { recursive: true, force: true });
});

const write = (path: string, text: string) => writeFile(join(notes, path), text);
const storedPaths = async (): Promise<string[]> => {
  const paths: string[] = [];
  for await (const batch of indexer.store.documents(["path"])) paths.push(...batch.map(({ path }) => path));
  return paths.sort();
};
const chunksOf = (path: string): Promise<readonly StoredChunk[]> => indexer.store.documentChunks(path);

describe("a folder that gets a new name", () => {
  it("keeps its vectors, in few writes", async () => {
    await mkdir(join(notes, "old"));
    const names = Array.from({ length: 300 }, (_, index) => `note-${index}.md`);
    for (const name of names) await write(`old/${name}`, `# About ${name}\n\nThe text of ${name}.\n`);
    await indexer.run();
    const before = await chunksOf("old/note-7.md");
    const commits = indexer.commits.length;
    await rename(join(notes, "old"), join(notes, "new"));
    const embedded = indexer.embedded.length;
    expect(await indexer.run()).toMatchObject({ renamed: 300, added: 0, deleted: 0, documents: 300 });
    expect(indexer.embedded).toHaveLength(embedded);
    expect(await storedPaths()).toEqual(names.map((name) => `new/${name}`).sort());
    expect((await chunksOf("new/note-7.md")).map(({ vector }) => vector)).toEqual(
      before.map(({ vector }) => vector),
    );
    expect(indexer.commits.length - commits).toBe(2);
    const put = indexer.commits.slice(commits).flatMap((commit) => commit.put);
    const deleted = indexer.commits.slice(commits).flatMap((commit) => commit.deleted);
    expect(put.sort()).toEqual(names.map((name) => `new/${name}`).sort());
    expect(deleted.sort()).toEqual(names.map((name) => `old/${name}`).sort());
  });

  it("keeps the vectors of notes with the same content too", async () => {
    await mkdir(join(notes, "old"));
    for (const name of ["a", "b", "c"]) await write(`old/${name}.md`, "# Template\n\nTo be filled in.\n");
    await indexer.run();
    await rename(join(notes, "old"), join(notes, "new"));
    expect(await indexer.run()).toMatchObject({ renamed: 3, embedded: 0, deleted: 0, documents: 3 });
  });

  it("keeps them for notes without text, which are written in bounded groups", async () => {
    for (let index = 0; index < 300; index++) await write(`empty-${index}.md`, "\n");
    expect(await indexer.run()).toMatchObject({ added: 300, embedded: 0 });
    expect(Math.max(...indexer.commits.map(({ put }) => put.length))).toBeLessThan(300);
  });

  it("keeps the vectors of a note that was moved over another", async () => {
    await write("kept.md", "# Kept\n\nThis text stays.\n");
    await write("lost.md", "# Lost\n\nThis text goes.\n");
    await indexer.run();
    await rename(join(notes, "kept.md"), join(notes, "lost.md"));
    expect(await indexer.run()).toMatchObject({ renamed: 1, updated: 0, embedded: 0, documents: 1 });
    expect((await chunksOf("lost.md"))[0]?.content).toContain("This text stays.");
  });

  it("is embedded anew by a forced run", async () => {
    await write("old.md", "# Note\n\nSome text.\n");
    await indexer.run();
    await rename(join(notes, "old.md"), join(notes, "new.md"));
    expect(await indexer.run({ force: true })).toMatchObject({ added: 1, deleted: 1, embedded: 1 });
    expect(await storedPaths()).toEqual(["new.md"]);
  });
});

describe("an embedder that cannot work at all", () => {
  it.each(["countTokens", "embedDocuments"] as const)(
    "ends the run with its own error where %s meets it, and keeps what was stored",
    async (call) => {
      await indexer.close();
      let missing = false;
      const letters = letterEmbedder();
      const unlessMissing = <Answer>(answer: Answer): Promise<Answer> =>
        missing
          ? Promise.reject(new KbError("KB_MODEL_MISSING", "The model is not on this machine"))
          : Promise.resolve(answer);
      indexer = await indexerInFolder(notes, {
        ...letters,
        ...(call === "countTokens"
          ? { countTokens: (texts) => unlessMissing(texts.map(({ length }) => length)) }
          : { embedDocuments: (texts) => unlessMissing(texts.map(() => null)) }),
      });
      await write("a.md", "# A\n\nThe text of a.\n");
      await indexer.run();
      missing = true;
      await write("a.md", "# A\n\nAnother text of a.\n");
      await write("b.md", "# B\n\nThe text of b.\n");
      await expect(indexer.run()).rejects.toMatchObject({ code: "KB_MODEL_MISSING" });
      expect(await storedPaths()).toEqual(["a.md"]);
      expect((await chunksOf("a.md")).map(({ content }) => content).join()).toContain("The text of a.");
    },
  );
});

describe("a document that the embedder refuses", () => {
  beforeEach(async () => {
    for (const name of ["a", "b", "c"]) await write(`${name}.md`, `# ${name}\n\nThe text of ${name}.\n`);
    await indexer.run();
  });

  it("does not keep what is gone in the index, nor touched files from being known", async () => {
    indexer.refuse("poison");
    await write("new.md", "# New\n\nHolds poison.\n");
    await rm(join(notes, "a.md"));
    await utimes(join(notes, "b.md"), new Date(), new Date());
    const summary = await indexer.run();
    expect(summary).toMatchObject({ deleted: 1, unchanged: 2, documents: 2 });
    expect(summary.skipped).toMatchObject([{ path: "new.md", code: "KB_EMBED_FAILED" }]);
    expect(await storedPaths()).toEqual(["b.md", "c.md"]);
  });

  it("does not count as a change of the index", async () => {
    indexer.refuse("poison");
    await write("new.md", "# New\n\nHolds poison.\n");
    const overview = join(indexer.indexDirectory, "overview.json");
    await rm(overview);
    await indexer.run();
    await utimes(overview, new Date(0), new Date(0));
    const version = await indexer.store.version();
    await indexer.run();
    expect(await indexer.store.version()).toBe(version);
  });

  it("ends the run with the embedder's error when there are several and none worked", async () => {
    indexer.refuse("poison");
    for (const name of ["d", "e"]) await write(`${name}.md`, `# ${name}\n\nHolds poison.\n`);
    await rm(join(notes, "a.md"));
    await expect(indexer.run()).rejects.toMatchObject({ code: "KB_EMBED_FAILED" });
    expect(await storedPaths()).toEqual(["b.md", "c.md"]);
  });
});

describe("a damaged index", () => {
  beforeEach(async () => {
    for (const name of ["a", "b"]) await write(`${name}.md`, `# ${name}\n\nThe text of ${name}.\n`);
    await indexer.run();
    for (const table of ["documents", "chunks"]) {
      const data = join(indexer.indexDirectory, "index", `${table}.lance`, "data");
      for (const file of await readdir(data)) await truncate(join(data, file), 10);
    }
  });

  it("is repaired by a forced run, and by no other", async () => {
    await expect(indexer.run()).rejects.toMatchObject({ code: "KB_STORE_CORRUPT" });
    expect(await indexer.run({ force: true })).toMatchObject({ added: 2, documents: 2 });
    expect(await indexer.run()).toMatchObject({ unchanged: 2 });
  });
});

describe("a run that lost its lease", () => {
  it("stops and says so", async () => {
    const leaseFile = join(indexer.indexDirectory, "writer.lease");
    await write("a.md", `# A\n\nThey wait for ${waitingWord}.\n`);
    const lease = { pid: process.ppid, host: hostname(), startedAt: Date.now(), token: "of-another" };
    let taken: Promise<void> | undefined;
    const run = indexer.run({
      onProgress: ({ phase }) => {
        if (phase === "index") taken ??= writeFile(leaseFile, JSON.stringify(lease));
      },
    });
    await expect(run).rejects.toMatchObject({ code: "KB_STORE_BUSY" });
    await taken;
  });
});
