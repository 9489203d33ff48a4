// The reply of list_topics: what is indexed, by category and by topic.
import type { VectorStore } from "../plugin-api.js";
import type { TopicsReply } from "./document-reply.js";
import { topicUri } from "./document-uri.js";
import type { ParserRegistry } from "./parser-registry.js";
import { isServable } from "./servable-set.js";
import { topicGroups } from "./topics.js";

/** Counts of everything indexed; a topic has a URI if something in it can be read as a resource. */
export async function listTopics(
  store: VectorStore,
  registry: ParserRegistry,
): Promise<Omit<TopicsReply, "notes">> {
  const all: { topic: string }[] = [];
  const servable: { topic: string }[] = [];
  const categories = new Map<string, number>();
  for await (const batch of store.documents(["path", "sizeBytes", "topic", "category"]))
    for (const document of batch) {
      all.push(document);
      if (isServable(document, registry)) servable.push(document);
      const { category } = document;
      if (category !== undefined) categories.set(category, (categories.get(category) ?? 0) + 1);
    }
  const served = new Set(topicGroups(servable).map(({ topic }) => topic));
  return {
    documents: all.length,
    categories: [...categories]
      .map(([category, documents]) => ({ category, documents }))
      .sort((a, b) => (a.category < b.category ? -1 : 1)),
    topics: topicGroups(all).map((group) => ({
      ...group,
      ...(served.has(group.topic) && { uri: topicUri(group.topic) }),
    })),
  };
}
