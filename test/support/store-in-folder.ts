// A lancedb store in a folder of its own, for tests.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { VectorStore } from "../../src/core/plugin-api.js";
import type { StoreUnderTest } from "../../src/testing/index.js";
import { pluginHost } from "../support/plugin-host.js";
import plugin from "../../src/plugins/stores/lancedb/index.js";

export interface StoreFolder {
  readonly path: string;
  /** Opens a store on the folder; several may be open at once. */
  open(): Promise<VectorStore>;
  /** Closes all of them and removes the folder. */
  remove(): Promise<void>;
}

export async function storeFolder(): Promise<StoreFolder> {
  const path = await mkdtemp(join(tmpdir(), "kb-mcp-store-"));
  const opened: VectorStore[] = [];
  return {
    path,
    async open() {
      const [factory] = plugin.stores ?? [];
      if (factory === undefined) throw new Error("the plugin offers no store");
      const store = await factory.create({}, pluginHost(path));
      opened.push(store);
      return store;
    },
    async remove() {
      for (const store of opened) await store.close();
      await rm(path, { recursive: true, force: true });
    },
  };
}

/** What the store contract asks for. */
export async function storeUnderTest(): Promise<StoreUnderTest> {
  const folder = await storeFolder();
  let store = await folder.open();
  return {
    store,
    async reopen() {
      await store.close();
      return (store = await folder.open());
    },
    dispose: () => folder.remove(),
  };
}
