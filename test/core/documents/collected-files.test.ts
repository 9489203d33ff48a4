// Which files are documents, asked of every surface that decides it: on real trees with links, hard links and special
// files, under random rules, all give the same set.
import { link, lstat, mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, it } from "@jest/globals";
import fc from "fast-check";
import { isKbError } from "../../../src/core/errors.js";
import { loadExclusion, type Exclusion } from "../../../src/core/documents/exclusion.js";
import type { KnowledgeBaseRoot } from "../../../src/core/documents/knowledge-base-root.js";
import { readGuarded } from "../../../src/core/documents/read-guard.js";
import { walk } from "../../../src/core/documents/walk.js";
import { makeFifos, withTemporaryFolder } from "../../support/temporary-folder.js";

const extensions = new Set(["md", "txt"]);

/** @param everything each path that was made, folders too */
type Surface = (
  root: KnowledgeBaseRoot,
  exclusion: Exclusion,
  everything: readonly string[],
) => Promise<string[]>;

// The live watcher (what it would index when told of each path in turn) and the walk of `validate` join here.
const surfaces: Readonly<Record<string, Surface>> = {
  async walk(root, exclusion) {
    const found: string[] = [];
    for await (const { files } of walk({ root, exclusion, extensions }))
      found.push(...files.map(({ path }) => path));
    return found;
  },
  async "the check of a single path"(root, exclusion, everything) {
    const found: string[] = [];
    for (const path of everything) {
      if (exclusion.isExcluded(path, "file")) continue;
      try {
        found.push((await readGuarded(root, path, { extensions, maxBytes: 100 })).path);
      } catch (error) {
        if (!isKbError(error)) throw error;
      }
    }
    return found;
  },
};

type Kind = "file" | "folder" | "link" | "link to a folder" | "hard link" | "fifo";

const folderName = fc.constantFrom(
  ...["a", "a", "B", "c", "c", "logs", "École".normalize("NFD"), "d.md", ".git", "Node_Modules"],
);
const fileName = fc.constantFrom(
  ...["a", "c.md", "D.MD", "f.md", "g.txt", "日本.md", "が.md".normalize("NFD"), "Logs.md"],
  ...["~$e.md", "~$e", ".KB-MCP", "x.txt", "y.pdf", "con.md", "a.md:b.md"],
);
const path = fc
  .tuple(fc.array(folderName, { maxLength: 3 }), fileName)
  .map(([folders, file]) => [...folders, file].join("/"));
const entry = fc.record({
  path,
  kind: fc.constantFrom<Kind>(
    ...Array.from({ length: 16 }, (): Kind => "file"),
    ...(["folder", "folder"] as const),
    ...(["link", "link to a folder", "hard link", "fifo"] as const),
  ),
});
const pattern = fc
  .record({
    negated: fc.constantFrom("", "", "!"),
    start: fc.constantFrom("", "", "/", "*", "**/"),
    path: fc.oneof(path, folderName, fileName),
    end: fc.constantFrom("", "", "/", "/*", "/**"),
  })
  .map(({ negated, start, path, end }) => negated + start + path + end);

/** Makes an entry; one that cannot be, because of another, is left out. */
async function make(folder: string, path: string, kind: Kind): Promise<void> {
  const place = join(folder, "kb", path);
  const makers: Readonly<Record<Kind, () => unknown>> = {
    file: () => writeFile(place, "text", { flag: "wx" }),
    folder: () => mkdir(place),
    link: () => symlink(join(folder, "outside.md"), place),
    "link to a folder": () => symlink(join(folder, "elsewhere"), place),
    "hard link": () => link(join(folder, "outside.md"), place),
    fifo: async () => {
      if (await lstat(place).catch(() => undefined)) return;
      makeFifos(place);
    },
  };
  try {
    await mkdir(dirname(place), { recursive: true });
    await makers[kind]();
  } catch (error) {
    if (!["EEXIST", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}

it("every surface collects the same files of random trees under random rules", async () => {
  let collected = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(entry, { minLength: 10, maxLength: 25 }),
      fc.option(fc.array(pattern, { maxLength: 2 }), { nil: undefined }),
      fc.array(folderName, { maxLength: 1 }),
      (entries, patterns, excludeDirs) =>
        withTemporaryFolder(async (folder) => {
          await mkdir(join(folder, "kb"));
          await mkdir(join(folder, "elsewhere"));
          for (const file of ["outside.md", "elsewhere/c.md", "elsewhere/x.txt"])
            await writeFile(join(folder, file), "SECRET");
          for (const { path, kind } of entries) await make(folder, path, kind);
          if (patterns !== undefined)
            await writeFile(join(folder, "kb", ".kb-mcpignore"), patterns.join("\n"));

          const root = { path: join(folder, "kb") };
          const everything = new Set(entries.flatMap(({ path }) => [path, `${path}/c.md`, `${path}/x.txt`]));
          const answers: Record<string, string[]> = {};
          for (const [surface, collect] of Object.entries(surfaces)) {
            // Rules of its own for each, so that none profits from what another asked.
            const { exclusion } = await loadExclusion({ root, excludeDirs });
            answers[surface] = (await collect(root, exclusion, [...everything])).sort();
          }
          const [first = []] = Object.values(answers);
          collected += first.length;
          for (const [surface, found] of Object.entries(answers))
            expect([surface, found]).toEqual([surface, first]);
        }),
    ),
    { numRuns: 80, seed: Number(process.env["KB_MCP_TEST_SEED"] ?? 3), endOnFailure: true },
  );
  expect(collected).toBeGreaterThan(300);
});
