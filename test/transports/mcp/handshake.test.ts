import { describe, expect, it } from "@jest/globals";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { createLogger } from "../../../src/core/logger.js";
import { createMcpSession } from "../../../src/transports/mcp/server.js";
import { memoryKnowledgeBase } from "../../support/memory-knowledge-base.js";

/** What the session answers to one request. */
async function ask(method: string, params: object): Promise<{ result?: object; error?: object }> {
  const session = createMcpSession(memoryKnowledgeBase({}), { version: "1.2.3" }, createLogger("error"));
  const [client, server] = InMemoryTransport.createLinkedPair();
  await session.connect(server);
  const answer = new Promise<JSONRPCMessage>((resolve) => (client.onmessage = resolve));
  await client.start();
  await client.send({ jsonrpc: "2.0", id: 1, method, params: { ...params } });
  const message = (await answer) as { result?: object; error?: object };
  await session.close();
  return message;
}

const initialize = (protocolVersion: string) =>
  ask("initialize", { protocolVersion, capabilities: {}, clientInfo: { name: "t", version: "0" } });

describe("initialize", () => {
  it.each(["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"])(
    "speaks the client's version %s",
    async (version) => {
      expect((await initialize(version)).result).toMatchObject({ protocolVersion: version });
    },
  );

  it.each(["1999-01-01", "2099-01-01"])("offers its newest version to a client of %s", async (version) => {
    expect((await initialize(version)).result).toMatchObject({ protocolVersion: "2025-11-25" });
  });

  it("says who the server is, what it can do, and how to use it", async () => {
    expect((await initialize("2025-06-18")).result).toEqual({
      protocolVersion: "2025-06-18",
      serverInfo: { name: "kb-mcp", title: "Knowledge base", version: "1.2.3" },
      capabilities: expect.objectContaining({ tools: {}, prompts: {} }),
      instructions: expect.stringContaining("Start with search"),
    });
  });

  it("refuses a handshake without a version", async () => {
    expect((await ask("initialize", {})).error).toMatchObject({ code: -32602 });
  });
});

describe("a call that asks for a task, which this server does not offer", () => {
  it("is answered in the ordinary way", async () => {
    const { result } = await ask("tools/call", { name: "list_topics", task: { ttl: 1000 } });
    expect(result).toHaveProperty("structuredContent");
  });
});
