// Where each plugin keeps what is its own.
import { join } from "node:path";
import type { Config } from "../config/load-config.js";
import type { PluginHost } from "../plugin-api.js";
import type { CataloguedPlugin } from "./plugin-catalogue.js";

/** Gives each plugin its host: those of kb-mcp by their id, those of a package in a directory of the package. */
export function pluginHosts(
  { dataDirectory, plugins }: Config,
  index: string,
  shared: Pick<PluginHost, "logger" | "signal" | "progress">,
): (plugin: Pick<CataloguedPlugin, "kind" | "id" | "from">) => PluginHost {
  return ({ kind, id, from }) => {
    const own = from === undefined ? [id] : ["packages", from.name.replace(/[^\w-]/gu, "_"), kind, id];
    return {
      ...shared,
      configDirectory: plugins.folder,
      dataDirectory: join(index, ...own),
      cacheDirectory: join(dataDirectory, "cache", ...own),
    };
  };
}
