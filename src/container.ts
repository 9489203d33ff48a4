// The composition root: the only user of tsyringe, and the only place that names concrete plugins.
import "reflect-metadata";
import { join } from "node:path";
import { container as globalContainer, instanceCachingFactory, type DependencyContainer } from "tsyringe";
import { indexDirectory, type Config } from "./core/config/load-config.js";
import { createGuardedParser } from "./core/documents/guarded-parse.js";
import { openRoot } from "./core/documents/knowledge-base-root.js";
import { createParserRegistry, type RegisteredParser } from "./core/documents/parser-registry.js";
import { KbError } from "./core/errors.js";
import type { KnowledgeBase } from "./core/index.js";
import { createKnowledgeBase } from "./core/knowledge-base.js";
import { lazy, type Lazy } from "./core/lazy.js";
import type {
  Embedder,
  Logger,
  OptionsSchema,
  Plugin,
  PluginHost,
  Reranker,
  Transport,
  VectorStore,
} from "./core/plugin-api.js";
import { loadPlugin } from "./core/plugins/load-plugin.js";
import { validateOptions } from "./core/plugins/validate-options.js";

const builtIn = (path: string): string => new URL(`./plugins/${path}/index.js`, import.meta.url).href;

/** The kinds of plugin, as a plugin names what it offers. */
type Kind = "parsers" | "embedders" | "stores" | "rerankers" | "transports";

/** URLs of the modules that offer plugins, by kind and id. */
export type PluginModules = Readonly<Record<Kind, Readonly<Record<string, string>>>>;

/** The plugins that come with kb-mcp. */
export const builtInPlugins: PluginModules = {
  parsers: { md: builtIn("parsers/md"), txt: builtIn("parsers/txt") },
  embedders: { bundled: builtIn("embedders/bundled") },
  stores: { lancedb: builtIn("stores/lancedb") },
  rerankers: {},
  transports: { stdio: new URL("./transports/stdio/index.js", import.meta.url).href },
};

/** The ids that a configuration may name. */
export const knownPlugins = {
  parsers: Object.keys(builtInPlugins.parsers),
  embedders: Object.keys(builtInPlugins.embedders),
  stores: Object.keys(builtInPlugins.stores),
  rerankers: Object.keys(builtInPlugins.rerankers),
  transports: Object.keys(builtInPlugins.transports),
};

/** One token for each interface. Symbols: an unregistered class token would be constructed silently. */
const tokens = {
  parser: Symbol("Parser"),
  embedder: Symbol("Embedder"),
  store: Symbol("VectorStore"),
  reranker: Symbol("Reranker"),
  transport: Symbol("Transport"),
} as const;

/** Everything one process of kb-mcp is made of. */
export interface Application {
  readonly knowledgeBase: KnowledgeBase;
  readonly transport: Lazy<Transport>;
  /** Disposes of everything, in the reverse of the order in which parts depend on each other. */
  close(): Promise<void>;
}

/**
 * Builds an application from a configuration. Nothing heavy is loaded: store, embedder, reranker and transport are
 * made on first use.
 * @param modules where the plugins are that the configuration names
 * @throws KbError KB_CONFIG_KB_PATH, KB_PLUGIN_*
 */
