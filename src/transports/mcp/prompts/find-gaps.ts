// The prompt find_gaps.
import { answering, quoted, type Prompt } from "../prompt.js";
import { completeTopic, findTopic } from "./topic-argument.js";

export const findGaps: Prompt = {
  name: "find_gaps",
  title: "Find gaps",
  description: "What the knowledge base, or one topic of it, should say and does not.",
  arguments: [
    {
      name: "topic",
      description: "A topic as list_topics shows it (a folder). Absent: the whole knowledge base.",
      required: false,
      complete: completeTopic,
    },
  ],
  async write({ topic: name }, kb) {
    const topic = name === undefined ? undefined : await findTopic(name, kb);
    const scope =
      name === undefined ? "the whole knowledge base" : `the topic ${quoted(topic?.topic ?? name)}`;
    const filter = topic === undefined ? "" : ` with topic ${quoted(topic.topic)}`;
    const unknown =
      name !== undefined && topic === undefined
        ? "\nNo topic of the knowledge base has exactly this name: treat it as a subject."
        : "";
    return `Find what is missing in ${scope}.${unknown}
1. Call list_topics to see what is covered, and how much.
2. Write down ten to twenty questions that its readers would ask, basic ones and rare ones.
3. Call search${filter} for each. A question counts as answered only if a passage answers it; with low_confidence true, look closer: passages may answer in other words. No passage that does makes it a gap.
4. Also call search${filter} with include_low_quality true for "TODO", "TBD", "draft" and 未定, and note documents that are stubs or old.
Then write: the gaps, most important first, each with the question, what was found instead (path), and the document that should say it; then what is covered well, in one line.

${answering}`;
  },
};
