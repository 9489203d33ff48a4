import { describe, expect, it } from "@jest/globals";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { watchRequests } from "../../../src/transports/stdio/pending-requests.js";

/** Longer than any test may take: whoever waits for it in vain fails. */
const forever = 2 ** 30;

const request = (id: number): JSONRPCMessage => ({ jsonrpc: "2.0", id, method: "tools/call" });
const answer = (id: number): JSONRPCMessage => ({ jsonrpc: "2.0", id, result: {} });
const refusal = (id: number): JSONRPCMessage => ({
  jsonrpc: "2.0",
  id,
  error: { code: -32603, message: "no" },
});
const cancellation = (id: number): JSONRPCMessage => ({
  jsonrpc: "2.0",
  method: "notifications/cancelled",
  params: { requestId: id },
});

async function connect() {
  const [client, server] = InMemoryTransport.createLinkedPair();
  const requests = watchRequests(server);
  await server.start();
  return { client, server, requests };
}

describe("requests that are not answered yet", () => {
  it("are none at the beginning", async () => {
    const { requests } = await connect();
    await requests.settled(forever);
  });

  it.each([
    ["an answer", answer(1)],
    ["an error", refusal(1)],
  ])("are settled by %s", async (_name, message) => {
    const { client, server, requests } = await connect();
    await client.send(request(1));
    const settled = requests.settled(forever);
    await server.send(message);
    await settled;
  });

  it("are settled by a cancellation, which is never answered", async () => {
    const { client, requests } = await connect();
    await client.send(request(1));
    const settled = requests.settled(forever);
    await client.send(cancellation(1));
    await settled;
  });

  it("are waited for until the last is settled", async () => {
    const { client, server, requests } = await connect();
    await client.send(request(1));
    await client.send(request(2));
    let done = false;
    const settled = requests.settled(forever).then(() => (done = true));
    await server.send({ jsonrpc: "2.0", method: "notifications/progress", params: {} });
    await server.send(answer(1));
    await new Promise(setImmediate);
    expect(done).toBe(false);
    await server.send(answer(2));
    await settled;
  });

  it("let go of everybody who waits, and leave no timer behind that keeps the process alive", async () => {
    const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
    const { client, server, requests } = await connect();
    await client.send(request(1));
    const before = timers();
    const all = [requests.settled(forever), requests.settled(forever)];
    await server.send(answer(1));
    await Promise.all(all);
    expect(timers()).toBe(before);
  });

  it("are waited for no longer than asked", async () => {
    const { client, requests } = await connect();
    await client.send(request(1));
    await requests.settled(10);
  });
});
