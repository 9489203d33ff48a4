// The tool list_topics. Shortens a long list to the budget; counting is core's.
import { partTokens, replyTokens } from "../../../core/index.js";
import type { TopicsReply } from "../../../core/index.js";
import { countThatFit, noteTokens } from "../reply-budget.js";
import { defineTool } from "../tool.js";

export const listTopics = defineTool({
  name: "list_topics",
  title: "List topics",
  description: `Shows what the knowledge base covers: its topics (folders) and categories, each with its number of documents.
Use it to see whether a subject is covered at all, or to find a value for the topic and category filters of search. To answer a question, start with search instead.
Returns documents (total), topics [{topic, documents, uri}], categories [{category, documents}]; a topic's count includes the topics below it, and "" is the top level.
Takes no arguments: {}`,
  input: { type: "object", properties: {}, additionalProperties: false },
  output: {
    type: "object",
    properties: {
      documents: { type: "integer", description: "Documents in the index." },
      categories: {
        type: "array",
        items: {
          type: "object",
          properties: { category: { type: "string" }, documents: { type: "integer" } },
          required: ["category", "documents"],
        },
      },
      topics: {
        type: "array",
        items: {
          type: "object",
          properties: {
            topic: { type: "string" },
            documents: { type: "integer" },
            uri: { type: "string", description: "The resource that lists the topic's documents." },
          },
          required: ["topic", "documents"],
        },
      },
      notes: { type: "array", items: { type: "string" } },
    },
    required: ["documents", "categories", "topics", "notes"],
  },
  behaviour: { readOnlyHint: true, openWorldHint: false },
  async run(_args, { kb, maxReplyTokens }) {
    return fitTopics(await kb.listTopics(), maxReplyTokens);
  },
});

/** Keeps the largest topics and categories, each list in its own order, and says how many were left out. */
function fitTopics(reply: TopicsReply, maxTokens: number): TopicsReply {
  if (replyTokens(reply) <= maxTokens) return reply;
  const room = maxTokens - replyTokens({ ...reply, topics: [], categories: [] }) - 2 * noteTokens;
  // Categories are few where people use them well; topics get whatever they leave.
  const categories = largest(reply.categories, room / 2);
  const topics = largest(reply.topics, room - partTokens(categories));
  const notes = [
    ...leftOut("topics", reply.topics.length - topics.length, reply.topics.length),
    ...leftOut("categories", reply.categories.length - categories.length, reply.categories.length),
  ];
  return { ...reply, categories, topics, notes: [...reply.notes, ...notes] };
}

function largest<Entry extends { documents: number }>(entries: Entry[], tokens: number): Entry[] {
  const bySize = [...entries].sort((a, b) => b.documents - a.documents);
  const kept = new Set(bySize.slice(0, countThatFit(bySize, tokens)));
  return entries.filter((entry) => kept.has(entry));
}

function leftOut(what: "topics" | "categories", missing: number, all: number): string[] {
  if (missing === 0) return [];
  const rest =
    what === "topics"
      ? "the resource list (resources/list) shows all of them"
      : "search finds their documents, each hit names its category";
  return [`The ${missing} smallest of ${all} ${what} were left out to keep the reply short; ${rest}.`];
}
