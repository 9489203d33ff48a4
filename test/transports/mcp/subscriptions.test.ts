import { describe, expect, it } from "@jest/globals";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import {
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { createLogger } from "../../../src/core/logger.js";
import { createMcpSession } from "../../../src/transports/mcp/server.js";
import { connectClient, type ConnectedClient } from "../../support/connect-client.js";
import { memoryKnowledgeBase } from "../../support/memory-knowledge-base.js";

const files = { "README.md": "# Hello", "ops/backup.md": "We back up every night." };
const backup = "kb://doc/ops/backup.md";

function heardBy({ client }: ConnectedClient): string[] {
  const heard: string[] = [];
  client.setNotificationHandler(
    ResourceUpdatedNotificationSchema,
    ({ params }) => void heard.push(params.uri),
  );
  client.setNotificationHandler(ResourceListChangedNotificationSchema, () => void heard.push("list"));
  return heard;
}

describe("a subscription to a resource", () => {
  it("is told of a change of that resource, and of no other", async () => {
    const kb = memoryKnowledgeBase(files);
    const connected = await connectClient(kb);
    const heard = heardBy(connected);
    await connected.client.subscribeResource({ uri: backup });
    kb.changed({ updated: new Set([backup, "kb://doc/README.md"]), listChanged: false });
    kb.changed({ updated: new Set(["kb://doc/README.md"]), listChanged: false });
    await connected.client.ping();
    expect(heard).toEqual([backup]);
    await connected.close();
  });

  it("ends with unsubscribe, which may be said twice", async () => {
    const kb = memoryKnowledgeBase(files);
    const connected = await connectClient(kb);
    const heard = heardBy(connected);
    await connected.client.subscribeResource({ uri: backup });
    await connected.client.unsubscribeResource({ uri: backup });
    await connected.client.unsubscribeResource({ uri: backup });
    kb.changed({ updated: new Set([backup]), listChanged: false });
    await connected.client.ping();
    expect(heard).toEqual([]);
    await connected.close();
  });

  it("is refused for what is not offered, as a read is", async () => {
    const { client, close } = await connectClient(memoryKnowledgeBase(files));
    const uri = "kb://doc/absent.md";
    await expect(client.subscribeResource({ uri })).rejects.toMatchObject({
      code: -32002,
      data: { code: "KB_READ_NOT_SERVABLE", uri },
    });
    await close();
  });

  it("ends with the session", async () => {
    const kb = memoryKnowledgeBase(files);
    const connected = await connectClient(kb);
    expect(kb.listeners.size).toBe(1);
    await connected.client.close();
    expect(kb.listeners.size).toBe(0);
    await connected.close();
  });
});

describe("a session that was never connected", () => {
  it("listens no longer once it is closed", async () => {
    const kb = memoryKnowledgeBase(files);
    const session = createMcpSession(kb, { version: "0" }, createLogger("error"));
    expect(kb.listeners.size).toBe(1);
    await session.close();
    expect(kb.listeners.size).toBe(0);
  });
});

describe("every session", () => {
  it("is told nothing before the client has ended the handshake", async () => {
    const kb = memoryKnowledgeBase(files);
    const session = createMcpSession(kb, { version: "0" }, createLogger("error"));
    const [client, server] = InMemoryTransport.createLinkedPair();
    const methods: string[] = [];
    client.onmessage = (message) => void methods.push("method" in message ? message.method : "an answer");
    await session.connect(server);
    await client.start();
    const change = () => kb.changed({ updated: new Set([backup]), listChanged: true });
    const send = (message: object) => client.send({ jsonrpc: "2.0", ...message } as JSONRPCMessage);
    const turn = () => new Promise((resolve) => setTimeout(resolve, 10));

    change();
    const clientInfo = { name: "t", version: "0" };
    const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
    await send({ id: 1, method: "initialize", params });
    await turn();
    change();
    await turn();
    expect(methods).toEqual(["an answer"]);
    await send({ method: "notifications/initialized" });
    await turn();
    change();
    await turn();
    expect(methods).toEqual(["an answer", "notifications/resources/list_changed"]);
    await session.close();
  });

  it("is told when the list of resources changed", async () => {
    const kb = memoryKnowledgeBase(files);
    const connected = await connectClient(kb);
    const heard = heardBy(connected);
    kb.changed({ updated: new Set(), listChanged: true });
    await connected.client.ping();
    expect(heard).toEqual(["list"]);
    await connected.close();
  });
});
