// A search reply, for people: where, what, and how sure.
import { styleText } from "node:util";
import type { SearchHit, SearchReply } from "../core/index.js";

/** Lines of a passage that are shown. */
const passageLines = 6;
/** Characters of a line that are shown. */
const lineCharacters = 160;

type Style = (format: Parameters<typeof styleText>[0], text: string) => string;

/** Coloured only where the stream shows colours and NO_COLOR is not set. */
export function formatReply(reply: SearchReply, stream: { isTTY?: boolean }): string {
  const coloured = stream.isTTY === true && !process.env["NO_COLOR"];
  const style: Style = (format, text) => (coloured ? styleText(format, text) : text);
  const blocks = reply.results.map((hit, index) => formatHit(hit, index + 1, style));
  if (blocks.length === 0) blocks.push("Nothing found.");
  const footer = [
    `confidence ${reply.confidence.toFixed(2)}${reply.low_confidence ? " (low)" : ""}, ${reply.mode}`,
  ];
  footer.push(...reply.notes.map((note) => `note: ${note}`));
  return `${[...blocks, style("dim", footer.join("\n"))].join("\n\n")}\n`;
}

function formatHit(hit: SearchHit, rank: number, style: Style): string {
  const place = hit.start_line === undefined ? hit.path : `${hit.path}:${hit.start_line}`;
  const trail = [hit.title, ...hit.heading_path.filter((heading) => heading !== hit.title)].join(" › ");
  const head = `${rank}. ${style("cyan", place)}  ${style("bold", trail)}  ${style("dim", hit.score.toFixed(3))}`;
  return [head, ...passage(hit, style).map((line) => `   ${line}`)].join("\n");
}

/** The lines around the first match, with matches marked. */
function passage(hit: SearchHit, style: Style): string[] {
  const marked = mark(hit, (text) => style("yellow", text));
  const firstMatch = hit.match_spans[0]?.[0] ?? 0;
  const lines = marked.split(/\r\n|\n|\r/u);
  const before = hit.content.slice(0, firstMatch).split(/\r\n|\n|\r/u).length - 1;
  const start = Math.max(0, Math.min(before - 1, lines.length - passageLines));
  const shown = lines.slice(start, start + passageLines).map(shorten);
  return [...(start > 0 ? ["…"] : []), ...shown, ...(start + passageLines < lines.length ? ["…"] : [])];
}

function mark({ content, match_spans }: SearchHit, highlight: (text: string) => string): string {
  let result = "";
  let at = 0;
  for (const [start, end] of match_spans) {
    result += content.slice(at, start) + highlight(content.slice(start, end));
    at = end;
  }
  return result + content.slice(at);
}

function shorten(line: string): string {
  const characters = Array.from(line);
  return characters.length <= lineCharacters ? line : `${characters.slice(0, lineCharacters).join("")}…`;
}
