// Loads the plugin that a configuration chose, checks the options given to it, and makes its part.
import { isKbError, KbError } from "../errors.js";
import type {
  Embedder,
  EmbedderFactory,
  OptionsSchema,
  Parser,
  ParserFactory,
  PluginHost,
  Reranker,
  RerankerFactory,
  StoreFactory,
  Transport,
  TransportFactory,
  VectorStore,
} from "../plugin-api.js";
import { firstLineOf } from "../sent-error.js";
import { loadPlugin } from "./load-plugin.js";
import { partFlaw } from "./part-shape.js";
import type { PluginCatalogue } from "./plugin-catalogue.js";
import type { PluginKinds } from "./plugin-shape.js";
import { validateOptions } from "./validate-options.js";

/** What each kind of plugin makes, and what makes it. */
interface Kinds {
  readonly parsers: { readonly part: Parser; readonly factory: ParserFactory };
  readonly embedders: { readonly part: Embedder; readonly factory: EmbedderFactory };
  readonly stores: { readonly part: VectorStore; readonly factory: StoreFactory };
  readonly rerankers: { readonly part: Reranker; readonly factory: RerankerFactory };
  readonly transports: { readonly part: Transport; readonly factory: TransportFactory };
}

export type PartOf<K extends PluginKinds> = Kinds[K]["part"];
type FactoryOf<K extends PluginKinds> = Kinds[K]["factory"];

/** What every factory is, whatever it makes. */
interface Makes<Part> {
  readonly id: string;
  readonly optionsSchema?: OptionsSchema<unknown>;
  create(options: unknown, host: PluginHost): Part | Promise<Part>;
}

/** A plugin of one kind, loaded. */
export interface FoundPlugin<K extends PluginKinds> {
  readonly kind: K;
  readonly factory: FactoryOf<K>;
  /** Of the plugin. */
  readonly version: string;
  readonly moduleUrl: string;
  /** Who offers it, for messages. */
  readonly owner: string;
}

/** The same with its options checked. */
export interface ChosenPlugin<K extends PluginKinds> extends FoundPlugin<K> {
  readonly options: unknown;
}

/**
 * @param where the setting that names it, for messages
 * @throws KbError KB_PLUGIN_UNKNOWN, and what loadPlugin throws
 */
export async function findPlugin<K extends PluginKinds>(
  catalogue: PluginCatalogue,
  kind: K,
  id: string,
  where: string,
): Promise<FoundPlugin<K>> {
  const { moduleUrl, owner } = catalogue.find(kind, id, where);
  const plugin = await loadPlugin(moduleUrl);
  const offered: { readonly [Kind in PluginKinds]?: readonly FactoryOf<Kind>[] } = plugin;
  const factory = offered[kind]?.find((candidate) => candidate.id === id);
  if (factory !== undefined) return { kind, factory, version: plugin.version, moduleUrl, owner };
  throw new KbError("KB_PLUGIN_INVALID", `The plugin ${plugin.name} offers no ${kind.slice(0, -1)} "${id}"`);
}

/**
 * @param where the table of kb-mcp.toml that the options come from, e.g. "[embedder]"
 * @throws KbError KB_PLUGIN_OPTIONS, and what findPlugin throws
 */
export async function choosePlugin<K extends PluginKinds>(
  catalogue: PluginCatalogue,
  kind: K,
  { use: id, options }: { readonly use: string; readonly options: Readonly<Record<string, unknown>> },
  where: string,
): Promise<ChosenPlugin<K>> {
  const found = await findPlugin(catalogue, kind, id, where);
  return { ...found, options: await validateOptions(found.factory.optionsSchema, options, where) };
}

/**
 * Makes the part that a plugin was chosen for, and checks that it is one.
 * @throws KbError KB_PLUGIN_CREATE, and what the plugin throws as a KbError
 */
export async function createPart<K extends PluginKinds>(
  { kind, factory, owner, options }: ChosenPlugin<K>,
  host: PluginHost,
): Promise<PartOf<K>> {
  const phrase = `The ${kind.slice(0, -1)} "${factory.id}" of ${owner}`;
  // The options went through the schema of this very factory.
  const maker = factory as Makes<PartOf<K>>;
  let part: PartOf<K>;
  try {
    part = await maker.create(options, host);
  } catch (cause) {
    if (isKbError(cause)) throw cause;
    throw new KbError("KB_PLUGIN_CREATE", `${phrase} could not be created: ${firstLineOf(cause)}`, { cause });
  }
  const flaw = partFlaw(kind, part);
  if (flaw !== undefined) throw new KbError("KB_PLUGIN_CREATE", `${phrase} is not complete: ${flaw}`);
  return part;
}
