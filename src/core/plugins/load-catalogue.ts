// Gathers the plugins that a configuration can choose from: admits the packages it names, side by side.
import { join } from "node:path";
import type { Config } from "../config/load-config.js";
import { isPackagePath } from "../config/load-config.js";
import type { Logger } from "../plugin-api.js";
import { admitPackage } from "./admission.js";
import type { AskedParser } from "./admission-messages.js";
import type { NamedPackage } from "./package-location.js";
import { PluginCatalogue, type PluginModules } from "./plugin-catalogue.js";

/** A package that cannot be used, and why. */
export interface RefusedPackage {
  readonly named: NamedPackage;
  readonly error: unknown;
}

/**
 * The plugins that come with kb-mcp and those of the packages that can be used, and the packages that cannot, in the
 * order in which they are named. Only parsers that are enabled are tried.
 * @param parserDirectory where each parser has a directory of its own
 */
export async function loadCatalogue(
  { plugins, parsers }: Config,
  builtIn: PluginModules,
  parserDirectory: string,
  logger: Logger,
): Promise<{ readonly catalogue: PluginCatalogue; readonly refused: readonly RefusedPackage[] }> {
  const catalogue = new PluginCatalogue(builtIn);
  const refused: RefusedPackage[] = [];
  const { folder, key } = plugins;
  const enabledParsers = Object.fromEntries(
    parsers.enabled.map((id): [string, AskedParser] => [
      id,
      {
        options: parsers.options[id] ?? {},
        directories: { config: folder, data: join(parserDirectory, id) },
      },
    ]),
  );
  const admissions = await Promise.allSettled(
    plugins.packages.map((name) =>
      admitPackage({ name, isPath: isPackagePath(name), folder, key }, { enabledParsers, logger }),
    ),
  );
  for (const [index, name] of plugins.packages.entries()) {
    const named = { name, isPath: isPackagePath(name), folder, key };
    const admission = admissions[index];
    try {
      if (admission?.status === "fulfilled") catalogue.add(admission.value);
      else refused.push({ named, error: admission?.reason });
    } catch (error) {
      refused.push({ named, error });
    }
  }
  return { catalogue, refused };
}
