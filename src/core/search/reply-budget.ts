// Keeps a search reply within the reader's budget. What is shortened is marked, what is left out is counted.
import { clipSpans } from "./match-spans.js";
import { partTokens, replyTokens } from "./reply-tokens.js";
import type { SearchFilters, SearchHit, SearchReply } from "./search-reply.js";

/** Ends a content that was shortened. */
export const shortenedMark = "\n[… shortened]";

/** UTF-16 units that a content is not shortened below while hits can be left out instead: a few sentences, but ... */
const leastContent = 300;
/** ... no more than this share of a small budget. */
const leastShare = 1 / 20;

/** Tokens of room below which it is not worth restoring more of a content. */
const leastRoom = 20;

/**
 * A reply of at most `maxTokens` estimated tokens, both copies counted. The content of the lowest hits is shortened
 * first, to 300 characters (in a small budget to fewer); then hits are left out from the end, and any whose other
 * fields alone take half of the budget. Notes say what was done and how to read the rest. Below about 1,000 tokens
 * there may be no room for any hit.
 */
export function fitReply(reply: SearchReply, maxTokens: number): SearchReply {
  if (replyTokens(reply) <= maxTokens) return reply;
  const notes: string[] = [];
  const filters = fitFilters(reply.filter_applied, maxTokens / 4, notes);
  const total = reply.results.length;
  const longestNotes = [...reply.notes, ...notes, budgetNote(maxTokens, total, total)];
  let room = maxTokens - replyTokens({ ...reply, filter_applied: filters, results: [], notes: longestNotes });

  const leastLength = Math.min(leastContent, Math.floor(maxTokens * leastShare));
  const candidates = reply.results
    .map((hit) => ({ hit, least: shorten(hit, leastLength) }))
    .map(({ hit, least }) => ({ hit, least, cost: partTokens(least) }))
    .filter(({ cost }) => cost <= maxTokens / 2);
  const costs = candidates.map(({ cost }) => cost);
  const kept = candidates.slice(0, countThatFit(costs, room));
  room -= costs.slice(0, kept.length).reduce((sum, cost) => sum + cost, 0);

  let cut = 0;
  const results = kept.map(({ hit, least, cost }) => {
    const fitted = room < leastRoom ? least : longestWithin(hit, cost + room, least);
    room -= partTokens(fitted) - cost;
    if (fitted.content !== hit.content) cut += 1;
    return fitted;
  });
  notes.push(budgetNote(maxTokens, cut, total - results.length));
  return { ...reply, results, filter_applied: filters, notes: [...reply.notes, ...notes] };
}

/** How many, from the first, cost no more than the room together. */
function countThatFit(costs: readonly number[], room: number): number {
  let left = room;
  const over = costs.findIndex((cost) => (left -= cost) < 0);
  return over < 0 ? costs.length : over;
}

/** The hit with as much content as costs at most `tokens`, or its shortest form. */
function longestWithin(hit: SearchHit, tokens: number, least: SearchHit): SearchHit {
  if (partTokens(hit) <= tokens) return hit;
  let best = least;
  let low = least.content.length - shortenedMark.length;
  let high = hit.content.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const candidate = shorten(hit, middle);
    if (partTokens(candidate) <= tokens) {
      best = candidate;
      low = middle + 1;
    } else {
      high = middle - 1;
    }
  }
  return best;
}

/** The hit with the first `length` units of its content, unless the mark would make it longer than it was. */
function shorten(hit: SearchHit, length: number): SearchHit {
  if (hit.content.length <= length + shortenedMark.length) return hit;
  const end = /[\uD800-\uDBFF]/.test(hit.content.charAt(length - 1)) ? length - 1 : length;
  return {
    ...hit,
    content: hit.content.slice(0, end) + shortenedMark,
    match_spans: clipSpans(hit.match_spans, end),
    ...(hit.expanded_from !== undefined && { expanded_from: clipSpans(hit.expanded_from, end) }),
  };
}

function budgetNote(maxTokens: number, shortened: number, leftOut: number): string {
  const parts = [
    ...(shortened > 0
      ? [shortened === 1 ? "one passage was shortened" : `${shortened} passages were shortened`]
      : []),
    ...(leftOut > 0 ? [leftOut === 1 ? "one result was left out" : `${leftOut} results were left out`] : []),
  ];
  const what = parts.length > 0 ? parts.join(" and ") : "the filters it echoes were shortened";
  return (
    `To keep the reply within ${maxTokens} tokens, ${what}. Read a whole passage with get_document (its path, ` +
    "start_line and end_line), or ask for fewer results with limit."
  );
}

/** List filters can be larger than any budget; of those the first entries are echoed. */
function fitFilters(filters: SearchFilters, maxTokens: number, notes: string[]): SearchFilters {
  if (partTokens(filters) <= maxTokens) return filters;
  const fitted = { ...filters };
  for (const name of ["path_globs", "tags_any", "tags_all"] as const) {
    const list = fitted[name];
    if (list === undefined) continue;
    const count = countThatFit(list.map(partTokens), maxTokens / 4);
    if (count === list.length) continue;
    fitted[name] = list.slice(0, count);
    notes.push(
      `filter_applied shows the first ${count} of ${list.length} entries of ${name}; all were applied.`,
    );
  }
  return fitted;
}
