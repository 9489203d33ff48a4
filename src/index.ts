// The package entry, for programs that embed kb-mcp.
import type { KnowledgeBase } from "./core/index.js";
import { openApplication } from "./open-application.js";

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
  const { application } = await openApplication({ kbPath: options.kbPath, config: options.configFile });
  return { ...application.knowledgeBase, close: () => application.close() };
}
