import { describe, expect, it } from "@jest/globals";
import { replyTokens } from "../../../../src/core/index.js";
import type { TopicsReply } from "../../../../src/core/index.js";
import { connectClient, textOf } from "../../../support/connect-client.js";
import { memoryKnowledgeBase } from "../../../support/memory-knowledge-base.js";

async function list(reply: TopicsReply, maxReplyTokens = 16_000) {
  const kb = memoryKnowledgeBase({}, { listTopics: () => Promise.resolve(reply) });
  const { client, close } = await connectClient(kb, { maxReplyTokens });
  const result = await client.callTool({ name: "list_topics" });
  await close();
  return { text: textOf(result), shown: result.structuredContent as TopicsReply };
}

const topics = (count: number): TopicsReply["topics"] =>
  Array.from({ length: count }, (_, i) => ({ topic: `t${i}`, documents: i, uri: `kb://topic/t${i}` }));

describe("list_topics", () => {
  it("shows topics and categories with their counts", async () => {
    const reply = {
      documents: 3,
      categories: [{ category: "runbook", documents: 2 }],
      topics: [{ topic: "ops", documents: 3, uri: "kb://topic/ops" }],
      notes: [],
    };
    expect((await list(reply)).shown).toEqual(reply);
  });

  it("keeps the largest within the budget, and says how many were left out and where they are", async () => {
    const { shown, text } = await list(
      { documents: 9, categories: [{ category: "runbook", documents: 2 }], topics: topics(1000), notes: [] },
      4000,
    );
    expect(replyTokens(JSON.parse(text))).toBeLessThanOrEqual(4000);
    expect(shown.topics).toEqual(topics(1000).slice(-shown.topics.length));
    expect(shown.topics.length).toBeGreaterThan(50);
    expect(shown.categories.length).toBe(1);
    expect(shown.notes).toEqual([
      `The ${1000 - shown.topics.length} smallest of 1000 topics were left out to keep the reply short; the resource list (resources/list) shows all of them.`,
    ]);
  });

  it("shares the budget between many categories and many topics", async () => {
    const categories = Array.from({ length: 1000 }, (_, i) => ({ category: `c${i}`, documents: i }));
    const { shown, text } = await list({ documents: 9, categories, topics: topics(1000), notes: [] }, 4000);
    expect(replyTokens(JSON.parse(text))).toBeLessThanOrEqual(4000);
    expect(shown.categories.length).toBeGreaterThan(20);
    expect(shown.topics.length).toBeGreaterThan(20);
    expect(shown.notes.length).toBe(2);
  });
});
