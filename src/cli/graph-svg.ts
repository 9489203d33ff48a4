// A connection graph as one SVG file that needs nothing else: no script, no font, no link. A tree from left to right, a
// column for each depth, so that no label ever lies on another.
import type { GraphNode, GraphReply } from "../core/index.js";
import { printable, printableLines } from "../core/text/printable.js";
import { depthColours } from "./graph-colours.js";
import { layOut, type Placed } from "./graph-layout.js";
import { graphTree, locationOf, scoreOf, settingsOf } from "./graph-tree.js";
import { shortenedEnd, shortenedStart, wrapped } from "./shorten.js";
import { xmlCharacters } from "./graph-xml.js";

/** Pixels. */
const box = { width: 300, height: 42 } as const;
const step = { across: 392, down: 52 } as const;
const margin = 24;
const lineHeight = 18;
const minWidth = 720;

/** Columns that fit into a box or a line: a Latin character of 13 px takes up to 7.6 px, one of Japanese 13. */
const columns = { title: 36, place: 46, linePixels: 7 } as const;

/** A standalone picture, laid out alike for the same graph. */
export function formatSvg(reply: GraphReply): string {
  const tree = graphTree(reply);
  const placed = tree === undefined ? [] : layOut(tree);
  const depths = placed.reduce((most, { node }) => Math.max(most, node.depth), 0) + 1;
  const rows = placed.reduce((most, { row }) => Math.max(most, row), 0) + 1;
  const width = Math.max(minWidth, 2 * margin + (depths - 1) * step.across + box.width);
  const head = headOf(reply, depths, width - 2 * margin);
  const height = head.height + rows * step.down + margin;
  const byId = new Map(placed.map((each) => [each.node.id, each]));
  const x = ({ node }: Placed): number => margin + node.depth * step.across;
  const y = ({ row }: Placed): number => head.height + row * step.down;
  const edges = placed.flatMap((child) => {
    const parent = child.node.parent_id === undefined ? undefined : byId.get(child.node.parent_id);
    return parent === undefined
      ? []
      : edgeOf(child.node, [x(parent) + box.width, y(parent)], [x(child), y(child)], reply);
  });
  const start = tree === undefined ? reply.start : tree.node.title;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" font-family="system-ui, -apple-system, 'Segoe UI', 'Hiragino Sans', 'Yu Gothic', 'Noto Sans CJK JP', 'Noto Sans JP', sans-serif" font-size="13">`,
    `<title>${escaped(`Connections of ${start}`)}</title>`,
    `<desc>${escaped([settingsOf(reply), ...reply.truncation.map(({ message }) => message), ...reply.notes].join(". "))}</desc>`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    ...head.lines,
    ...edges.map(({ line }) => line),
    ...placed.map((each) => boxOf(each.node, x(each), y(each))),
    // Above the boxes and lines, so that no line crosses out a number.
    ...edges.map(({ label }) => label),
    "</svg>",
    "",
  ].join("\n");
}

/** Title, settings, legend, and what was cut. */
function headOf(reply: GraphReply, depths: number, width: number): { lines: string[]; height: number } {
  const lines: string[] = [];
  let y = margin + 16;
  const room = Math.floor(width / columns.linePixels);
  const title = shortenedEnd(printable(`Connections of ${reply.start}`), Math.floor(width / 10.5));
  lines.push(
    `<text x="${margin}" y="${y}" font-size="18" font-weight="bold" fill="#111827">${escaped(title)}</text>`,
  );
  y += 8;
  for (const line of wrapped(printable(settingsOf(reply)), room))
    lines.push(textLine(line, (y += lineHeight), "#374151"));
  lines.push(...legendOf((y += 12), depths));
  y += lineHeight;
  const cuts = reply.truncation.flatMap(({ message }) => wrapped(printable(`Cut: ${message}`), room - 4));
  if (cuts.length > 0) {
    const height = cuts.length * lineHeight + 12;
    y += 10;
    lines.push(
      `<rect x="${margin}" y="${y}" width="${width}" height="${height}" rx="4" fill="#fef2f2" stroke="#b91c1c"/>`,
      ...cuts.map((line, index) => textLine(line, y + 20 + index * lineHeight, "#7f1d1d", margin + 10)),
    );
    y += height;
  }
  const notes = reply.notes.flatMap((note) => wrapped(printable(`Note: ${note}`), room));
  if (notes.length > 0) y += 6;
  for (const line of notes) lines.push(textLine(line, (y += lineHeight), "#374151"));
  return { lines, height: y + margin };
}

