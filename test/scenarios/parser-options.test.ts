// Other options of a parser: its own files are read again, and no others.
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import type { GuardedParser } from "../../src/core/documents/guarded-parse.js";
import { createParserRegistry, type ParserRegistry } from "../../src/core/documents/parser-registry.js";
import { assembleKnowledgeBase, registryOf, sharedParser } from "../support/assembled-knowledge-base.js";
import { memoryStore } from "../support/memory-store.js";
import { withTemporaryFolder, writeTree } from "../support/temporary-folder.js";

let parser: GuardedParser;
beforeAll(async () => {
  parser = await sharedParser();
});
afterAll(() => parser.dispose());

async function registryWith(options: Readonly<Record<string, unknown>>): Promise<ParserRegistry> {
  const { entries } = await registryOf(["md", "log"]);
  return createParserRegistry(entries.map((entry) => (entry.id === "log" ? { ...entry, options } : entry)));
}

it("reads only the files of a parser again whose options changed, and notes the parsers for people", async () => {
  await withTemporaryFolder(async (folder) => {
    await writeTree(folder, { "kb/a.md": "# A\n\nText.\n", "kb/b.log": "Text.\n", "kb/c.log": "Text.\n" });
    const store = memoryStore();
    const indexed = async (options: Readonly<Record<string, unknown>>): Promise<string[]> => {
      const read: string[] = [];
      const counting: GuardedParser = {
        readText: (...args) => parser.readText(...args),
        readChunks: (path, ...rest) => {
          read.push(path);
          return parser.readChunks(path, ...rest);
        },
        dispose: () => Promise.resolve(),
      };
      const registry = await registryWith(options);
      const knowledgeBase = assembleKnowledgeBase(folder, { registry, parser: counting, store });
      await knowledgeBase.index();
      return read.sort();
    };
    expect(await indexed({})).toEqual(["a.md", "b.log", "c.log"]);
    expect(await indexed({ lines: 3, deep: { a: 1, b: 2 } })).toEqual(["b.log", "c.log"]);
    expect(await indexed({ deep: { b: 2, a: 1 }, lines: 3 })).toEqual([]);
    expect((await store.readMeta())?.["parsers"]).toMatch(/^log@1\.0\.0\+[0-9a-f]{8} md@\S+$/u);
    expect(await indexed({ lines: 4, deep: { a: 1, b: 2 } })).toEqual(["b.log", "c.log"]);
  });
});
