// Gathers the plugins that a configuration can choose from: admits the packages it names, side by side.
import { join } from "node:path";
import type { Config } from "../config/load-config.js";
import type { Logger } from "../plugin-api.js";
import { admitPackage } from "./admission.js";
import type { AskedParser } from "./admission-messages.js";
import { parserOptions } from "./enabled-parsers.js";
import type { NamedPackage } from "./package-location.js";
import { PluginCatalogue, type PluginModules } from "./plugin-catalogue.js";

/** A package that cannot be used, and why. */
export interface RefusedPackage {
  readonly named: NamedPackage;
  readonly error: unknown;
}

export interface LoadedCatalogue {
  readonly catalogue: PluginCatalogue;
  /** In the order in which they are named. */
  readonly refused: readonly RefusedPackage[];
}

/**
 * The plugins that come with kb-mcp and those of the packages that can be used.
 * @param parserDirectory where each parser has a directory of its own; undefined where no parser is to be tried
 */
export async function loadCatalogue(
  { plugins: { packages, folder, key }, parsers }: Config,
  builtIn: PluginModules,
  parserDirectory: string | undefined,
  logger: Logger,
): Promise<LoadedCatalogue> {
  const catalogue = new PluginCatalogue(builtIn);
  const refused: RefusedPackage[] = [];
  const asked = (id: string): [string, AskedParser][] =>
    parserDirectory === undefined
      ? []
      : [
          [
            id,
            {
              options: parserOptions(parsers, id),
              directories: { config: folder, data: join(parserDirectory, id) },
            },
          ],
        ];
  const enabledParsers = Object.fromEntries(parsers.enabled.flatMap(asked));
  const admissions = await Promise.all(
    packages.map(async (entry) => {
      const named: NamedPackage = { ...entry, folder, key };
      const admission = admitPackage(named, { enabledParsers, logger });
      return { named, outcome: (await Promise.allSettled([admission]))[0] };
    }),
  );
  for (const { named, outcome } of admissions)
    try {
      if (outcome.status === "rejected") throw outcome.reason;
      catalogue.add(outcome.value);
    } catch (error) {
      refused.push({ named, error });
    }
  return { catalogue, refused };
}
