// Connects the SDK's own client to an MCP session in this process.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import type { KnowledgeBase } from "../../src/core/index.js";
import { createLogger } from "../../src/core/logger.js";
import { createMcpSession } from "../../src/transports/mcp/server.js";

export interface ConnectedClient {
  readonly client: Client;
  /** What the session logged. */
  readonly log: string[];
  readonly close: () => Promise<void>;
}

/** The client has listed the tools, so it holds every reply against the advertised schema. */
export async function connectClient(
  kb: KnowledgeBase,
  info: { maxReplyTokens?: number } = {},
): Promise<ConnectedClient> {
  const log: string[] = [];
  const logger = createLogger("debug", (line) => log.push(line));
  const session = createMcpSession(kb, { version: "1.2.3", ...info }, logger);
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  await session.connect(serverSide);
  const client = new Client({ name: "test", version: "0" });
  await client.connect(clientSide);
  await client.listTools();
  return { client, log, close: () => session.close() };
}

/** The one text of a tool's result. */
export function textOf(result: Awaited<ReturnType<Client["callTool"]>>): string {
  const content = result.content as { type: string; text: string }[];
  if (content.length !== 1 || content[0]?.type !== "text") throw new Error("expected one text");
  return content[0].text;
}
