// A graph reply as the tree that pictures of it draw.
import type { GraphNode, GraphReply } from "../core/index.js";
import { shortenedEnd } from "./shorten.js";

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
  const treeOf = (node: GraphNode): GraphTree => ({
    node,
    children: (children.get(node.id) ?? []).map(treeOf),
  });
  const [start] = children.get(undefined) ?? [];
  return start && treeOf(start);
}

/** Where a node leads: the path of the start, and for others the line of their passage too. */
export function locationOf({ parent_id, path, start_line }: GraphNode): string {
  return parent_id === undefined || start_line === undefined ? path : `${path}:${start_line}`;
}

/** How similar a node is to its parent, with two decimals; "" for the start. */
export function scoreOf({ score }: GraphNode): string {
  return score?.toFixed(2) ?? "";
}

/** Entries of exclude_paths that a caption names, and the columns that each of them gets. */
const excludedShown = { entries: 3, columns: 60 } as const;

/** What was asked for, in words. */
export function settingsOf({ settings, nodes }: GraphReply): string {
  const { depth, fan_out, min_similarity, seed_strategy, category, topic, dedup_by_path } = settings;
  const { exclude_paths: excluded = [] } = settings;
  const unnamed = excluded.length - excludedShown.entries;
  const named = excluded
    .slice(0, excludedShown.entries)
    .map((entry) => shortenedEnd(entry, excludedShown.columns));
  const what = dedup_by_path ? "document" : "passage";
  return [
    `${nodes.length} ${what}${nodes.length === 1 ? "" : "s"}`,
    `depth ${depth}`,
    `up to ${fan_out} neighbours each`,
    `similarity from ${min_similarity}`,
    ...(seed_strategy === "centroid" ? ["from the centroid of the start"] : []),
    ...(category !== undefined ? [`category ${category}`] : []),
    ...(topic !== undefined ? [`topic ${topic}`] : []),
    ...(named.length > 0
      ? [`without ${named.join(" and ")}${unnamed > 0 ? ` and ${unnamed} more` : ""}`]
      : []),
  ].join(", ");
}
