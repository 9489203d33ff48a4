// The prompt summarize_topic.
import { answering, quoted, type Prompt } from "../prompt.js";
import { completeTopic, findTopic } from "./topic-argument.js";

export const summarizeTopic: Prompt = {
  name: "summarize_topic",
  title: "Summarize a topic",
  description: "An overview of what the knowledge base says about one topic, with sources.",
  arguments: [
    {
      name: "topic",
      description: "A topic as list_topics shows it (a folder), or any subject.",
      required: true,
      complete: completeTopic,
    },
  ],
  async write({ topic: name = "" }, kb) {
    const topic = await findTopic(name, kb);
    const steps =
      topic === undefined
        ? `No topic of the knowledge base has exactly this name, so treat it as a subject:
1. Call list_topics to see where it may be covered.
2. Call search for it three to five times, in different words, with limit 10.
3. Call get_document for the documents that come up most.`
        : `It holds ${topic.documents} document${topic.documents === 1 ? "" : "s"}.
1. Read the resource ${topic.uri} for its documents and their titles.
2. Call search with topic ${quoted(topic.topic)} for its main questions: what it is, how it works, what was decided, what is open.
3. Call get_document for the documents that matter most; not for all if there are many.`;
    return `Summarize what the knowledge base says about the topic ${quoted(topic?.topic ?? name)}. ${steps}
Then write: a summary in three sentences; the main points, grouped; what is contradictory or out of date; what a reader should open first.

${answering}`;
  },
};
