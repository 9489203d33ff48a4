// The tool search. Finding, judging and keeping the reply within its budget are core's.
import { limits } from "../../../core/index.js";
import { defineTool } from "../tool.js";

export const search = defineTool({
  name: "search",
  title: "Search the knowledge base",
  description: `Finds the passages of the user's own documents that answer a question, by meaning and by words, in English and Japanese.
Use it first for anything the user's notes, docs or files may say. Ask with the words the documents would use, in their language; "an exact phrase" in quotes must occur, -word or -"a phrase" excludes. If nothing fits, try other words before giving up.
Returns results, best first: content (the passage), path (cite it), title, heading, start_line and end_line (for get_document), score; confidence (0 to 1) says how likely the answer is among them, judged by how much of the question's words one passage holds. With low_confidence true, check whether a passage answers it in other words; if none does, say that the knowledge base does not cover the question. notes says what else to know.
Example: {"query": "how often do we back up the database", "limit": 5, "topic": "ops"}`,
  input: {
    type: "object",
    properties: {
      query: {
        type: "string",
        description: `The question or key words, at most ${limits.queryBytes} bytes. Words; "exact phrase"; -excluded.`,
        examples: ["backup schedule"],
      },
      limit: {
        type: "integer",
        description: "How many passages to return at most.",
        minimum: 1,
        maximum: limits.searchLimitMax,
        default: limits.searchLimitDefault,
        examples: [10],
      },
      category: {
        type: "string",
        description: "Only documents of this category, as list_topics shows it.",
        examples: ["runbook"],
      },
      topic: {
        type: "string",
        description: "Only documents in this topic and the topics below it, as list_topics shows it.",
        examples: ["ops"],
      },
      path_globs: {
        type: "array",
        items: { type: "string" },
        description: 'Only paths that match one of these globs; a glob that begins with "!" excludes.',
        maxItems: limits.filterEntries,
        examples: [["ops/**", "!ops/archive/**"]],
      },
      tags_any: {
        type: "array",
        items: { type: "string" },
        description: "Only documents with at least one of these tags.",
        maxItems: limits.filterEntries,
        examples: [["database", "backup"]],
      },
      tags_all: {
        type: "array",
        items: { type: "string" },
        description: "Only documents with all of these tags.",
        maxItems: limits.filterEntries,
        examples: [["database", "backup"]],
      },
      date_from: {
        type: "string",
        description: "Only documents dated on or after this day, YYYY-MM-DD.",
        examples: ["2026-01-31"],
      },
      date_to: {
        type: "string",
        description: "Only documents dated on or before this day, YYYY-MM-DD.",
        examples: ["2026-12-31"],
      },
      min_quality: {
        type: "number",
        description: "Only passages of at least this quality, 0 (placeholder) to 1.",
        minimum: 0,
        maximum: 1,
        examples: [0.5],
      },
      include_low_quality: {
        type: "boolean",
        description: "Also near-empty and placeholder passages, which are hidden otherwise.",
        default: false,
        examples: [true],
      },
      rerank: {
        type: "boolean",
        description: "Whether the reranker, if one is configured, orders the best passages.",
        examples: [false],
      },
      mmr: {
        type: "boolean",
        description: "Choose hits for variety: one that repeats a better one comes later.",
        examples: [true],
      },
      mmr_lambda: {
        type: "number",
        description: "How much the score counts against variety, 0 to 1.",
        minimum: 0,
        maximum: 1,
        examples: [0.7],
      },
      mmr_same_doc_penalty: {
        type: "number",
        description:
          "How much more alike passages of one document count, 0 to 1; raise it to hear several documents.",
        minimum: 0,
        maximum: 1,
        examples: [0.3],
      },
      parent_retriever: {
        type: "boolean",
        description: "Let passages grow to the section they stand in; ask for few of them.",
        examples: [true],
      },
      min_confidence: {
        type: "number",
        description: "The confidence below which the reply says low_confidence.",
        minimum: 0,
        maximum: 1,
        examples: [0.5],
      },
    },
    required: ["query"],
    additionalProperties: false,
  },
  output: {
    type: "object",
    properties: {
      results: {
        type: "array",
        items: {
          type: "object",
          properties: {
            score: { type: "number" },
            path: { type: "string" },
            uri: { type: "string", description: "Present if the document can be read as a resource." },
            title: { type: "string" },
            heading: { type: "string" },
            heading_path: { type: "array", items: { type: "string" } },
            category: { type: "string" },
            topic: { type: "string" },
            date: { type: "string" },
            tags: { type: "array", items: { type: "string" } },
            content: {
              type: "string",
              description: "The passage; a mark at its end says so if it was shortened.",
            },
            start_line: { type: "integer", description: "First line of the passage." },
            end_line: { type: "integer", description: "Last line of the passage." },
            match_spans: {
              type: "array",
              description: "[start, end) offsets into content, in UTF-16 units.",
              items: { type: "array", items: { type: "integer" }, minItems: 2, maxItems: 2 },
            },
            expanded_from: {
              type: "array",
              description: "Offsets into content of what was found, if the passage has grown around it.",
              items: { type: "array", items: { type: "integer" }, minItems: 2, maxItems: 2 },
            },
          },
          required: ["score", "path", "title", "heading_path", "topic", "tags", "content", "match_spans"],
        },
      },
      confidence: { type: "number", minimum: 0, maximum: 1 },
      low_confidence: { type: "boolean" },
      filter_applied: { type: "object", description: "The filters as they were understood." },
      mode: { type: "string", enum: ["hybrid", "lexical", "vector"] },
      notes: { type: "array", items: { type: "string" } },
    },
    required: ["results", "confidence", "low_confidence", "filter_applied", "mode", "notes"],
  },
  behaviour: { readOnlyHint: true, openWorldHint: false },
  run: (args, { kb, signal }) => kb.search(args, signal),
});
