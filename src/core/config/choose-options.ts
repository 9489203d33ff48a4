// Which options of a file count: those that belong to the plugins in use.
import type { Origin } from "./config.js";
import type { FileSettings } from "./file-settings.js";
import type { PluginOptions } from "./plugin-options.js";
import { settings, type SettingValues } from "./settings.js";

export interface ChosenOptions {
  readonly embedder: PluginOptions;
  readonly store: PluginOptions;
  readonly transport: PluginOptions;
  readonly reranker: PluginOptions;
  readonly parsers: Record<string, PluginOptions>;
}

/** The options that count with the plugins in use. Adds their origins, and a warning where some do not count. */
export function chooseOptions(
  values: SettingValues,
  file: FileSettings | undefined,
  origins: Record<string, Origin>,
  warnings: string[],
): ChosenOptions {
  const record = (table: string, options: PluginOptions): PluginOptions => {
    for (const name of Object.keys(options)) origins[`${table}.${name}`] = "file";
    return options;
  };
  const besideUse = (table: "embedder" | "store"): PluginOptions => {
    const options = file?.[table] ?? {};
    const written = file?.values.get(`${table}.use`) ?? settings[`${table}.use`].default;
    if (written === values[`${table}.use`]) return record(table, options);
    if (Object.keys(options).length > 0) {
      warnings.push(
        `the options of [${table}] in the file belong to ${table} "${String(written)}" and were ignored: ` +
          `${table} "${values[`${table}.use`]}" is in use`,
      );
    }
    return {};
  };
  const transport = values["transport.use"];
  const reranker = values["search.reranker"];
  return {
    embedder: besideUse("embedder"),
    store: besideUse("store"),
    transport: record(`transport.${transport}`, file?.transports.get(transport) ?? {}),
    reranker:
      reranker === undefined ? {} : record(`reranker.${reranker}`, file?.rerankers.get(reranker) ?? {}),
    parsers: Object.fromEntries(
      [...(file?.parsers ?? [])].map(([id, options]) => [id, record(`parsers.options.${id}`, options)]),
    ),
  };
}
