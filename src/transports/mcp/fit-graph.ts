// Keeps a connection graph within the budget of a reply. What is left out is counted; core's own truncation stays.
import { partTokens, replyTokens, shortened } from "../../core/index.js";
import type { GraphNode, GraphReply, GraphTruncation } from "../../core/index.js";
import { countThatFit } from "./reply-budget.js";

/** Characters of snippets that are tried, in order, before nodes are left out: text can be read elsewhere. */
const snippetLengths = [160, 120, 80, 40] as const;

/** A node that takes more than this share of the budget, and twice what nodes take, does not crowd out the others. */
const largestShare = 1 / 4;

/** Of the budget, for the entries of exclude_paths that settings repeat. */
const settingsShare = 1 / 8;

/** Characters of the start's title and heading where it must be shortened. */
const leastTitle = 40;

/**
 * The graph with at most `maxTokens` estimated tokens, both copies counted: snippets are shortened first, then nodes are
 * left out from the end, the deepest and least connected, with whatever hangs on them. The start stays as long as its
 * path alone fits.
 */
export function fitGraph(reply: GraphReply, maxTokens: number): GraphReply {
  if (replyTokens(reply) <= maxTokens) return reply;
  const excluded = reply.settings.exclude_paths ?? [];
  const shown = excluded.slice(0, countThatFit(excluded, maxTokens * settingsShare));
  const settings = { ...reply.settings, ...(excluded.length > 0 && { exclude_paths: shown }) };
  const total = reply.nodes.length;
  const noteOf = (shortenedNodes: number, leftOut: number): GraphTruncation =>
    cutNote(maxTokens, { shortenedNodes, leftOut, shown: shown.length, excluded: excluded.length });
  const bare = {
    ...reply,
    settings,
    nodes: [],
    truncated: true,
    truncation: [...reply.truncation, noteOf(total, total)],
  };
  const room = maxTokens - replyTokens(bare);
  const candidates = [Infinity, ...snippetLengths].map((length) =>
    reply.nodes.map((node) => ({ ...node, snippet: shortened(node.snippet, length) })),
  );
  const all = candidates.find((nodes) => countThatFit(nodes, room) === total);
  const kept = all ?? nodesThatFit(candidates.at(-1) ?? [], room, maxTokens * largestShare);
  const cut = kept.filter(({ id, snippet }) => snippet !== reply.nodes[id]?.snippet).length;
  return { ...bare, nodes: kept, truncation: [...reply.truncation, noteOf(cut, total - kept.length)] };
}

/** Parents come before their children, so that what is kept is one tree. */
function nodesThatFit(nodes: readonly GraphNode[], room: number, share: number): GraphNode[] {
  const costs = nodes.map(partTokens).sort((a, b) => a - b);
  const largest = Math.max(share, 2 * (costs[(costs.length - 1) >> 1] ?? 0));
  const kept = new Map<number, GraphNode>();
  let left = room;
  for (const node of nodes) {
    const isStart = node.parent_id === undefined;
    const fitted = isStart ? fittedStart(node, Math.min(largest, room), room) : node;
    if (fitted === undefined) break;
    const cost = partTokens(fitted);
    if (!isStart && (cost > largest || !kept.has(node.parent_id ?? -1))) continue;
    left -= cost;
    if (left < 0) break;
    kept.set(node.id, fitted);
  }
  return [...kept.values()];
}

/** The start as it stands if it leaves others their room; else shortened, at last without what its path says too. */
function fittedStart(start: GraphNode, wanted: number, room: number): GraphNode | undefined {
  const { uri, heading, ...rest } = start;
  const least = { ...rest, title: shortened(start.title, leastTitle), snippet: "" };
  const short = {
    ...least,
    ...(uri !== undefined && { uri }),
    ...(heading !== undefined && { heading: shortened(heading, leastTitle) }),
  };
  const forms = [start, short];
  return (
    forms.find((form) => partTokens(form) <= wanted) ??
    [...forms, least].find((form) => partTokens(form) <= room)
  );
}

interface Cut {
  readonly shortenedNodes: number;
  readonly leftOut: number;
  /** Entries of exclude_paths that settings show, and that there are. */
  readonly shown: number;
  readonly excluded: number;
}

function cutNote(maxTokens: number, { shortenedNodes, leftOut, shown, excluded }: Cut): GraphTruncation {
  const parts = [
    ...(shortenedNodes > 0
      ? [`${shortenedNodes === 1 ? "1 snippet was" : `${shortenedNodes} snippets were`} shortened`]
      : []),
    ...(leftOut > 0 ? [`${leftOut === 1 ? "1 node was" : `${leftOut} nodes were`} left out`] : []),
    ...(shown < excluded ? [`settings show ${shown} of the ${excluded} entries of exclude_paths`] : []),
  ];
  const advice =
    leftOut > 0
      ? " Ask for less with depth, fan_out, min_similarity or topic, or start again from a node."
      : shortenedNodes > 0
        ? " Read a passage with get_document (its path, start_line and end_line)."
        : "";
  return {
    limit: "max_reply_tokens",
    ...(leftOut > 0 && { left_out: leftOut }),
    message: `To keep the reply within ${maxTokens} tokens, ${parts.join(" and ")}.${advice}`,
  };
}
