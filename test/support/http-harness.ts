// Serves MCP sessions over Streamable HTTP on loopback, for suites that speak nothing else. Not a transport of
// kb-mcp: it has none of the checks that one needs.
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { KnowledgeBase } from "../../src/core/index.js";
import { createLogger } from "../../src/core/logger.js";
import { createMcpSession } from "../../src/transports/mcp/server.js";

export interface HttpHarness {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * @param rewrite changes the JSON text of each request; the suite asks for names of its own
 */
export async function serveOverHttp(
  kb: KnowledgeBase,
  rewrite: (body: string) => string,
): Promise<HttpHarness> {
  const logger = createLogger("error", () => undefined);
  const transports = new Map<string, StreamableHTTPServerTransport>();
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const id = request.headers["mcp-session-id"];
    const transport = (typeof id === "string" ? transports.get(id) : undefined) ?? (await newSession());
    const body = await text(request);
    await transport.handleRequest(request, response, body === "" ? undefined : JSON.parse(rewrite(body)));
  };
  const server: Server = createServer((request, response) => void handle(request, response));
  const newSession = async (): Promise<StreamableHTTPServerTransport> => {
    const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void transports.set(id, transport),
    });
    await createMcpSession(kb, { version: "0" }, logger).connect(transport);
    return transport;
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    async close() {
      for (const transport of transports.values()) await transport.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
