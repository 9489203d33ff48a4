// Topics: the first one or two directories of a path, "" for documents in the root of the knowledge base.
import type { VectorStore } from "../plugin-api.js";

export interface TopicCount {
  topic: string;
  /** Documents in it and below it; for "", those in the root itself. */
  documents: number;
}

/** Whether a document's topic lies in a group: the same, or below it. The root group holds only its own. */
export function isInTopic(documentTopic: string, group: string): boolean {
  return documentTopic === group || (group !== "" && documentTopic.startsWith(`${group}/`));
}

/** Every group that holds a document, by name. A topic of two directories counts for the first one too. */
export function topicGroups(documents: Iterable<{ readonly topic: string }>): TopicCount[] {
  const counts = new Map<string, number>();
  const count = (topic: string): void => void counts.set(topic, (counts.get(topic) ?? 0) + 1);
  for (const { topic } of documents) {
    count(topic);
    const slash = topic.indexOf("/");
    if (slash > 0) count(topic.slice(0, slash));
  }
  return [...counts]
    .map(([topic, documents]) => ({ topic, documents }))
    .sort((a, b) => (a.topic < b.topic ? -1 : 1));
}

/** The groups of everything indexed, largest first. */
export async function topicCounts(store: VectorStore): Promise<TopicCount[]> {
  const documents: { topic: string }[] = [];
  for await (const batch of store.documents(["topic"])) documents.push(...batch);
  return topicGroups(documents).sort((a, b) => b.documents - a.documents);
}
