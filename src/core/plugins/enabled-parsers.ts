// Which parsers a configuration enables, as the registry is told of them.
import type { Config } from "../config/load-config.js";
import type { RegisteredParser } from "../documents/parser-registry.js";
import { choosePlugin } from "./choose-plugin.js";
import { parserOffer, type PluginCatalogue } from "./plugin-catalogue.js";

/**
 * In the order in which they are enabled.
 * @throws KbError KB_PLUGIN_UNKNOWN, KB_PLUGIN_OPTIONS, and what loadPlugin throws
 */
export async function enabledParsers(
  catalogue: PluginCatalogue,
  parsers: Config["parsers"],
): Promise<RegisteredParser[]> {
  // Options of a parser that does not exist would never count.
  for (const id of Object.keys(parsers.options)) catalogue.find("parsers", id, `[parsers.options.${id}]`);
  const enabled: RegisteredParser[] = [];
  for (const id of new Set(parsers.enabled)) enabled.push(await registeredParser(catalogue, id, parsers));
  return enabled;
}

/** The options given to a parser; none for one that has none, whatever it is called. */
export function parserOptions({ options }: Config["parsers"], id: string): Readonly<Record<string, unknown>> {
  return (Object.hasOwn(options, id) ? options[id] : undefined) ?? {};
}

async function registeredParser(
  catalogue: PluginCatalogue,
  id: string,
  parsers: Config["parsers"],
): Promise<RegisteredParser> {
  const found = catalogue.find("parsers", id, "[parsers].enabled");
  const { owner, moduleUrl, from } = found;
  const offer = parserOffer(found);
  // A stranger's parser is never loaded in this process.
  if (from !== undefined && offer !== undefined)
    return { ...offer, options: offer.options, version: from.version, owner, moduleUrl };
  const choice = { use: id, options: parserOptions(parsers, id) };
  const chosen = await choosePlugin(catalogue, "parsers", choice, `[parsers.options.${id}]`);
  const { extensions, mediaType, binary } = chosen.factory;
  const { version, options } = chosen;
  return { id, version, extensions, mediaType, binary, owner, moduleUrl, options };
}
