// The servable set from outside: whatever is on disk, in the index and in the registry, every surface offers the same
// documents, and a resource read accepts exactly those.
import { appendFile, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { documentUri } from "../../src/core/documents/document-uri.js";
import { isKbError } from "../../src/core/errors.js";
import type { GuardedParser } from "../../src/core/documents/guarded-parse.js";
import type { KnowledgeBase } from "../../src/core/index.js";
import { limits } from "../../src/core/limits.js";
import type { StoredDocument, VectorStore } from "../../src/core/plugin-api.js";
import { openKnowledgeBase } from "../../src/index.js";
import {
  assembleKnowledgeBase,
  registryOf,
  sharedParser,
  type ParserId,
} from "../support/assembled-knowledge-base.js";
import { storeInMemory } from "../support/store-in-memory.js";
import { withTemporaryFolder, writeTree } from "../support/temporary-folder.js";

const allParsers: readonly ParserId[] = ["md", "txt", "log", "blob"];
const cap = limits.readTextBytes;

let parser: GuardedParser;
beforeAll(async () => {
  parser = await sharedParser();
});
afterAll(() => parser.dispose());

/** What the index says of a document's size, which need not be true. */
type Recorded = "as it is" | "unknown" | "not a number" | "at the cap" | "past the cap";
/** What happens to a file after it was indexed. */
type Fate = "stays" | "is deleted" | "grows past the cap" | "becomes a link";

interface Case {
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

const aCase: fc.Arbitrary<Case> = fc.record({
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

async function prepare(folder: string, { indexed, late, excludeDirs }: Case): Promise<VectorStore> {
  const kb = join(folder, "kb");
  await mkdir(kb);
  await writeTree(kb, Object.fromEntries(indexed.map(({ path, large }) => [path, content(path, large)])));
  const { store } = storeInMemory();
  const registry = await registryOf(allParsers);
  const indexer = assembleKnowledgeBase(folder, { registry, parser, store, excludeDirs });
  await indexer.index().catch((error: unknown) => {
    expect(error).toMatchObject({ code: "KB_READ_NO_FILES" });
  });
  await indexer.close();
  for (const { path, recorded, fate } of indexed) {
    const [row] = await store.documentsAt([path]);
    if (row !== undefined && recorded !== "as it is")
      await store.write({ update: [{ ...row, sizeBytes: recordedSizes[recorded] } as StoredDocument] });
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
  return store;
}

/** Every document that a surface offers, and that they agree. */
async function offeredBy(kb: KnowledgeBase): Promise<Set<string>> {
  const { paths, total } = await kb.completePath("", 1000);
  expect(total).toBe(paths.length);
  const offered = new Set(paths);

  const inTopics = new Set<string>();
  const topics = await kb.listResources();
  for (const { uri, documents } of topics) {
    const { text } = await kb.readResource(uri);
    const uris = [...text.matchAll(/\]\((kb:\/\/doc\/[^)]+)\)/gu)].map(([, found]) => found!);
    expect([uri, uris.length]).toEqual([uri, documents]);
    for (const found of uris) inTopics.add(found);
  }
  expect([...inTopics].sort()).toEqual(paths.map(documentUri).sort());

  const listed = await kb.listTopics();
  const linked = listed.topics.flatMap((topic) => topic.uri ?? []);
  expect(linked.sort()).toEqual(topics.map(({ uri }) => uri).sort());

  for (const path of paths) expect((await kb.completePath(path, 1000)).paths).toContain(path);
  return offered;
}

const outcome = (reading: Promise<{ text: string }>): Promise<string> =>
  reading.then(
    ({ text }) => text,
    (error: unknown) => {
      if (!isKbError(error)) throw error;
      return error.code;
    },
  );

describe("the servable set", () => {
  it("is what every surface offers and what a resource read accepts, over random trees, indexes and registries", async () => {
    const seen = { offered: 0, refused: 0, readButNoResource: 0 };
    await fc.assert(
      fc.asyncProperty(aCase, (input) =>
        withTemporaryFolder(async (folder) => {
          const store = await prepare(folder, input);
          const registry = await registryOf(input.enabled);
          const kb = assembleKnowledgeBase(folder, { registry, parser, store });
          if ((await store.readMeta()) === undefined) return kb.close();

          const rows: StoredDocument[] = [];
          for (const { path } of input.indexed) rows.push(...(await store.documentsAt([path])));
          const knowable = rows.filter(({ path, sizeBytes }) => {
            const entry = registry.forPath(path);
            return entry !== undefined && (entry.binary || !(sizeBytes > cap));
          });
          const offered = await offeredBy(kb);
          expect([...offered].sort()).toEqual(knowable.map(({ path }) => path).sort());

          const { results } = await kb.search({ query: "lighthouse", limit: 100 });
          expect(new Set(results.map(({ path }) => path))).toEqual(new Set(rows.map(({ path }) => path)));
          for (const { path, uri } of results)
            expect([path, uri]).toEqual([path, offered.has(path) ? documentUri(path) : undefined]);

          const disturbed = new Set(
            input.indexed
              .filter(({ path, fate, large }) => {
                const binary = registry.forPath(path)?.binary === true;
                return !(fate === "stays" || (fate === "grows past the cap" && binary)) || (large && !binary);
              })
              .map(({ path }) => path),
          );
          const everything = new Set([...input.indexed.map(({ path }) => path), ...input.late]);
          for (const path of [...everything])
            for (const other of [path.toUpperCase(), path.toLowerCase(), path.normalize("NFD"), `${path}x`])
              everything.add(other);
          for (const path of everything) {
            const asResource = await outcome(kb.readResource(documentUri(path)));
            const asDocument = await outcome(kb.getDocument({ path }));
            if (!offered.has(path)) {
              expect([path, asResource]).toEqual([path, "KB_READ_NOT_SERVABLE"]);
              seen.refused++;
              if (!asDocument.startsWith("KB_")) seen.readButNoResource++;
            } else {
              // The same read: the same text, or the same refusal of what changed since.
              expect([path, asResource]).toEqual([path, asDocument]);
              if (disturbed.has(path)) expect(asResource).toMatch(/^KB_READ_(NOT_FOUND|LINK|TOO_LARGE)$/u);
              else expect(asResource).not.toMatch(/^KB_/u);
              seen.offered++;
            }
          }
          await kb.close();
        }),
      ),
      { numRuns: 60, seed: Number(process.env["KB_MCP_TEST_SEED"] ?? 7), endOnFailure: true },
    );
    // The cases are of every sort.
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(50);
  }, 60_000);
});

describe("resources and reads", () => {
  let folder: string;
  let notes: string;
  let remove: () => void;
  let removed: Promise<void>;
  let kb: KnowledgeBase;

  beforeAll(async () => {
    await new Promise<void>((ready) => {
      removed = withTemporaryFolder(async (made) => {
        folder = made;
        ready();
        await new Promise<void>((resolve) => (remove = resolve));
      });
    });
    notes = join(folder, "notes");
    process.env["KB_MCP_DATA_DIR"] = join(folder, "data");
    await writeTree(notes, {
      "a.md": "# A\n\nThe lighthouse.\n",
      "plain.txt": "The lighthouse in plain words.\n",
      "drafts/d.md": "# D\n\nA lighthouse that is not finished.\n",
      "ignored.md": "# I\n\nA lighthouse that is ignored.\n",
      ".kb-mcpignore": "ignored.md\n",
    });
    await writeConfig("all.toml", ["md", "txt"]);
    await writeConfig("narrow.toml", ["md"]);
    kb = await openKnowledgeBase({ configFile: join(folder, "all.toml") });
    await kb.index();
  });
  afterAll(async () => {
    await kb.close();
    delete process.env["KB_MCP_DATA_DIR"];
    remove();
    await removed;
  });

  const writeConfig = (name: string, enabled: readonly string[]): Promise<void> =>
    writeFile(
      join(folder, name),
      `kb_path = "./notes"\nexclude_dirs = ["drafts"]\n[parsers]\nenabled = ${JSON.stringify(enabled)}\n` +
        `[best_practice]\npath_templates = ["drafts/{target}.md"]\n`,
    );
  const notServable = { code: "KB_READ_NOT_SERVABLE" };

  it("a document in an excluded directory is read by get_document and get_best_practice", async () => {
    expect((await kb.getDocument({ path: "drafts/d.md" })).text).toContain("not finished");
    expect((await kb.bestPractice({ target: "d" })).text).toContain("not finished");
    expect((await kb.getDocument({ path: "ignored.md" })).text).toContain("is ignored");
  });

  it("a document in an excluded directory is no resource and no hit", async () => {
    for (const path of ["drafts/d.md", "ignored.md"])
      await expect(kb.readResource(`kb://doc/${path}`)).rejects.toMatchObject(notServable);
    const { results } = await kb.search({ query: "lighthouse", limit: 100 });
    expect(results.map(({ path }) => path).sort()).toEqual(["a.md", "plain.txt"]);
  });

  it("a file that is not yet indexed is refused as a resource, and taken once it is", async () => {
    await writeFile(join(notes, "new.md"), "# New\n\nJust written.\n");
    expect((await kb.getDocument({ path: "new.md" })).text).toContain("Just written");
    await expect(kb.readResource("kb://doc/new.md")).rejects.toMatchObject(notServable);
    await kb.index();
    expect((await kb.readResource("kb://doc/new.md")).text).toContain("Just written");
    await rm(join(notes, "new.md"));
    await kb.index();
  });

  it("narrowing the registry keeps hits, without a uri, and neither lists nor reads them", async () => {
    const narrow = await openKnowledgeBase({ configFile: join(folder, "narrow.toml") });
    try {
      const { results } = await narrow.search({ query: "lighthouse", limit: 100 });
      const uris = results.map(({ path, ...hit }) => [path, "uri" in hit]);
      expect(uris.sort()).toEqual([
        ["a.md", true],
        ["plain.txt", false],
      ]);
      expect(await offeredBy(narrow)).toEqual(new Set(["a.md"]));
      await expect(narrow.readResource("kb://doc/plain.txt")).rejects.toMatchObject(notServable);
    } finally {
      await narrow.close();
    }
  });
});
