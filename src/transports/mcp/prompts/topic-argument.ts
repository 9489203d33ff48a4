// The argument that names a topic: its completion, and finding the topic that is meant.
import { fold } from "../../../core/index.js";
import type { KnowledgeBase, TopicsReply } from "../../../core/index.js";

export type Topic = TopicsReply["topics"][number];

/** Topics that begin with what was typed, then those that hold it, compared folded; largest first. */
export async function completeTopic(typed: string, kb: KnowledgeBase): Promise<string[]> {
  const key = fold(typed);
  const topics = (await kb.listTopics()).topics
    .filter(({ topic }) => topic !== "")
    .sort((a, b) => b.documents - a.documents || (a.topic < b.topic ? -1 : 1))
    .map(({ topic }) => ({ topic, at: fold(topic).indexOf(key) }));
  const first = topics.filter(({ at }) => at === 0);
  const later = topics.filter(({ at }) => at > 0);
  return [...first, ...later].map(({ topic }) => topic);
}

/** The topic of this name, compared folded; undefined if there is none. */
export async function findTopic(name: string, kb: KnowledgeBase): Promise<Topic | undefined> {
  const key = fold(name).replace(/^\/+|\/+$/gu, "");
  return (await kb.listTopics()).topics.find(({ topic }) => topic !== "" && fold(topic) === key);
}
