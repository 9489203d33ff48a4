// The composition root: the only user of tsyringe, and the only place that names concrete plugins.
import "reflect-metadata";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { container as globalContainer, instanceCachingFactory, type DependencyContainer } from "tsyringe";
import { indexDirectory, refuseStoreInside, type Config } from "./core/config/load-config.js";
import { createGuardedParser } from "./core/documents/guarded-parse.js";
import { openRoot } from "./core/documents/knowledge-base-root.js";
import { createParserRegistry, type RegisteredParser } from "./core/documents/parser-registry.js";
import { endSoon } from "./core/end-soon.js";
import type { KnowledgeBase } from "./core/index.js";
import { createKnowledgeBase } from "./core/knowledge-base.js";
import { lazy, type Lazy } from "./core/lazy.js";
import type {
  Embedder,
  Logger,
  PluginHost,
  PreparationProgress,
  Reranker,
  Transport,
  VectorStore,
} from "./core/plugin-api.js";
import { choosePlugin, createPart, type ChosenPlugin, type PartOf } from "./core/plugins/choose-plugin.js";
import { enabledParsers } from "./core/plugins/enabled-parsers.js";
import type { PluginsReply } from "./core/plugins/list-plugins.js";
import { loadCatalogue } from "./core/plugins/load-catalogue.js";
import type { LibraryInUse } from "./core/plugins/model-libraries.js";
import type { PluginModules } from "./core/plugins/plugin-catalogue.js";
import { pluginHosts } from "./core/plugins/plugin-hosts.js";
import { unusedPackages } from "./core/plugins/unused-packages.js";
import type { PluginKinds } from "./core/plugins/plugin-shape.js";

const builtIn = (path: string): string => new URL(`./plugins/${path}/index.js`, import.meta.url).href;

/** The plugins that come with kb-mcp. */
export const builtInPlugins: PluginModules = {
  parsers: { md: builtIn("parsers/md"), txt: builtIn("parsers/txt") },
  embedders: {
    bundled: builtIn("embedders/bundled"),
    openai: builtIn("embedders/openai"),
    transformers: builtIn("transformers"),
  },
  stores: { lancedb: builtIn("stores/lancedb"), memory: builtIn("stores/memory") },
  rerankers: { transformers: builtIn("transformers") },
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

export interface ApplicationOptions {
  /** The plugins that come with kb-mcp. */
  readonly builtIn?: PluginModules;
  /** Told how far a long preparation is, such as the download of a model. */
  readonly onProgress?: (progress: PreparationProgress) => void;
}

/**
 * Builds an application from a configuration. Nothing heavy is loaded: store, embedder, reranker and transport are
 * made on first use. Third-party packages are admitted before any file is read.
 * @throws KbError KB_CONFIG_KB_PATH, KB_PLUGIN_*
 */
export async function createApplication(
  config: Config,
  logger: Logger,
  { builtIn: builtInModules = builtInPlugins, onProgress = () => undefined }: ApplicationOptions = {},
): Promise<Application> {
  const root = await openRoot(config.kbPath);
  const index = indexDirectory(config.dataDirectory, root.path);
  const parserDirectory = join(index, "parsers");
  const { catalogue, refused } = await loadCatalogue(config, builtInModules, parserDirectory, logger);
  const [first, ...others] = refused;
  if (first !== undefined) {
    if (others.length > 0)
      logger.error(`${others.length} more packages cannot be used: kb-mcp plugins lists them`);
    throw first.error;
  }
  for (const warning of unusedPackages(catalogue, config)) logger.warn(warning);

  const shutdown = new AbortController();
  const hostFor = pluginHosts(config, index, { logger, signal: shutdown.signal, progress: onProgress });
  // A fresh container for each application, so that nothing leaks from one to the next.
  const container = globalContainer.createChildContainer();
  const register = async <K extends Exclude<PluginKinds, "parsers">>(
    token: symbol,
    kind: K,
    choice: { readonly use: string; readonly options: Readonly<Record<string, unknown>> },
    where: string,
    dispose: (part: PartOf<K>) => Promise<void>,
  ): Promise<ChosenPlugin<K>> => {
    const chosen = await choosePlugin(catalogue, kind, choice, where);
    const host = hostFor(catalogue.find(kind, choice.use, where));
    registerLazy(container, token, () => createPart(chosen, host), dispose);
    return chosen;
  };

  for (const parser of await enabledParsers(catalogue, config.parsers))
    container.register(tokens.parser, { useValue: parser });
  const { embedder, store, reranker, transport: carrier } = config;
  await register(tokens.embedder, "embedders", embedder, "[embedder]", (made) => made.dispose());
  const keeping = await register(tokens.store, "stores", store, "[store]", (made) => made.close());
  if (reranker !== undefined)
    await register(tokens.reranker, "rerankers", reranker, `[reranker.${reranker.use}]`, (made) =>
      made.dispose(),
    );
  await register(tokens.transport, "transports", carrier, `[transport.${carrier.use}]`, (made) =>
    made.stop(),
  );

  const location = keeping.factory.location?.(keeping.options);
  if (location !== undefined) await refuseStoreInside(root.path, location);
  // What belongs to an index that ends with this process must not meet that of another one, or of one that lasts.
  const ephemeral = keeping.factory.ephemeral === true;
  const ownDirectory = ephemeral ? await mkdtemp(join(tmpdir(), "kb-mcp-")) : index;
  const registry = createParserRegistry(container.resolveAll<RegisteredParser>(tokens.parser));
  const transport = container.resolve<Lazy<Transport>>(tokens.transport);
  const knowledgeBase = createKnowledgeBase({
    root,
    registry,
    parser: createGuardedParser(registry, logger, {
      dataDirectory: parserDirectory,
      configDirectory: config.plugins.folder,
    }),
    maxFileBytes: config.index.maxFileBytes,
    indexDirectory: ownDirectory,
    evalHistoryDirectory: index,
    ...(location !== undefined && { storeLocation: location }),
    ephemeral,
    excludeDirs: config.excludeDirs,
    excludeHeadings: config.excludeHeadings,
    bestPracticeTemplates: config.bestPractice.pathTemplates,
    store: container.resolve<Lazy<VectorStore>>(tokens.store),
    storeId: store.use,
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
      try {
        await endSoon("the transport", () => transport.dispose(), logger);
        shutdown.abort();
        await knowledgeBase.close();
        container.clearInstances();
      } finally {
        if (ephemeral) await rm(ownDirectory, { recursive: true, force: true });
      }
    },
  };
}

/** Where the index of a configuration is, whether or not its folder of notes can be used. */
async function indexOf({ dataDirectory, kbPath }: Config): Promise<string> {
  return indexDirectory(dataDirectory, await realpath(kbPath).catch(() => kbPath));
}

/** The plugins there are, which of them a configuration uses, and why it cannot use one. */
export async function pluginList(config: Config, logger: Logger): Promise<PluginsReply> {
  const { listPlugins } = await import("./core/plugins/list-plugins.js");
  return listPlugins(config, builtInPlugins, join(await indexOf(config), "parsers"), logger);
}

/** The models that the parts in use keep on this machine. */
export async function openModelLibraries(
  config: Config,
  host: Pick<PluginHost, "logger" | "signal" | "progress">,
): Promise<LibraryInUse[]> {
  const { modelLibraries } = await import("./core/plugins/model-libraries.js");
  return modelLibraries(config, builtInPlugins, await indexOf(config), host);
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
