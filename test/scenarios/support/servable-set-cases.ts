// Random knowledge bases for the servable set: what is on disk, what the index says, and what happened since.
import { appendFile, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect } from "@jest/globals";
import fc from "fast-check";
import type { KnowledgeBase } from "../../../src/core/index.js";
import { limits } from "../../../src/core/limits.js";
import type { StoredDocument, VectorStore } from "../../../src/core/plugin-api.js";
import type { ParserId } from "../../support/assembled-knowledge-base.js";
import { writeTree } from "../../support/temporary-folder.js";

const allParsers: readonly ParserId[] = ["md", "txt", "log", "blob"];
const cap = limits.readTextBytes;

/** What the index says of a document's size, which need not be true. */
type Recorded = "as it is" | "unknown" | "not a number" | "at the cap" | "past the cap";
/** What happens to a file after it was indexed. */
type Fate = "stays" | "is deleted" | "grows past the cap" | "becomes a link";

export interface Case {
  readonly indexed: readonly { path: string; large: boolean; recorded: Recorded; fate: Fate }[];
  /** Written after the index run. */
  readonly late: readonly string[];
  /** Served from an index that was made with all parsers. */
  readonly enabled: readonly ParserId[];
  readonly excludeDirs: readonly string[];
}

const path = fc
  .record({
    folder: fc.constantFrom("", "", "ops/", "ops/runbooks/", "ops/runbooks/db/", "日本/", "x/", "a b/"),
    name: fc.constantFrom("a", "b", "メモ", "100% (c)", "é", "[d]"),
    extension: fc.constantFrom("md", "md", "MD", "txt", "log", "Blob", "blob"),
  })
  .map(({ folder, name, extension }) => `${folder}${name}.${extension}`);

export const aCase: fc.Arbitrary<Case> = fc.record({
  indexed: fc.uniqueArray(
    fc.record({
      path,
      large: fc.constantFrom(false, false, false, false, true),
      recorded: fc.constantFrom<Recorded>(
        "as it is",
        "as it is",
        "as it is",
        "unknown",
        "not a number",
        "at the cap",
        "past the cap",
      ),
      fate: fc.constantFrom<Fate>(
        "stays",
        "stays",
        "stays",
        "is deleted",
        "grows past the cap",
        "becomes a link",
      ),
    }),
    { selector: ({ path }) => path.toLowerCase(), minLength: 1, maxLength: 12 },
  ),
  late: fc.array(path, { maxLength: 3 }),
  enabled: fc.subarray([...allParsers]),
  excludeDirs: fc.subarray(["x", "runbooks"]),
});

/** Text with little in it, so that it is quick to index whatever its size. */
const content = (file: string, large = false): string =>
  `The lighthouse of ${file}.\n${large ? " ".repeat(cap) : ""}`;

const recordedSizes: Readonly<Record<Exclude<Recorded, "as it is">, number | undefined>> = {
  unknown: undefined,
  "not a number": Number.NaN,
  "at the cap": cap,
  "past the cap": cap + 1,
};

/**
 * Makes what a case describes.
 * @param store of the index
 * @param indexer a knowledge base over that store, with these parsers and excluded folders; it is closed after
 */
export async function prepareCase(
  folder: string,
  { indexed, late, excludeDirs }: Case,
  store: VectorStore,
  indexer: (parsers: readonly ParserId[], excludeDirs: readonly string[]) => Promise<KnowledgeBase>,
): Promise<void> {
  const kb = join(folder, "kb");
  await mkdir(kb);
  await writeTree(kb, Object.fromEntries(indexed.map(({ path, large }) => [path, content(path, large)])));
  const made = await indexer(allParsers, excludeDirs);
  await made.index().catch((error: unknown) => {
    expect(error).toMatchObject({ code: "KB_READ_NO_FILES" });
  });
  await made.close();
  for (const { path, recorded, fate } of indexed) {
    const [row] = await store.documentsAt([path]);
    if (row !== undefined && recorded !== "as it is")
      await record(store, { ...row, sizeBytes: recordedSizes[recorded] } as StoredDocument);
    const place = join(kb, path);
    if (fate === "is deleted" || fate === "becomes a link") await rm(place);
    if (fate === "becomes a link") await symlink("/etc/hostname", place);
    if (fate === "grows past the cap") await appendFile(place, " ".repeat(cap));
  }
  for (const path of late)
    await writeFile(join(kb, path), content(path), { flag: "wx" }).catch(async () => {
      await mkdir(dirname(join(kb, path)), { recursive: true });
      await writeFile(join(kb, path), content(path), { flag: "wx" }).catch(() => undefined);
    });
}

/** A store whose columns take whole numbers only refuses a size that is none: the row stays as it was. */
async function record(store: VectorStore, row: StoredDocument): Promise<void> {
  await store.write({ update: [row] }).catch((error: unknown) => {
    if (Number.isInteger(row.sizeBytes)) throw error;
    expect(error).toMatchObject({ code: "KB_STORE_FAILED" });
  });
}
