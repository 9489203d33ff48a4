// The package entry, for programs that embed kb-mcp.
import { createApplication, knownPlugins } from "./container.js";
import { loadConfig } from "./core/config/load-config.js";
import type { KnowledgeBase } from "./core/index.js";
import { createLogger } from "./core/logger.js";

export type {
  DocumentReply,
  DocumentRequest,
  IndexOptions,
  IndexOverview,
  IndexProgress,
  IndexSummary,
  KnowledgeBase,
  SearchFilters,
  SearchHit,
  SearchReply,
  SearchRequest,
  StatusReply,
  TopicsReply,
} from "./core/index.js";
export { isKbError, KbError } from "./core/errors.js";
export type { ErrorCode } from "./core/errors.js";

export interface OpenOptions {
  /** Folder of the documents. Taken from the configuration file when absent. */
  kbPath?: string;
  /** A kb-mcp.toml; it is trusted. When absent, the usual discovery from the working directory applies. */
  configFile?: string;
}

/**
 * Opens a knowledge base the way the command line does. Close it when done.
 * @throws KbError KB_CONFIG_*, KB_PLUGIN_*
 */
export async function openKnowledgeBase(options: OpenOptions = {}): Promise<KnowledgeBase> {
  const { config, warnings } = await loadConfig({
    flags: {
      ...(options.kbPath !== undefined && { kbPath: options.kbPath }),
      ...(options.configFile !== undefined && { config: options.configFile }),
    },
    environment: process.env,
    workingDirectory: process.cwd(),
    knownPlugins,
  });
  const logger = createLogger(config.logLevel);
  for (const warning of warnings) logger.warn(warning);
  const application = await createApplication(config, logger);
  return { ...application.knowledgeBase, close: () => application.close() };
}
