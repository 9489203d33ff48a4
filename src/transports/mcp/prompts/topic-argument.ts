// The argument that names a topic: its completion, and finding the topic that is meant. From the resources, which
// are worked out once for each version of the index: completion asks with every key that is pressed.
import { fold } from "../../../core/index.js";
import type { KnowledgeBase, TopicResource } from "../../../core/index.js";

/** Topics that begin with what was typed, then those that hold it, compared folded; largest first. */
export async function completeTopic(typed: string, kb: KnowledgeBase): Promise<string[]> {
  const key = fold(typed);
  const topics = (await kb.listResources())
    .filter(({ topic }) => topic !== "")
    .sort((a, b) => b.documents - a.documents || (a.topic < b.topic ? -1 : 1))
    .map(({ topic }) => ({ topic, at: fold(topic).indexOf(key) }));
  const first = topics.filter(({ at }) => at === 0);
  const later = topics.filter(({ at }) => at > 0);
  return [...first, ...later].map(({ topic }) => topic);
}

/** The topic of this name, compared folded; undefined if there is none. */
export async function findTopic(name: string, kb: KnowledgeBase): Promise<TopicResource | undefined> {
  const key = fold(name).replace(/^\/+|\/+$/gu, "");
  return (await kb.listResources()).find(({ topic }) => topic !== "" && fold(topic) === key);
}
