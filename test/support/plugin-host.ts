// What kb-mcp gives a plugin, for tests that create one by themselves.
import { join } from "node:path";
import { createLogger } from "../../src/core/logger.js";
import type { PluginHost } from "../../src/core/plugin-api.js";

/**
 * A host with directories in a folder.
 * @param folder need not exist where the plugin writes nothing
 */
export function pluginHost(folder: string, overrides: Partial<PluginHost> = {}): PluginHost {
  return {
    logger: createLogger("error"),
    signal: new AbortController().signal,
    configDirectory: folder,
    dataDirectory: join(folder, "data"),
    cacheDirectory: join(folder, "cache"),
    progress: () => undefined,
    ...overrides,
  };
}
