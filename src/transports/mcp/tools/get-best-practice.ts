// The tool get_best_practice. Finding and cutting are core's; this adds how to read a long one in parts.
import { replyTokens } from "../../../core/index.js";
import type { BestPracticeReply } from "../../../core/index.js";
import { defineTool } from "../tool.js";

export const getBestPractice = defineTool({
  name: "get_best_practice",
  title: "Read a best practice",
  description: `Reads the team's own best practice for something (a language, a framework, a task), whole or one section of it, from the place where the operator keeps them.
Use it before work that a house rule may cover, and follow what it says. For anything else, use search. It says so if no best practices are configured.
Returns text, path (cite it), title, categories (the names of its sections), start_line and end_line of a section, truncated, notes.
Example: {"target": "typescript", "category": "Error handling"}`,
  input: {
    type: "object",
    properties: {
      target: {
        type: "string",
        description: "What the best practice is for: one name, as its file or folder is called.",
        examples: ["typescript"],
      },
      category: {
        type: "string",
        description: "The heading of one section (level 2). Absent: the whole document.",
        examples: ["Error handling"],
      },
    },
    required: ["target"],
    additionalProperties: false,
  },
  output: {
    type: "object",
    properties: {
      target: { type: "string" },
      path: { type: "string" },
      title: { type: "string" },
      media_type: { type: "string", description: "Of the text, not of the file." },
      category: { type: "string", description: "The section returned; absent for the whole document." },
      categories: {
        type: "array",
        items: { type: "string" },
        description: "Sections that can be asked for.",
      },
      start_line: { type: "integer", description: "First line of the section in the document." },
      end_line: { type: "integer", description: "Last line of the section in the document." },
      truncated: { type: "boolean", description: "Whether text is missing at the end." },
      notes: { type: "array", items: { type: "string" } },
      text: { type: "string" },
    },
    required: ["target", "path", "title", "media_type", "categories", "truncated", "notes", "text"],
  },
  behaviour: { readOnlyHint: true, openWorldHint: false },
  async run(args, { kb, signal, maxReplyTokens }) {
    const { text, notes, ...rest } = await kb.bestPractice(args, signal);
    const reply = { ...rest, notes, text };
    // The text goes last: a client that cuts a long reply off must not cut the notes.
    return { ...rest, notes: [...notes, ...howToReadLess(reply, maxReplyTokens)], text };
  },
});

function howToReadLess(reply: BestPracticeReply, maxReplyTokens: number): string[] {
  if (reply.text.length * 4 < maxReplyTokens) return [];
  const tokens = replyTokens(reply);
  if (tokens <= maxReplyTokens) return [];
  const size = `This reply is about ${tokens} tokens, above the ${maxReplyTokens} that fit a client well.`;
  return [
    reply.category === undefined && reply.categories.length > 0
      ? `${size} Ask for one category instead.`
      : `${size} Read ${JSON.stringify(reply.path)} in parts with get_document.`,
  ];
}
