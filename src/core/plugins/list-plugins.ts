// Which plugins there are, from where, which of them a configuration uses, and why one cannot be used.
import type { Config } from "../config/load-config.js";
import { createParserRegistry } from "../documents/parser-registry.js";
import { isKbError } from "../errors.js";
import type { Logger, MediaType } from "../plugin-api.js";
import { firstLineOf } from "../sent-error.js";
import { findPlugin } from "./choose-plugin.js";
import { enabledParsers } from "./enabled-parsers.js";
import { loadCatalogue } from "./load-catalogue.js";
import {
  parserOffer,
  type CataloguedPlugin,
  type PluginCatalogue,
  type PluginModules,
} from "./plugin-catalogue.js";
import type { PluginKinds } from "./plugin-shape.js";
import { validateOptions } from "./validate-options.js";

/** Fields are named as they are printed. */
export interface PluginsReply {
  readonly plugins: readonly PluginListing[];
  /** Packages of which nothing can be used. */
  readonly refused: readonly RefusalListing[];
  /** What else keeps the configuration from being used. */
  readonly problems: readonly Reason[];
}

export interface PluginListing {
  readonly kind: "parser" | "embedder" | "store" | "reranker" | "transport";
  readonly id: string;
  /** Whether the configuration uses it. */
  readonly active: boolean;
  /** "kb-mcp" for what comes with it. */
  readonly package: string;
  readonly version: string;
  /** The entry of [plugins].packages; absent for what comes with kb-mcp. */
  readonly named?: string;
  /** Of a parser. */
  readonly extensions?: readonly string[];
  readonly media_type?: MediaType;
  /** Why it is active and cannot be used. */
  readonly refused?: Reason;
}

export interface RefusalListing extends Reason {
  /** The entry of [plugins].packages. */
  readonly named: string;
}

interface Reason {
  /** Absent for an error of no code. */
  readonly code?: string;
  readonly message: string;
  readonly hint?: string;
}

/**
 * Opens no store and reads no document. Packages are tried as they are before an index run; of a package, no more is
 * loaded than what is in use.
 */
export async function listPlugins(
  config: Config,
  builtIn: PluginModules,
  parserDirectory: string,
  logger: Logger,
): Promise<PluginsReply> {
  const { catalogue, refused } = await loadCatalogue(config, builtIn, parserDirectory, logger);
  const plugins = await Promise.all(catalogue.plugins.map((plugin) => listing(config, catalogue, plugin)));
  const refusals = refused.map(({ named, error }) => ({ named: named.name, ...reason(error) }));
  // What stops a parser by itself stops them all together too.
  const told = new Set([
    ...plugins.map((plugin) => plugin.refused?.message),
    ...refusals.map((one) => one.message),
  ]);
  const problems = await problemsOf(config, catalogue);
  return { plugins, refused: refusals, problems: problems.filter(({ message }) => !told.has(message)) };
}

async function listing(
  config: Config,
  catalogue: PluginCatalogue,
  plugin: CataloguedPlugin,
): Promise<PluginListing> {
  const { kind, id, from } = plugin;
  const use = useOf(config, kind, id);
  const base = {
    kind: kind.slice(0, -1) as PluginListing["kind"],
    id,
    active: use !== undefined,
    ...(from === undefined ? { package: "kb-mcp" } : { package: from.name, named: from.named.name }),
  };
  const offer = parserOffer(plugin);
  if (from !== undefined && offer !== undefined)
    return { ...base, version: from.version, extensions: offer.extensions, media_type: offer.mediaType };
  if (from !== undefined && use === undefined) return { ...base, version: from.version };
  try {
    const { factory, version } = await findPlugin(catalogue, kind, id, "");
    const parser = "extensions" in factory && {
      extensions: factory.extensions,
      media_type: factory.mediaType,
    };
    const refused = use && (await refusalOf(validateOptions(factory.optionsSchema, use.options, use.table)));
    return { ...base, version, ...parser, ...(refused !== undefined && { refused }) };
  } catch (error) {
    return { ...base, version: from?.version ?? "", refused: reason(error) };
  }
}

/** What stops an index run beside what is wrong with a single plugin: names that nobody offers, extensions claimed twice. */
async function problemsOf(config: Config, catalogue: PluginCatalogue): Promise<Reason[]> {
  const { embedder, store, reranker, transport } = config;
  const choices = [
    ["embedders", embedder.use, "[embedder]"],
    ["stores", store.use, "[store]"],
    ["rerankers", reranker?.use, `[reranker.${reranker?.use ?? ""}]`],
    ["transports", transport.use, `[transport.${transport.use}]`],
  ] as const;
  const find = ([kind, id, where]: (typeof choices)[number]): unknown =>
    id === undefined ? undefined : catalogue.find(kind, id, where);
  const attempts: Promise<unknown>[] = [
    enabledParsers(catalogue, config.parsers).then(createParserRegistry),
    ...choices.map((choice) => Promise.resolve(choice).then(find)),
  ];
  const problems = await Promise.all(attempts.map(refusalOf));
  return problems.filter((problem) => problem !== undefined);
}

/** The options a plugin is used with and the table they stand in; undefined where it is not used. */
function useOf(
  { parsers, embedder, store, reranker, transport }: Config,
  kind: PluginKinds,
  id: string,
): { readonly options: Readonly<Record<string, unknown>>; readonly table: string } | undefined {
  if (kind === "parsers")
    return parsers.enabled.includes(id)
      ? { options: parsers.options[id] ?? {}, table: `[parsers.options.${id}]` }
      : undefined;
  const [chosen, table] = {
    embedders: [embedder, "[embedder]"] as const,
    stores: [store, "[store]"] as const,
    rerankers: [reranker, `[reranker.${id}]`] as const,
    transports: [transport, `[transport.${id}]`] as const,
  }[kind];
  return chosen?.use === id ? { options: chosen.options, table } : undefined;
}

async function refusalOf(attempt: Promise<unknown>): Promise<Reason | undefined> {
  try {
    await attempt;
    return undefined;
  } catch (error) {
    return reason(error);
  }
}

function reason(error: unknown): Reason {
  return {
    ...(isKbError(error) && { code: error.code, hint: error.hint }),
    message: firstLineOf(error),
  };
}
