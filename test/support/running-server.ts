// A real MCP client of `kb-mcp serve`, with its replies as they are typed.
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { setTimeout } from "node:timers/promises";
import { expect } from "@jest/globals";
import type { SearchReply } from "../../src/core/index.js";

/** Calls a tool that must succeed. */
export async function callTool<Reply>(
  client: Client,
  name: string,
  args: Record<string, unknown>,
): Promise<Reply> {
  const result = await client.callTool({ name, arguments: args });
  expect([name, result.isError ?? false, result.content]).toEqual([name, false, expect.anything()]);
  return result.structuredContent as Reply;
}

/** Searches until the run that the server began when it started has ended. */
export async function searchWhenIndexed(
  client: Client,
  request: Record<string, unknown>,
): Promise<SearchReply> {
  for (;;) {
    const reply = await callTool<SearchReply>(client, "search", request);
    if (!reply.notes.some((note) => note.startsWith("Indexing "))) return reply;
    await setTimeout(50);
  }
}
