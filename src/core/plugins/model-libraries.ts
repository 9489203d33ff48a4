// The models that the embedder and the reranker in use keep on this machine.
import type { Config } from "../config/load-config.js";
import { isKbError } from "../errors.js";
import type { ModelLibrary, PluginHost } from "../plugin-api.js";
import { choosePlugin, type ChosenPlugin } from "./choose-plugin.js";
import { loadCatalogue, type LoadedCatalogue } from "./load-catalogue.js";
import type { PluginModules } from "./plugin-catalogue.js";
import { pluginHosts } from "./plugin-hosts.js";
import type { PluginKinds } from "./plugin-shape.js";

/** The models that a part in use has on this machine. */
export interface LibraryInUse {
  readonly kind: "embedder" | "reranker";
  /** Of the plugin. */
  readonly id: string;
  readonly library: ModelLibrary;
}

/**
 * The model libraries of the embedder and the reranker in use, as far as they have any. Nothing else is made.
 * @param index the directory of the index
 * @throws KbError KB_PLUGIN_*
 */
export async function modelLibraries(
  config: Config,
  builtIn: PluginModules,
  index: string,
  host: Pick<PluginHost, "logger" | "signal" | "progress">,
): Promise<LibraryInUse[]> {
  // No parser is tried: a broken one does not keep anybody from a model.
  const loaded = await loadCatalogue(config, builtIn, undefined, host.logger);
  const hostFor = pluginHosts(config, index, host);
  const { embedder, reranker } = config;
  const parts = [
    { kind: "embedder", part: await chooseFrom(loaded, "embedders", embedder, "[embedder]") } as const,
    reranker && {
      kind: "reranker" as const,
      part: await chooseFrom(loaded, "rerankers", reranker, `[reranker.${reranker.use}]`),
    },
  ];
  const libraries: LibraryInUse[] = [];
  for (const one of parts) {
    if (one === undefined) continue;
    const { kind, part } = one;
    const { id } = part.factory;
    const own = hostFor(loaded.catalogue.find(part.kind, id, ""));
    const library = await part.factory.models?.(part.options, own);
    if (library !== undefined) libraries.push({ kind, id, library });
  }
  return libraries;
}

/** As choosePlugin; where nothing offers the id, a package that was refused may be why. */
async function chooseFrom<K extends PluginKinds>(
  { catalogue, refused }: LoadedCatalogue,
  kind: K,
  choice: { readonly use: string; readonly options: Readonly<Record<string, unknown>> },
  table: string,
): Promise<ChosenPlugin<K>> {
  try {
    return await choosePlugin(catalogue, kind, choice, table);
  } catch (error) {
    const isUnknown = isKbError(error) && error.code === "KB_PLUGIN_UNKNOWN";
    throw isUnknown && refused[0] !== undefined ? refused[0].error : error;
  }
}
