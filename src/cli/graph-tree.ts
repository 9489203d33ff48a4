// A graph reply as the tree that pictures of it draw.
import type { GraphNode, GraphReply } from "../core/index.js";

export interface GraphTree {
  readonly node: GraphNode;
  /** Best connected first. */
  readonly children: readonly GraphTree[];
}

/** The tree below the start; undefined if the reply holds no node. */
export function graphTree({ nodes }: GraphReply): GraphTree | undefined {
  const children = new Map<number | undefined, GraphNode[]>();
  for (const node of nodes) {
    const siblings = children.get(node.parent_id) ?? [];
    siblings.push(node);
    children.set(node.parent_id, siblings);
  }
  const below = (node: GraphNode): GraphTree => ({
    node,
    children: (children.get(node.id) ?? []).map(below),
  });
  const [start] = children.get(undefined) ?? [];
  return start && below(start);
}

/** Where the passage of a node is. */
export function placeOf({ path, start_line }: GraphNode): string {
  return start_line === undefined ? path : `${path}:${start_line}`;
}

/** How similar a node is to its parent, with two decimals; "" for the start. */
export function scoreOf({ score }: GraphNode): string {
  return score?.toFixed(2) ?? "";
}

/** What was asked for, in words. */
export function settingsOf({ settings, nodes }: GraphReply): string {
  const { depth, fan_out, min_similarity, seed_strategy, category, topic, dedup_by_path } = settings;
  const what = dedup_by_path ? "document" : "passage";
  return [
    `${nodes.length} ${what}${nodes.length === 1 ? "" : "s"}`,
    `depth ${depth}`,
    `up to ${fan_out} neighbours each`,
    `similarity from ${min_similarity}`,
    ...(seed_strategy === "centroid" ? ["from the centroid of the start"] : []),
    ...(category !== undefined ? [`category ${category}`] : []),
    ...(topic !== undefined ? [`topic ${topic}`] : []),
  ].join(", ");
}
