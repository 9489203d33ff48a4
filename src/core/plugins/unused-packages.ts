// Packages that are loaded for nothing: a plugin is in use only where it is chosen by its id, which is easily forgotten.
import type { Config } from "../config/load-config.js";
import type { AdmittedPackage } from "./admission.js";
import type { CataloguedPlugin, PluginCatalogue } from "./plugin-catalogue.js";

/** One sentence for each package of which nothing is in use. */
export function unusedPackages({ plugins }: PluginCatalogue, config: Config): string[] {
  const warnings: string[] = [];
  const { embedder, store, reranker, transport, parsers } = config;
  const used = new Set([
    ...parsers.enabled.map((id) => `parsers ${id}`),
    `embedders ${embedder.use}`,
    `stores ${store.use}`,
    `rerankers ${reranker?.use ?? ""}`,
    `transports ${transport.use}`,
  ]);
  const packages = new Map<AdmittedPackage, CataloguedPlugin[]>();
  for (const plugin of plugins)
    if (plugin.from !== undefined) packages.set(plugin.from, [...(packages.get(plugin.from) ?? []), plugin]);
  for (const [{ named }, offered] of packages) {
    if (offered.some(({ kind, id }) => used.has(`${kind} ${id}`))) continue;
    const ids = offered.map(({ kind, id }) => `${kind.slice(0, -1)} "${id}"`).join(", ");
    const remedy =
      offered[0]?.kind === "parsers" ? `add "${offered[0].id}" to [parsers].enabled` : "choose it by its id";
    warnings.push(
      `the package ${JSON.stringify(named.name)} is loaded, but nothing of it is in use (${ids}): ${remedy}`,
    );
  }
  return warnings;
}
