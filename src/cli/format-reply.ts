// A search reply, for people: where, what, and how sure.
import { styleText } from "node:util";
import type { SearchHit, SearchReply } from "../core/index.js";
import { printable } from "../core/text/printable.js";

/** Lines of a passage that are shown. */
const passageLines = 6;
/** Characters of a line that are shown. */
const lineCharacters = 160;

type Style = (format: Parameters<typeof styleText>[0], text: string) => string;

/** Coloured only where the stream shows colours and NO_COLOR is not set. */
export function formatReply(reply: SearchReply, stream: { isTTY?: boolean }): string {
  const coloured = stream.isTTY === true && !process.env["NO_COLOR"];
  const style: Style = (format, text) =>
    coloured ? styleText(format, text, { validateStream: false }) : text;
  const blocks = reply.results.map((hit, index) => formatHit(hit, index + 1, style));
  if (blocks.length === 0) blocks.push("Nothing found.");
  const footer = [
    `confidence ${reply.confidence.toFixed(2)}${reply.low_confidence ? " (low)" : ""}, ${reply.mode}`,
  ];
  footer.push(...reply.notes.map((note) => `note: ${printable(note)}`));
  return `${[...blocks, style("dim", footer.join("\n"))].join("\n\n")}\n`;
}

function formatHit(hit: SearchHit, rank: number, style: Style): string {
  const place = hit.start_line === undefined ? hit.path : `${hit.path}:${hit.start_line}`;
  const trail = [hit.title, ...hit.heading_path.filter((heading) => heading !== hit.title)].join(" › ");
  const head = `${rank}. ${style("cyan", printable(place))}  ${style("bold", printable(trail))}  ${style("dim", hit.score.toFixed(3))}`;
  return [head, ...explained(hit, style), ...passage(hit, style).map((line) => `   ${line}`)].join("\n");
}

/** Ranks and scores in each leg, if they were asked for. */
function explained({ explanation }: SearchHit, style: Style): string[] {
  if (explanation === undefined) return [];
  const { lexical, vector, fused, reranked } = explanation;
  const leg = (name: string, place: typeof lexical): string =>
    place === undefined ? `${name} not found` : `${name} rank ${place.rank} (${place.score})`;
  const parts = [leg("words", lexical), leg("meaning", vector), `together ${fused}`];
  if (reranked !== undefined) parts.push(`reranked ${reranked}`);
  return [style("dim", `   ${parts.join(", ")}`)];
}

/** A line of a passage and where it begins in it. */
interface Line {
  readonly start: number;
  readonly text: string;
}

/** The lines around the first match, with matches marked. */
function passage({ content, match_spans }: SearchHit, style: Style): string[] {
  const lines = linesOf(content);
  const firstMatch = match_spans[0]?.[0] ?? 0;
  const matched = lines.findLastIndex(({ start }) => start <= firstMatch);
  const first = Math.max(0, Math.min(matched - 1, lines.length - passageLines));
  const shown = lines.slice(first, first + passageLines).map((line) => mark(line, match_spans, style));
  return [...(first > 0 ? ["…"] : []), ...shown, ...(first + passageLines < lines.length ? ["…"] : [])];
}

function linesOf(content: string): Line[] {
  let end = 0;
  return content.split(/(?<=\n|\r(?!\n))/u).map((line) => {
    const start = end;
    end += line.length;
    return { start, text: line.replace(/[\r\n]+$/u, "") };
  });
}

/** Cut first and marked then: a cut would leave the terminal in a colour. */
function mark({ start, text }: Line, spans: SearchHit["match_spans"], style: Style): string {
  const cut = Array.from(text).slice(0, lineCharacters).join("");
  let marked = "";
  let at = 0;
  for (const [from, to] of spans.map(([begin, end]) => [begin - start, end - start] as const)) {
    const [begin, end] = [Math.max(from, at), Math.min(to, cut.length)];
    if (begin >= end) continue;
    marked += printable(cut.slice(at, begin)) + style("yellow", printable(cut.slice(begin, end)));
    at = end;
  }
  return `${marked}${printable(cut.slice(at))}${cut.length < text.length ? "…" : ""}`;
}
