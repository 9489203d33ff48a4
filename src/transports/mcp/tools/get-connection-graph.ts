// The tool get_connection_graph. Walking and judging are core's; keeping the reply within its budget is fit-graph's.
import { defaultMinSimilarity, KbError, limits, seedStrategies } from "../../../core/index.js";
import type { GraphRequest, SeedStrategy } from "../../../core/index.js";
import { fitGraph } from "../fit-graph.js";
import { defineTool } from "../tool.js";

export const getConnectionGraph = defineTool({
  name: "get_connection_graph",
  title: "Follow connections",
  description: `Shows which documents are like one document, and which are like those: a walk by similarity of their passages, from a start outwards.
Use it to find related notes that no search words lead to, or to see what surrounds a document before changing or summarising it. Start from a path that search or list_topics led to. To answer a question, use search instead.
Returns nodes, by depth and then best first: id, parent_id, depth, score (similarity to the parent, 0 to 1), via ("meaning", or "words" where the embedder cannot read a passage), path (cite it), title, and the passage that connects: heading, start_line, end_line, snippet. truncated and truncation say what was cut and how to see more.
Example: {"start": "ops/backup.md", "depth": 2}`,
  input: {
    type: "object",
    properties: {
      start: {
        type: "string",
        description: "The document to start from: its path as search shows it, or its kb://doc/ URI.",
        examples: ["ops/backup.md"],
      },
      depth: {
        type: "integer",
        description: "How many steps to go.",
        minimum: 1,
        maximum: limits.graphDepthMax,
        default: limits.graphDepthDefault,
        examples: [2],
      },
      fan_out: {
        type: "integer",
        description: "How many neighbours of one node to follow at most.",
        minimum: 1,
        maximum: limits.graphFanOutMax,
        default: limits.graphFanOutDefault,
        examples: [5],
      },
      min_similarity: {
        type: "number",
        description: "How similar two passages must be, 0 to 1, to count as connected.",
        minimum: 0,
        maximum: 1,
        default: defaultMinSimilarity,
        examples: [0.7],
      },
      seed_strategy: {
        type: "string",
        enum: seedStrategies,
        description:
          'How the start is compared: "all_chunks" (default), each of its passages by itself; or "centroid", what they are about on the whole.',
        examples: ["centroid"],
      },
      dedup_by_path: {
        type: "boolean",
        description: "Whether a document occurs once, or once for each passage that connects.",
        default: true,
        examples: [false],
      },
      category: {
        type: "string",
        description: "Only documents of this category, as list_topics shows it; the start may be of another.",
        examples: ["runbook"],
      },
      topic: {
        type: "string",
        description: "Only documents in this topic and the topics below it; the start may lie elsewhere.",
        examples: ["ops"],
      },
      exclude_paths: {
        type: "array",
        items: { type: "string" },
        description: "Paths, kb://doc/ URIs or globs that the walk does not enter, one an entry.",
        maxItems: limits.filterEntries,
        examples: [["archive/**", "README.md"]],
      },
      max_nodes: {
        type: "integer",
        description: "How many nodes to return at most, the start counted.",
        minimum: 1,
        maximum: limits.graphNodesMax,
        default: limits.graphNodesDefault,
        examples: [50],
      },
      max_seed_chunks: {
        type: "integer",
        description: "How many passages of the start to follow at most.",
        minimum: 1,
        maximum: limits.graphSeedsMax,
        default: limits.graphSeedsDefault,
        examples: [100],
      },
    },
    required: ["start"],
    additionalProperties: false,
  },
  output: {
    type: "object",
    properties: {
      start: { type: "string", description: "Path of the start." },
      settings: { type: "object", description: "The settings as they were applied." },
      nodes: {
        type: "array",
        items: {
          type: "object",
          properties: {
            id: { type: "integer" },
            parent_id: { type: "integer", description: "Absent for the start." },
            depth: { type: "integer" },
            score: { type: "number", description: "Similarity to the parent; absent for the start." },
            via: { type: "string", enum: ["meaning", "words"] },
            path: { type: "string" },
            uri: { type: "string", description: "Present if the document can be read as a resource." },
            title: { type: "string" },
            heading: { type: "string" },
            start_line: { type: "integer", description: "First line of the passage." },
            end_line: { type: "integer", description: "Last line of the passage." },
            snippet: { type: "string", description: "The beginning of the passage." },
            parent_start_line: {
              type: "integer",
              description: "First line of the passage of the start that this one is like.",
            },
            parent_end_line: { type: "integer" },
          },
          required: ["id", "depth", "path", "title", "snippet"],
        },
      },
      truncated: { type: "boolean", description: "Whether something that was asked for is missing." },
      truncation: {
        type: "array",
        items: {
          type: "object",
          properties: {
            limit: {
              type: "string",
              enum: ["max_nodes", "max_seed_chunks", "candidates", "max_reply_tokens"],
            },
            left_out: { type: "integer", description: "How many are missing at least, where it is known." },
            message: { type: "string" },
          },
          required: ["limit", "message"],
        },
      },
      notes: { type: "array", items: { type: "string" } },
    },
    required: ["start", "settings", "nodes", "truncated", "truncation", "notes"],
  },
  behaviour: { readOnlyHint: true, openWorldHint: false },
  async run({ seed_strategy: strategy, ...rest }, { kb, signal, maxReplyTokens }) {
    const request: GraphRequest = {
      ...rest,
      ...(strategy !== undefined && { seed_strategy: seedStrategy(strategy) }),
    };
    return fitGraph(await kb.connectionGraph(request, signal), maxReplyTokens);
  },
});

function seedStrategy(given: string): SeedStrategy {
  const strategy = seedStrategies.find((known) => known === given.trim().toLowerCase());
  if (strategy !== undefined) return strategy;
  throw new KbError(
    "KB_TOOL_ARGUMENT",
    `The argument "seed_strategy" of get_connection_graph takes ${seedStrategies.join(" or ")}, not ${JSON.stringify(given.slice(0, 80))}`,
    { hint: `For example: {"seed_strategy":"${seedStrategies[0]}"}` },
  );
}
