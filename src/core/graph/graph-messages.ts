// What a graph says in words: what was cut, and what its reader should know.
import type { GraphSettings, GraphTruncation } from "./graph-reply.js";
import type { WalkResult } from "./walk.js";

/** Why something that was asked for is not in the graph; empty if nothing was cut. */
export function truncationOf(
  { max_nodes: maxNodes, max_seed_chunks: maxSeeds }: GraphSettings,
  seedsLeftOut: number,
  { leftOut, cut }: WalkResult,
): GraphTruncation[] {
  const truncation: GraphTruncation[] = [];
  if (seedsLeftOut > 0)
    truncation.push({
      limit: "max_seed_chunks",
      left_out: seedsLeftOut,
      message: `Of the ${seedsLeftOut + maxSeeds} passages of the start ${maxSeeds === 1 ? "one was" : `${maxSeeds}, spread evenly, were`} followed; raise max_seed_chunks to follow more.`,
    });
  if (leftOut !== undefined) {
    const beyond =
      leftOut > 0
        ? `at least ${leftOut} more ${leftOut === 1 ? "is" : "are"} connected.`
        : "connections further away were not looked for.";
    truncation.push({
      limit: "max_nodes",
      ...(leftOut > 0 && { left_out: leftOut }),
      message: `The walk ended at ${maxNodes === 1 ? "1 node" : `${maxNodes} nodes`}; ${beyond} Raise max_nodes, or min_similarity to keep only the strongest.`,
    });
  }
  if (cut)
    truncation.push({
      limit: "candidates",
      message:
        "So many passages are alike that not all of them were looked at; raise min_similarity, or narrow the walk with topic or exclude_paths.",
    });
  return truncation;
}

/** @param chunks passages of the start */
export function notesOf(
  { min_similarity: least, max_nodes: maxNodes }: GraphSettings,
  chunks: number,
  { nodes, nearestMiss }: WalkResult,
): string[] {
  if (chunks === 0) return ["The start has no text in the index, so nothing can be compared with it."];
  if (nodes.length === 0 && maxNodes > 1)
    return [
      nearestMiss === undefined
        ? "No other document that passes the filters is like the start."
        : `Nothing is connected at a similarity of ${least}; the nearest passage is at ${nearestMiss}: lower min_similarity to see it.`,
    ];
  const byWords = nodes.filter(({ via }) => via === "words").length;
  if (byWords === 0) return [];
  return [
    `${byWords} of ${nodes.length} connection${nodes.length === 1 ? " was" : "s were"} found by shared words, because the embedder ([embedder] in kb-mcp.toml) cannot read a passage of theirs; one that reads their language finds connections in other words too.`,
  ];
}
