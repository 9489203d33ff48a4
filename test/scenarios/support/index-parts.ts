// What a scenario is run with that puts a knowledge base together: store and embedder vary, its assertions do not.
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Embedder, VectorStore } from "../../../src/core/plugin-api.js";
import { configuredEmbedder, configuredStore } from "../../support/configured-parts.js";
import { letterEmbedder } from "../../support/letter-embedder.js";
import { storeInMemory } from "../../support/store-in-memory.js";

export interface IndexParts {
  /** An empty store; close it when done. */
  readonly store: (folder: string) => Promise<VectorStore>;
  readonly embedder: Embedder;
  /** Gives up what the parts hold. */
  close(): Promise<void>;
}

/** Parts that cost nothing and do nothing but what they must. */
export function plainParts(): Promise<IndexParts> {
  return Promise.resolve({
    store: () => Promise.resolve(storeInMemory().store),
    embedder: letterEmbedder(),
    close: () => Promise.resolve(),
  });
}

/** The parts that come with kb-mcp, as a configuration chooses them. @param toml the text of a kb-mcp.toml */
export async function configuredParts(toml: string): Promise<IndexParts> {
  const place = await realpath(await mkdtemp(join(tmpdir(), "kb-mcp-parts-")));
  const embedder = await configuredEmbedder(place, toml);
  return {
    store: (folder) => configuredStore(folder, toml),
    embedder,
    async close() {
      await embedder.dispose();
      await rm(place, { recursive: true, force: true });
    },
  };
}
