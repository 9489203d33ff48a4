// An indexer over a folder with real files, the real Markdown parser and a real store, and an embedder that can be
// told what to refuse.
import { once } from "node:events";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createGuardedParser } from "../../src/core/documents/guarded-parse.js";
import { openRoot } from "../../src/core/documents/knowledge-base-root.js";
import { createParserRegistry } from "../../src/core/documents/parser-registry.js";
import { KbError } from "../../src/core/errors.js";
import type { Commit } from "../../src/core/indexing/group-committer.js";
import { createIndexer, type Indexer } from "../../src/core/indexing/indexer.js";
import { lazy } from "../../src/core/lazy.js";
import type { Embedder, VectorStore } from "../../src/core/plugin-api.js";
import { letterEmbedder } from "../support/letter-embedder.js";
import { storeFolder, type StoreFolder } from "../support/store-in-folder.js";

export interface IndexerInFolder extends Indexer {
  /** A store opened on the index, for looking at it. */
  readonly store: VectorStore;
  readonly storeFolder: StoreFolder;
  /** Where the writer's lease is. */
  readonly indexDirectory: string;
  readonly commits: readonly Commit[];
  /** Texts that the embedder was given. */
  readonly embedded: readonly string[];
  /** Makes the embedder fail on every text that holds one of these words. */
  refuse(...words: string[]): void;
  close(): Promise<void>;
}

/** A text that holds it keeps the embedder waiting until the run is aborted. */
export const waitingWord = "Godot";

const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** @param letters the embedder behind the one that can be told what to refuse */
export async function indexerInFolder(
  notes: string,
  letters: Embedder = letterEmbedder(),
): Promise<IndexerInFolder> {
  const stores = await storeFolder();
  const store = await stores.open();
  const commits: Commit[] = [];
  const embedded: string[] = [];
  let refused: readonly string[] = [];
  const embedder: Embedder = {
    ...letters,
    async embedDocuments(texts, signal) {
      if (texts.some((text) => text.includes(waitingWord))) await once(signal, "abort");
      const bad = texts.find((text) => refused.some((word) => text.includes(word)));
      if (bad !== undefined) throw new KbError("KB_EMBED_FAILED", "The embedder refused a text");
      embedded.push(...texts);
      return letters.embedDocuments(texts, signal);
    },
  };
  const registry = createParserRegistry([
    {
      id: "md",
      version: "1",
      extensions: ["md"],
      mediaType: "text/markdown",
      binary: false,
      owner: "kb-mcp",
      moduleUrl: pathToFileURL("dist/plugins/parsers/md/index.js").href,
      options: {},
    },
  ]);
  const parser = createGuardedParser(registry, silent, { dataDirectory: join(stores.path, "parsers") });
  const indexDirectory = join(stores.path, "data");
  const indexer = createIndexer({
    root: await openRoot(notes),
    registry,
    parser,
    maxFileBytes: 1024 * 1024,
    excludeHeadings: [],
    excludeDirs: [],
    indexDirectory,
    store: lazy(
      () => Promise.resolve(store),
      () => Promise.resolve(),
    ),
    embedder: lazy(
      () => Promise.resolve(embedder),
      () => Promise.resolve(),
    ),
    embedderId: "letters",
    logger: silent,
    onCommit: (commit) => commits.push(commit),
  });
  return {
    ...indexer,
    store,
    storeFolder: stores,
    indexDirectory,
    commits,
    embedded,
    refuse(...words) {
      refused = words;
    },
    async close() {
      await parser.dispose();
      await stores.remove();
    },
  };
}
