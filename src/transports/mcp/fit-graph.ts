// Keeps a connection graph within the budget of a reply. What is left out is counted; core's own truncation stays.
import { partTokens, replyTokens } from "../../core/index.js";
import type { GraphNode, GraphReply, GraphTruncation } from "../../core/index.js";

/** Characters of snippets that are tried, in order, before nodes are left out: text can be read elsewhere. */
const snippetLengths = [160, 120, 80, 40] as const;

/** A node that takes more than this share of the budget, by a monstrous path, does not crowd out all others. */
const largestShare = 1 / 4;

/**
 * The graph with at most `maxTokens` estimated tokens, both copies counted: snippets are shortened first, then nodes are
 * left out from the end, the deepest and least connected, with whatever hangs on them.
 */
export function fitGraph(reply: GraphReply, maxTokens: number): GraphReply {
  if (replyTokens(reply) <= maxTokens) return reply;
  const longest = cutNote(maxTokens, reply.nodes.length, reply.nodes.length);
  const bare = { ...reply, nodes: [], truncated: true, truncation: [...reply.truncation, longest] };
  const room = maxTokens - replyTokens(bare);
  const costOf = (nodes: readonly GraphNode[]): number =>
    nodes.reduce((sum, node) => sum + partTokens(node), 0);
  const candidates = snippetLengths.map((length) => reply.nodes.map((node) => withSnippet(node, length)));
  const all = candidates.find((nodes) => costOf(nodes) <= room);
  const kept = all ?? nodesThatFit(candidates.at(-1) ?? [], room, maxTokens * largestShare);
  const shortened = kept.filter(({ id, snippet }) => snippet !== reply.nodes[id]?.snippet).length;
  const note = cutNote(maxTokens, shortened, reply.nodes.length - kept.length);
  return { ...bare, nodes: kept, truncation: [...reply.truncation, note] };
}

/** Parents come before their children, so that what is kept is one tree. */
function nodesThatFit(nodes: readonly GraphNode[], room: number, largest: number): GraphNode[] {
  const kept = new Map<number, GraphNode>();
  let left = room;
  for (const node of nodes) {
    const cost = partTokens(node);
    if (cost > largest || (node.parent_id !== undefined && !kept.has(node.parent_id))) continue;
    left -= cost;
    if (left < 0) break;
    kept.set(node.id, node);
  }
  return [...kept.values()];
}

function withSnippet(node: GraphNode, length: number): GraphNode {
  const characters = Array.from(node.snippet);
  if (characters.length <= length) return node;
  return { ...node, snippet: `${characters.slice(0, Math.max(0, length - 1)).join("")}…` };
}

function cutNote(maxTokens: number, shortened: number, leftOut: number): GraphTruncation {
  const parts = [
    ...(shortened > 0 ? [`${shortened} snippets were shortened`] : []),
    ...(leftOut > 0 ? [`${leftOut} nodes were left out`] : []),
  ];
  const advice =
    leftOut > 0
      ? "Ask for less with depth, fan_out, min_similarity or topic, or start again from a node."
      : "Read a passage with get_document (its path, start_line and end_line).";
  return {
    limit: "max_reply_tokens",
    ...(leftOut > 0 && { left_out: leftOut }),
    message: `To keep the reply within ${maxTokens} tokens, ${parts.join(" and ")}. ${advice}`,
  };
}
