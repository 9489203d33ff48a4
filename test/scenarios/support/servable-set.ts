// The servable set from outside: whatever is on disk, in the index and in the registry, every surface offers the same
// documents, and a resource read accepts exactly those.
import { expect } from "@jest/globals";
import fc from "fast-check";
import type { GuardedParser } from "../../../src/core/documents/guarded-parse.js";
import { documentUri } from "../../../src/core/documents/document-uri.js";
import { isKbError } from "../../../src/core/errors.js";
import { limits } from "../../../src/core/limits.js";
import type { StoredDocument, VectorStore } from "../../../src/core/plugin-api.js";
import { assembleKnowledgeBase, registryOf, type ParserId } from "../../support/assembled-knowledge-base.js";
import { withTemporaryFolder } from "../../support/temporary-folder.js";
import type { IndexParts } from "../support/index-parts.js";
import { offeredBy } from "../support/offered-documents.js";
import { aCase, prepareCase } from "../support/servable-set-cases.js";

const cap = limits.readTextBytes;

const outcome = (reading: Promise<{ text: string }>): Promise<string> =>
  reading.then(
    ({ text }) => text,
    (error: unknown) => {
      if (!isKbError(error)) throw error;
      return error.code;
    },
  );

/**
 * Every surface offers the same documents, and a resource read accepts exactly those, over random trees, indexes and
 * registries.
 * @param cases how many of them, and how often each outcome must be seen in them
 */
export async function expectOneServableSet(
  parser: GuardedParser,
  parts: IndexParts,
  { runs, least }: { readonly runs: number; readonly least: number },
): Promise<void> {
  const withIndex = (use: (folder: string, store: VectorStore) => Promise<void>): Promise<void> =>
    withTemporaryFolder(async (folder) => {
      const store = await parts.store(folder);
      try {
        await use(folder, store);
      } finally {
        await store.close();
      }
    });
  const seen = { offered: 0, refused: 0, readButNoResource: 0 };
  await fc.assert(
    fc.asyncProperty(aCase, (input) =>
      withIndex(async (folder, store) => {
        const open = async (ids: readonly ParserId[], excludeDirs: readonly string[] = []) =>
          assembleKnowledgeBase(folder, {
            registry: await registryOf(ids),
            parser,
            store,
            embedder: () => parts.embedder,
            excludeDirs,
          });
        await prepareCase(folder, input, store, open);
        const registry = await registryOf(input.enabled);
        const kb = await open(input.enabled);
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
    { numRuns: runs, seed: Number(process.env["KB_MCP_TEST_SEED"] ?? 7), endOnFailure: true },
  );
  // The cases are of every sort.
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(least);
}
