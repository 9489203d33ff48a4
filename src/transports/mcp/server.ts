// One MCP session: the whole surface of kb-mcp over one connection. Knows no transport.
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { KnowledgeBase } from "../../core/index.js";
import type { Logger, McpSession } from "../../core/plugin-api.js";
import { toolRoutes } from "./call-tool.js";
import { completionRoutes } from "./completion.js";
import { trace } from "./failure.js";
import { promptRoutes } from "./get-prompt.js";
import { writeInstructions } from "./instructions.js";
import { handshakeRoute, ServerProtocol } from "./protocol.js";
import { prompts } from "./prompt-list.js";
import { defaultMaxReplyTokens } from "./reply-budget.js";
import { createRouter } from "./request-router.js";
import { resourceRoutes } from "./resources.js";
import { createSubscriptions } from "./subscriptions.js";
import { tools } from "./tool-list.js";

export interface SessionInfo {
  /** Of kb-mcp. */
  readonly version: string;
  /** `[mcp] max_reply_tokens`; 16,000 if absent. */
  readonly maxReplyTokens?: number;
}

/** A session for one connection; it opens no store before a request needs it. */
export function createMcpSession(
  kb: KnowledgeBase,
  { version, maxReplyTokens = defaultMaxReplyTokens }: SessionInfo,
  logger: Logger,
): McpSession {
  const protocol = new ServerProtocol();
  protocol.onerror = (error) => logger.warn(`MCP connection: ${error.message.slice(0, 500)}`);
  const subscriptions = createSubscriptions(
    kb,
    () => protocol.isInitialized,
    (notification) => protocol.notification(notification),
    logger,
  );
  protocol.onclose = () => subscriptions.close();
  return {
    async connect(transport) {
      protocol.fallbackRequestHandler = createRouter(
        {
          ...handshakeRoute({
            serverInfo: { name: "kb-mcp", title: "Knowledge base", version },
            capabilities: {
              tools: {},
              resources: { subscribe: true, listChanged: true },
              prompts: {},
              completions: {},
            },
            instructions: await instructions(kb, logger),
          }),
          ...toolRoutes(tools, { kb, maxReplyTokens, logger }),
          ...resourceRoutes(kb),
          ...subscriptions.routes,
          ...promptRoutes(prompts, kb),
          ...completionRoutes(prompts, kb),
        },
        logger,
      );
      await protocol.connect(transport as Transport);
    },
    async close() {
      // A session that was never connected hears nothing of its end.
      subscriptions.close();
      await protocol.close();
    },
  };
}

/** A broken overview must not keep a client from connecting. */
async function instructions(kb: KnowledgeBase, logger: Logger): Promise<string> {
  const overview = await kb.overview().catch((error: unknown) => {
    logger.error(`reading the overview of the index: ${trace(error)}`);
    return undefined;
  });
  return writeInstructions(overview, kb.indexing());
}
