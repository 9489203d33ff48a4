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
  Transport,
  VectorStore,
} from "./core/plugin-api.js";
import { loadPlugin } from "./core/plugins/load-plugin.js";
import { validateOptions } from "./core/plugins/validate-options.js";

const builtIn = (path: string): string => new URL(`./plugins/${path}/index.js`, import.meta.url).href;

/** Where the plugins live that come with kb-mcp, by kind and id. */
const builtInPlugins = {
  parsers: { md: builtIn("parsers/md"), txt: builtIn("parsers/txt") },
  embedders: { bundled: builtIn("embedders/bundled") },
  stores: { lancedb: builtIn("stores/lancedb") },
  transports: { stdio: new URL("./transports/stdio/index.js", import.meta.url).href },
} as const satisfies Record<string, Readonly<Record<string, string>>>;

/** The ids that a configuration may name. */
export const knownPlugins = {
  parsers: Object.keys(builtInPlugins.parsers),
  embedders: Object.keys(builtInPlugins.embedders),
  stores: Object.keys(builtInPlugins.stores),
  transports: Object.keys(builtInPlugins.transports),
};

/** One token for each interface. Symbols: an unregistered class token would be constructed silently. */
const tokens = {
  parser: Symbol("Parser"),
  embedder: Symbol("Embedder"),
  store: Symbol("VectorStore"),
  transport: Symbol("Transport"),
} as const;

/** A plugin of one kind, admitted and with its options checked. */
interface Admitted<Factory> {
  readonly factory: Factory;
  readonly plugin: Plugin;
  readonly moduleUrl: string;
  readonly options: unknown;
}

/** Everything one process of kb-mcp is made of. */
export interface Application {
  readonly knowledgeBase: KnowledgeBase;
  readonly transport: Lazy<Transport>;
  /** Disposes of everything, in the reverse of the order in which parts depend on each other. */
  close(): Promise<void>;
}

/**
 * Builds an application from a configuration. Nothing heavy is loaded: store, embedder and transport are made
 * on first use.
 * @throws KbError KB_CONFIG_KB_PATH, KB_PLUGIN_*
 */
export async function createApplication(config: Config, logger: Logger): Promise<Application> {
  const root = await openRoot(config.kbPath);
  const index = indexDirectory(config.dataDirectory, root.path);
  const shutdown = new AbortController();
  const hostFor = (id: string): PluginHost => ({
    logger,
    signal: shutdown.signal,
    dataDirectory: join(index, id),
  });
  // A fresh container for each application, so that nothing leaks from one to the next.
  const container = globalContainer.createChildContainer();
  await registerParsers(container, config);
  await registerEmbedder(container, config, hostFor);
  await registerStore(container, config, hostFor);
  await registerTransport(container, config, hostFor);

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
    store: container.resolve<Lazy<VectorStore>>(tokens.store),
    embedder: container.resolve<Lazy<Embedder>>(tokens.embedder),
    embedderId: config.embedder.use,
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

async function registerParsers(container: DependencyContainer, config: Config): Promise<void> {
  for (const id of new Set(config.parsers.enabled)) {
    const { factory, plugin, moduleUrl, options } = await admit(
      "parsers",
      id,
      config.parsers.options[id] ?? {},
      `[parsers.options.${id}]`,
    );
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

async function registerEmbedder(
  container: DependencyContainer,
  { embedder: { use, options } }: Config,
  hostFor: (id: string) => PluginHost,
): Promise<void> {
  const { factory, options: checked } = await admit("embedders", use, options, "[embedder]");
  registerOnce(container, tokens.embedder, () =>
    lazy(
      () => factory.create(checked, hostFor(use)),
      (embedder) => embedder.dispose(),
    ),
  );
}

async function registerStore(
  container: DependencyContainer,
  { store: { use, options } }: Config,
  hostFor: (id: string) => PluginHost,
): Promise<void> {
  const { factory, options: checked } = await admit("stores", use, options, "[store]");
  registerOnce(container, tokens.store, () =>
    lazy(
      () => factory.create(checked, hostFor(use)),
      (store) => store.close(),
    ),
  );
}

async function registerTransport(
  container: DependencyContainer,
  { transport: { use, options } }: Config,
  hostFor: (id: string) => PluginHost,
): Promise<void> {
  const { factory, options: checked } = await admit("transports", use, options, `[transport.${use}]`);
  registerOnce(container, tokens.transport, () =>
    lazy(
      () => factory.create(checked, hostFor(use)),
      (transport) => transport.stop(),
    ),
  );
}

/** tsyringe lets a second registration win silently; here it is a defect. */
function registerOnce(container: DependencyContainer, token: symbol, make: () => Lazy<unknown>): void {
  if (container.isRegistered(token)) throw new Error(`${String(token)} is registered twice`);
  container.register(token, { useFactory: instanceCachingFactory(make) });
}

type Kind = keyof typeof builtInPlugins;
type FactoryOf<K extends Kind> = NonNullable<Plugin[K]>[number];

/** Loads the plugin that offers an id, and checks the options given to it. */
async function admit<K extends Kind>(
  kind: K,
  id: string,
  options: Readonly<Record<string, unknown>>,
  where: string,
): Promise<Admitted<FactoryOf<K>>> {
  const modules: Readonly<Record<string, string>> = builtInPlugins[kind];
  const moduleUrl = modules[id];
  if (moduleUrl === undefined)
    throw new KbError(
      "KB_PLUGIN_UNKNOWN",
      `There is no ${kind.slice(0, -1)} "${id}"; there is ${Object.keys(modules).join(", ")}`,
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
