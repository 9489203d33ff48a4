// A real knowledge base over a store in memory, put together by hand, so that a test chooses registry and index.
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { createGuardedParser, type GuardedParser } from "../../src/core/documents/guarded-parse.js";
import { createParserRegistry, type ParserRegistry } from "../../src/core/documents/parser-registry.js";
import type { KnowledgeBase } from "../../src/core/index.js";
import { createKnowledgeBase } from "../../src/core/knowledge-base.js";
import { lazy } from "../../src/core/lazy.js";
import { createLogger } from "../../src/core/logger.js";
import type { Embedder, VectorStore } from "../../src/core/plugin-api.js";
import { loadPlugin } from "../../src/core/plugins/load-plugin.js";
import { letterEmbedder } from "../support/letter-embedder.js";

const modules = {
  md: "dist/plugins/parsers/md/index.js",
  txt: "dist/plugins/parsers/txt/index.js",
  log: "test/fixtures/plugins/plain-parsers.mjs",
  blob: "test/fixtures/plugins/plain-parsers.mjs",
};

/** Parsers to choose from: the built-in ones, one more for text, and one for a binary format. */
export type ParserId = keyof typeof modules;

const logger = createLogger("error", () => undefined);

export async function registryOf(ids: readonly ParserId[]): Promise<ParserRegistry> {
  const parsers = await Promise.all(
    ids.map(async (id) => {
      const moduleUrl = pathToFileURL(resolve(modules[id])).href;
      const plugin = await loadPlugin(moduleUrl);
      const { extensions, mediaType, binary } = plugin.parsers!.find((parser) => parser.id === id)!;
      return {
        id,
        version: plugin.version,
        extensions,
        mediaType,
        binary,
        owner: "kb-mcp",
        moduleUrl,
        options: {},
      };
    }),
  );
  return createParserRegistry(parsers);
}

/** The parse process of every parser; several knowledge bases may share it. Dispose of it at the end. */
export async function sharedParser(): Promise<GuardedParser> {
  return createGuardedParser(await registryOf(Object.keys(modules) as ParserId[]), logger);
}

/** @param folder holds the documents in `kb`, and beside them what kb-mcp keeps */
export function assembleKnowledgeBase(
  folder: string,
  parts: {
    registry: ParserRegistry;
    parser: GuardedParser;
    store: VectorStore;
    excludeDirs?: readonly string[];
    excludeHeadings?: readonly string[];
    embedder?: () => Embedder | Promise<Embedder>;
    embedderId?: string;
    ephemeral?: boolean;
    evalHistoryDirectory?: string;
  },
): KnowledgeBase {
  return createKnowledgeBase({
    root: { path: join(folder, "kb") },
    registry: parts.registry,
    parser: {
      readText: (...args) => parts.parser.readText(...args),
      readChunks: (...args) => parts.parser.readChunks(...args),
      dispose: () => Promise.resolve(),
    },
    maxFileBytes: 50 * 1024 * 1024,
    indexDirectory: join(folder, "index"),
    ...(parts.evalHistoryDirectory !== undefined && { evalHistoryDirectory: parts.evalHistoryDirectory }),
    excludeDirs: parts.excludeDirs ?? [],
    excludeHeadings: parts.excludeHeadings ?? [],
    bestPracticeTemplates: ["{target}.md", "x/{target}.md"],
    store: lazy(() => parts.store),
    ...(parts.ephemeral !== undefined && { ephemeral: parts.ephemeral }),
    embedder: lazy(parts.embedder ?? letterEmbedder),
    embedderId: parts.embedderId ?? "letters",
    searchOptions: {
      minConfidence: 0.5,
      limit: 5,
      qualityFilter: { enabled: false, threshold: 0 },
      maxReplyTokens: 1_000_000,
    },
    logger,
  });
}
