// kb-mcp serve: the MCP server. It answers at once and brings the index up to date in the background.
import { isKbError } from "../../core/errors.js";
import type { KnowledgeBase } from "../../core/index.js";
import type { Logger } from "../../core/logger.js";
import { describeSkipped } from "../format-summary.js";
import type { CommonFlags, ExitCode } from "../program.js";
import { version } from "../version.js";
import { withApplication } from "../with-application.js";

interface ServeFlags extends CommonFlags {
  transport?: string;
}

/** Serves until the client goes away or the process is told to end. */
export async function serveCommand(flags: ServeFlags): Promise<ExitCode> {
  return withApplication<ExitCode>(flags, async ({ application, config, logger, signal }) => {
    const { knowledgeBase } = application;
    const [transport, { createMcpSession }] = await Promise.all([
      application.transport.get(),
      import("../../transports/mcp/server.js"),
    ]);
    const info = { version: version(), maxReplyTokens: config.mcp.maxReplyTokens };
    // The index run waits for the transport: a client is answered first.
    const starting = transport.start(() => createMcpSession(knowledgeBase, info, logger));
    void indexInBackground(knowledgeBase, logger, signal, starting);
    await starting;
    await Promise.race([transport.ended, aborted(signal)]);
    return 0;
  });
}

/** An index run that fails must not end the server: what is there can be searched, and replies say the rest. */
async function indexInBackground(
  knowledgeBase: KnowledgeBase,
  logger: Logger,
  signal: AbortSignal,
  starting: Promise<void>,
): Promise<void> {
  try {
    const summary = await knowledgeBase.index({ signal, after: starting, background: true });
    const { added, updated, deleted, skipped, documents, seconds } = summary;
    logger.info(
      `Indexed in ${seconds} s: ${documents} documents (${added} added, ${updated} updated, ${deleted} deleted, ${skipped.length} skipped)`,
    );
    for (const file of skipped) logger.warn(`skipped ${describeSkipped(file)}`);
  } catch (error) {
    // The client went away meanwhile, or the process was told to end: the next start goes on from here.
    if (signal.aborted || (isKbError(error) && error.code === "KB_CANCELLED")) return;
    if (isKbError(error)) logger.warn(`${error.message}. ${error.hint} [${error.code}]`);
    else
      logger.error(
        `Indexing failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      );
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
