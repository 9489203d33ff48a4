// The tool get_document. Reading is core's; this adds how to read a long document in parts.
import { replyTokens } from "../../../core/index.js";
import type { DocumentReply } from "../../../core/index.js";
import { defineTool } from "../tool.js";

export const getDocument = defineTool({
  name: "get_document",
  title: "Read a document",
  description: `Reads a document of the knowledge base as text, whole or by lines.
Use it after search, when a passage is not enough: pass the path of a hit, and around its start_line and end_line for a long document. The path must be known; to find one, use search.
Returns text, title, metadata (frontmatter), media_type, size_bytes, total_lines, truncated (true if the end is missing because the document is too large), notes.
Example: {"path": "guide/setup.md", "start_line": 1, "end_line": 80}`,
  input: {
    type: "object",
    properties: {
      path: {
        type: "string",
        description: "Path relative to the knowledge base, exactly as search shows it.",
        examples: ["guide/setup.md"],
      },
      start_line: {
        type: "integer",
        description: "First line to return, counted from 1. Absent: the first of the document.",
        minimum: 1,
        examples: [1],
      },
      end_line: {
        type: "integer",
        description: "Last line to return, inclusive. Absent: the last of the document.",
        minimum: 1,
        examples: [80],
      },
    },
    required: ["path"],
    additionalProperties: false,
  },
  output: {
    type: "object",
    properties: {
      path: { type: "string" },
      title: { type: "string" },
      media_type: { type: "string", description: "Of the text, not of the file." },
      size_bytes: { type: "integer", description: "Of the file." },
      total_lines: { type: "integer", description: "Lines of the whole text." },
      start_line: { type: "integer", description: "First line returned, when a part was asked for." },
      end_line: { type: "integer", description: "Last line returned, when a part was asked for." },
      truncated: { type: "boolean", description: "Whether text is missing at the end of the document." },
      metadata: { type: "object", description: "The frontmatter as written." },
      notes: { type: "array", items: { type: "string" } },
      text: { type: "string" },
    },
    required: [
      "path",
      "title",
      "media_type",
      "size_bytes",
      "total_lines",
      "truncated",
      "metadata",
      "notes",
      "text",
    ],
  },
  behaviour: { readOnlyHint: true, openWorldHint: false },
  async run(args, { kb, signal, maxReplyTokens }) {
    const { text, notes, ...rest } = await kb.getDocument(args, signal);
    // The text goes last: a client that cuts a long reply off must not cut the notes.
    return {
      ...rest,
      notes: [...notes, ...howToReadInParts({ text, notes, ...rest }, maxReplyTokens)],
      text,
    };
  },
});

/** Says above the budget which lines to ask for; nothing below it. */
function howToReadInParts(reply: DocumentReply, maxReplyTokens: number): string[] {
  // A character is at most one token, and an escape doubles it: short texts need no exact count.
  if (reply.text.length * 4 < maxReplyTokens) return [];
  const tokens = replyTokens(reply);
  if (tokens <= maxReplyTokens) return [];
  const first = reply.start_line ?? 1;
  const last = reply.end_line ?? reply.total_lines;
  const lines = Math.floor((((last - first + 1) * maxReplyTokens) / tokens) * 0.9);
  const size = `This reply is about ${tokens} tokens, above the ${maxReplyTokens} that fit a client well.`;
  return [
    lines < 1
      ? `${size} Its lines are too long to read it by lines; use search to find the passage.`
      : `${size} Read it in parts of ${lines} lines: start_line ${first}, end_line ${first + lines - 1}, then from line ${first + lines} on, up to line ${last}.`,
  ];
}
