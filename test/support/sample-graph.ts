// A graph reply with the settings that nobody asked to change.
import type { GraphNode, GraphReply } from "../../src/core/index.js";

export function sampleGraph(nodes: GraphNode[], more: Partial<GraphReply> = {}): GraphReply {
  return {
    start: "0.md",
    settings: {
      depth: 2,
      fan_out: 5,
      min_similarity: 0.6,
      seed_strategy: "all_chunks",
      dedup_by_path: true,
      max_nodes: 100,
      max_seed_chunks: 32,
    },
    nodes,
    truncated: false,
    truncation: [],
    notes: [],
    ...more,
  };
}
