// The store and the embedder that a kb-mcp.toml chooses, made by themselves, for tests that put a knowledge base together
// and need its store in hand.
import { join } from "node:path";
import { builtInPlugins, knownPlugins } from "../../src/container.js";
import { loadConfig, type Config } from "../../src/core/config/load-config.js";
import type { Embedder, VectorStore } from "../../src/core/plugin-api.js";
import { choosePlugin, createPart } from "../../src/core/plugins/choose-plugin.js";
import { PluginCatalogue } from "../../src/core/plugins/plugin-catalogue.js";
import { pluginHost } from "../support/plugin-host.js";
import { writeTree } from "../support/temporary-folder.js";

const catalogue = new PluginCatalogue(builtInPlugins);

/** @param folder gets the file, and an empty folder of notes */
async function configOf(folder: string, toml: string): Promise<Config> {
  await writeTree(folder, { "parts.toml": toml, "none/": "" });
  const { config } = await loadConfig({
    flags: { config: join(folder, "parts.toml"), kbPath: join(folder, "none") },
    environment: { KB_MCP_DATA_DIR: join(folder, "data") },
    workingDirectory: folder,
    userConfigDirectory: folder,
    knownPlugins,
  });
  return config;
}

/** Close it when done. @param folder where the store and its configuration live */
export async function configuredStore(folder: string, toml: string): Promise<VectorStore> {
  const { store } = await configOf(folder, toml);
  return createPart(await choosePlugin(catalogue, "stores", store, "[store]"), pluginHost(folder));
}

/** Dispose of it when done. */
export async function configuredEmbedder(folder: string, toml: string): Promise<Embedder> {
  const { embedder } = await configOf(folder, toml);
  return createPart(await choosePlugin(catalogue, "embedders", embedder, "[embedder]"), pluginHost(folder));
}