export async function createApplication(
  config: Config,
  logger: Logger,
  modules: PluginModules = builtInPlugins,
): Promise<Application> {
  const root = await openRoot(config.kbPath);
  const index = indexDirectory(config.dataDirectory, root.path);
  const shutdown = new AbortController();
  const hostFor = (id: string): PluginHost => ({
    logger,
    signal: shutdown.signal,
    dataDirectory: join(index, id),
    cacheDirectory: join(config.dataDirectory, "cache", id),
    progress: () => undefined,
  });
  // A fresh container for each application, so that nothing leaks from one to the next.
  const container = globalContainer.createChildContainer();
  const register = <Part>(
    token: symbol,
    { factory, options }: Admitted<Makes<Part>>,
    dispose: (part: Part) => Promise<void>,
  ): void => registerLazy(container, token, () => factory.create(options, hostFor(factory.id)), dispose);

  await registerParsers(container, modules, config);
  const { embedder, store, reranker, transport: carrier } = config;
  register(tokens.embedder, await admit(modules, "embedders", embedder, "[embedder]"), (made) =>
    made.dispose(),
  );
  register(tokens.store, await admit(modules, "stores", store, "[store]"), (made) => made.close());
  if (reranker !== undefined)
    register(tokens.reranker, await admit(modules, "rerankers", reranker, "[search].reranker"), (made) =>
      made.dispose(),
    );
  register(
    tokens.transport,
    await admit(modules, "transports", carrier, `[transport.${carrier.use}]`),
    (made) => made.stop(),
  );

  const registry = createParserRegistry(container.resolveAll<RegisteredParser>(tokens.parser));
  const transport = container.resolve<Lazy<Transport>>(tokens.transport);
  const knowledgeBase = createKnowledgeBase({
    root,
    registry,
    parser: createGuardedParser(registry, logger, { dataDirectory: join(index, "parsers") }),
    maxFileBytes: config.index.maxFileBytes,
    indexDirectory: index,
    excludeDirs: config.excludeDirs,
    excludeHeadings: config.excludeHeadings,
    bestPracticeTemplates: config.bestPractice.pathTemplates,
    store: container.resolve<Lazy<VectorStore>>(tokens.store),
    embedder: container.resolve<Lazy<Embedder>>(tokens.embedder),
    embedderId: embedder.use,
    ...(reranker !== undefined && { reranker: container.resolve<Lazy<Reranker>>(tokens.reranker) }),
    searchOptions: {
      ...config.search,
      qualityFilter: config.qualityFilter,
      maxReplyTokens: config.mcp.maxReplyTokens,
    },
    logger,
  });
  return {
    knowledgeBase,
    transport,
    async close() {
      await transport.dispose();
      shutdown.abort();
      await knowledgeBase.close();
      container.clearInstances();
    },
  };
}

async function registerParsers(
  container: DependencyContainer,
  modules: PluginModules,
  { parsers }: Config,
): Promise<void> {
  for (const id of new Set(parsers.enabled)) {
    const chosen = { use: id, options: parsers.options[id] ?? {} };
    const admitted = await admit(modules, "parsers", chosen, `[parsers.options.${id}]`);
    const { factory, plugin, moduleUrl, options } = admitted;
    const { extensions, mediaType, binary } = factory;
    const parser: RegisteredParser = {
      id,
      version: plugin.version,
      extensions,
      mediaType,
      binary,
      moduleUrl,
      options,
    };
    container.register(tokens.parser, { useValue: parser });
  }
}

/**
 * Registers a part that is made on first use. tsyringe lets a second registration win silently; here it is a
 * defect.
 */
function registerLazy<Part>(
  container: DependencyContainer,
  token: symbol,
  create: () => Part | Promise<Part>,
  dispose: (part: Part) => Promise<void>,
): void {
  if (container.isRegistered(token)) throw new Error(`${String(token)} is registered twice`);
  container.register(token, { useFactory: instanceCachingFactory(() => lazy(create, dispose)) });
}

type FactoryOf<K extends Kind> = NonNullable<Plugin[K]>[number];

/** A plugin of one kind, admitted and with its options checked. */
interface Admitted<Factory> {
  readonly factory: Factory;
  readonly plugin: Plugin;
  readonly moduleUrl: string;
  readonly options: unknown;
}

/** What every factory is, whatever it makes. */
interface Makes<Part> {
  readonly id: string;
  create(options: unknown, host: PluginHost): Part | Promise<Part>;
}

/** Loads the plugin that offers an id, and checks the options given to it. */
async function admit<K extends Kind>(
  modules: PluginModules,
  kind: K,
  { use: id, options }: { readonly use: string; readonly options: Readonly<Record<string, unknown>> },
  where: string,
): Promise<Admitted<FactoryOf<K>>> {
  const moduleUrl = modules[kind][id];
  if (moduleUrl === undefined)
    throw new KbError(
      "KB_PLUGIN_UNKNOWN",
      `There is no ${kind.slice(0, -1)} "${id}"; there is ${Object.keys(modules[kind]).join(", ") || "none"}`,
    );
  const plugin = await loadPlugin(moduleUrl);
  const factories: readonly (FactoryOf<K> & { id: string; optionsSchema?: OptionsSchema<unknown> })[] =
    plugin[kind] ?? [];
  const factory = factories.find((candidate) => candidate.id === id);
  if (factory === undefined)
    throw new KbError(
      "KB_PLUGIN_INVALID",
      `The plugin ${plugin.name} offers no ${kind.slice(0, -1)} "${id}"`,
    );
  return {
    factory,
    plugin,
    moduleUrl,
    options: await validateOptions(factory.optionsSchema, options, where),
  };
}
