// The composition root: the only user of tsyringe, and the only place that names concrete plugins.
import "reflect-metadata";
import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { container as globalContainer, instanceCachingFactory, type DependencyContainer } from "tsyringe";
import { indexDirectory, type Config } from "./core/config/load-config.js";
import { createGuardedParser } from "./core/documents/guarded-parse.js";
import { openRoot } from "./core/documents/knowledge-base-root.js";
import { createParserRegistry, type RegisteredParser } from "./core/documents/parser-registry.js";
import type { KnowledgeBase } from "./core/index.js";
import { createKnowledgeBase } from "./core/knowledge-base.js";
import { lazy, type Lazy } from "./core/lazy.js";
import type {
  Embedder,
  Logger,
  ModelLibrary,
  PluginHost,
  PreparationProgress,
  Reranker,
  Transport,
  VectorStore,
} from "./core/plugin-api.js";
import { choosePlugin, createPart, type ChosenPlugin, type PartOf } from "./core/plugins/choose-plugin.js";
import { loadCatalogue } from "./core/plugins/load-catalogue.js";
import { parserOffer, type PluginCatalogue, type PluginModules } from "./core/plugins/plugin-catalogue.js";
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
  if (refused[0] !== undefined) throw refused[0].error;

  const shutdown = new AbortController();
  const hostFor = hosts(config, index, { logger, signal: shutdown.signal, progress: onProgress });
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
    registerLazy(container, token, () => createPart(chosen, hostFor(choice.use)), dispose);
    return chosen;
  };

  await registerParsers(container, catalogue, config);
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

  // What belongs to an index that ends with this process must not meet that of another one, or of one that lasts.
  const ephemeral = keeping.factory.ephemeral === true;
  const ownDirectory = ephemeral ? join(tmpdir(), `kb-mcp-${randomUUID()}`) : index;
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
    ephemeral,
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
      if (ephemeral) await rm(ownDirectory, { recursive: true, force: true });
    },
  };
}

/** Gives each plugin its host, by its id. */
function hosts(
  { dataDirectory, plugins }: Config,
  index: string,
  shared: Pick<PluginHost, "logger" | "signal" | "progress">,
): (id: string) => PluginHost {
  return (id) => ({
    ...shared,
    configDirectory: plugins.folder,
    dataDirectory: join(index, id),
    cacheDirectory: join(dataDirectory, "cache", id),
  });
}

/** The models that a part in use has on this machine. */
export interface LibraryInUse {
  readonly kind: "embedder" | "reranker";
  /** Of the plugin. */
  readonly id: string;
  readonly library: ModelLibrary;
}

/**
 * The model libraries of the embedder and the reranker in use, as far as they have any. Nothing else is made.
 * @throws KbError KB_PLUGIN_*
 */
export async function modelLibraries(
  config: Config,
  logger: Logger,
  signal: AbortSignal,
  { builtIn: builtInModules = builtInPlugins, onProgress = () => undefined }: ApplicationOptions = {},
): Promise<LibraryInUse[]> {
  const index = indexDirectory(config.dataDirectory, config.kbPath);
  const { catalogue, refused } = await loadCatalogue(config, builtInModules, join(index, "parsers"), logger);
  if (refused[0] !== undefined) throw refused[0].error;
  const hostFor = hosts(config, index, { logger, signal, progress: onProgress });
  const { embedder, reranker } = config;
  const chosen = await choosePlugin(catalogue, "embedders", embedder, "[embedder]");
  const scorer =
    reranker && (await choosePlugin(catalogue, "rerankers", reranker, `[reranker.${reranker.use}]`));
  const libraries: LibraryInUse[] = [];
  for (const [kind, part] of [["embedder", chosen] as const, ["reranker", scorer] as const]) {
    if (part?.factory.models === undefined) continue;
    const { id } = part.factory;
    libraries.push({ kind, id, library: await part.factory.models(part.options, hostFor(id)) });
  }
  return libraries;
}

async function registerParsers(
  container: DependencyContainer,
  catalogue: PluginCatalogue,
  { parsers }: Config,
): Promise<void> {
  // Options of a parser that does not exist would never count.
  for (const id of Object.keys(parsers.options)) catalogue.find("parsers", id);
  for (const id of new Set(parsers.enabled))
    container.register(tokens.parser, {
      useValue: await registeredParser(catalogue, id, parsers.options[id] ?? {}),
    });
}

async function registeredParser(
  catalogue: PluginCatalogue,
  id: string,
  options: Readonly<Record<string, unknown>>,
): Promise<RegisteredParser> {
  const found = catalogue.find("parsers", id);
  const { owner, moduleUrl, from } = found;
  const offer = parserOffer(found);
  // A stranger's parser is never loaded in this process.
  if (from !== undefined && offer !== undefined)
    return { ...offer, options: offer.options, version: from.version, owner, moduleUrl };
  const where = `[parsers.options.${id}]`;
  const chosen = await choosePlugin(catalogue, "parsers", { use: id, options }, where);
  const { extensions, mediaType, binary } = chosen.factory;
  return {
    id,
    version: chosen.version,
    extensions,
    mediaType,
    binary,
    owner,
    moduleUrl,
    options: chosen.options,
  };
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