function legendOf(y: number, depths: number): string[] {
  const names = ["start", "1 step away", "2 steps away", "3 steps away"].slice(0, depths);
  const entries = names.map((name, depth) => {
    const { fill, line } = depthColours(depth);
    const x = margin + depth * 116;
    return `<rect x="${x}" y="${y}" width="14" height="14" rx="3" fill="${fill}" stroke="${line}"/>${textLine(name, y + 12, "#374151", x + 20)}`;
  });
  const x = margin + names.length * 116;
  return [
    ...entries,
    `<path d="M${x} ${y + 7}h28" stroke="#4b5563" stroke-width="2"/>${textLine("by meaning", y + 12, "#374151", x + 34)}`,
    `<path d="M${x + 120} ${y + 7}h28" stroke="#4b5563" stroke-width="2" stroke-dasharray="5 4"/>${textLine("by shared words", y + 12, "#374151", x + 154)}`,
  ];
}

type Point = readonly [x: number, y: number];

function edgeOf(
  node: GraphNode,
  [fromX, fromTop]: Point,
  [toX, toTop]: Point,
  { settings }: GraphReply,
): { line: string; label: string } {
  const [fromY, toY] = [fromTop + box.height / 2, toTop + box.height / 2];
  const bend = (toX - fromX) / 2;
  const { line } = depthColours(node.depth);
  const strength =
    ((node.score ?? 0) - settings.min_similarity) / Math.max(0.01, 1 - settings.min_similarity);
  const thickness = (1.2 + 2.8 * Math.min(1, Math.max(0, strength))).toFixed(1);
  const dashes = node.via === "words" ? ' stroke-dasharray="5 4"' : "";
  return {
    line: `<path d="M${fromX} ${fromY}C${fromX + bend} ${fromY} ${fromX + bend} ${toY} ${toX} ${toY}" fill="none" stroke="${line}" stroke-width="${thickness}" stroke-opacity="0.7"${dashes}/>`,
    label: `<text x="${toX - 6}" y="${toY - 6}" text-anchor="end" font-size="12" font-weight="bold" fill="${line}" stroke="#ffffff" stroke-width="4" stroke-linejoin="round" paint-order="stroke">${scoreOf(node)}</text>`,
  };
}

/** An SVG inside the SVG cuts off whatever a font makes too wide. */
function boxOf(node: GraphNode, x: number, y: number): string {
  const { fill, line, text } = depthColours(node.depth);
  const title = shortenedEnd(printable(node.title), columns.title);
  const place = shortenedStart(printable(locationOf(node)), columns.place);
  return [
    `<g><title>${escaped(tooltipOf(node))}</title>`,
    `<rect x="${x}" y="${y}" width="${box.width}" height="${box.height}" rx="6" fill="${fill}" stroke="${line}" stroke-width="1.5"/>`,
    `<svg x="${x}" y="${y}" width="${box.width}" height="${box.height}">`,
    `<text x="10" y="18" font-weight="bold" fill="${text}">${escaped(title)}</text>`,
    `<text x="10" y="34" font-size="11" fill="${text}" fill-opacity="0.85">${escaped(place)}</text>`,
    "</svg></g>",
  ].join("");
}

function tooltipOf(node: GraphNode): string {
  const kind = node.via === "words" ? "shared words" : "meaning";
  return [
    locationOf(node),
    node.heading ?? node.title,
    ...(node.score === undefined ? [] : [`similarity ${node.score} by ${kind}`]),
    node.snippet,
  ].join("\n");
}

function textLine(text: string, y: number, fill: string, x: number = margin): string {
  return `<text x="${x}" y="${y}" fill="${fill}">${escaped(text)}</text>`;
}

const marks: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/** Text as XML takes it: what a terminal acts on and marks escaped, what no XML may hold replaced. */
function escaped(text: string): string {
  return xmlCharacters(printableLines(text)).replace(/[&<>"']/gu, (mark) => marks[mark] ?? mark);
}
