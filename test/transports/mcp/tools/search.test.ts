import { describe, expect, it } from "@jest/globals";
import { connectClient, textOf } from "../../../support/connect-client.js";
import { memoryKnowledgeBase } from "../../../support/memory-knowledge-base.js";

const files = {
  "ops/backup.md": "We back up the database every night.",
  "guide/start.md": "Install the database first.",
};

describe("search", () => {
  it("returns hits as structured content and the same JSON as text", async () => {
    const { client, close } = await connectClient(memoryKnowledgeBase(files));
    const result = await client.callTool({ name: "search", arguments: { query: "database night" } });
    await close();
    expect(result.isError).toBeUndefined();
    expect(JSON.parse(textOf(result))).toEqual(result.structuredContent);
    expect(result.structuredContent).toMatchObject({
      results: [{ path: "ops/backup.md", uri: "kb://doc/ops/backup.md" }, { path: "guide/start.md" }],
      low_confidence: false,
      mode: "lexical",
    });
    expect(textOf(result)).not.toContain("null");
  });

  it("hands the arguments on, converted, and leaves absent ones out", async () => {
    const kb = memoryKnowledgeBase(files);
    const { client, close } = await connectClient(kb);
    await client.callTool({
      name: "search",
      arguments: {
        query: "database",
        limit: "3",
        topic: "ops",
        tags_any: '["a","b"]',
        category: "",
        date_from: null,
        include_low_quality: "true",
        min_confidence: "0.2",
      },
    });
    await close();
    expect(kb.searches).toEqual([
      {
        query: "database",
        limit: 3,
        topic: "ops",
        tags_any: ["a", "b"],
        include_low_quality: true,
        min_confidence: 0.2,
      },
    ]);
  });

  it("leaves a key without a value out of both copies", async () => {
    const kb = memoryKnowledgeBase(files);
    const plain = kb.search.bind(kb);
    kb.search = async (request) => {
      const reply = await plain(request);
      return { ...reply, results: reply.results.map((hit) => ({ ...hit, heading: undefined as never })) };
    };
    const { client, close } = await connectClient(kb);
    const result = await client.callTool({ name: "search", arguments: { query: "database" } });
    await close();
    const { results } = result.structuredContent as { results: object[] };
    expect(results.map((hit) => "heading" in hit)).toEqual([false, false]);
  });

  it("refuses an unknown argument by name, as an error the model can read", async () => {
    const kb = memoryKnowledgeBase(files);
    const { client, close } = await connectClient(kb);
    const result = await client.callTool({ name: "search", arguments: { query: "x", topics: "ops" } });
    await close();
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(
      /^KB_TOOL_ARGUMENT: search has no argument "topics"\.\nDid you mean "topic"\? search takes: query, limit/u,
    );
    expect(kb.searches).toEqual([]);
  });
});
