// A connection graph in the language of Graphviz. What documents are called never becomes a part of that language.
import type { GraphNode, GraphReply } from "../core/index.js";
import { printable } from "../core/text/printable.js";
import { depthColours } from "./graph-colours.js";
import { locationOf, scoreOf, settingsOf } from "./graph-tree.js";
import { xmlCharacters } from "./graph-xml.js";

/** A digraph from left to right: `kb-mcp graph START --format dot | dot -Tsvg`. */
export function formatDot(reply: GraphReply): string {
  const caption = [
    settingsOf(reply),
    ...reply.truncation.map(({ message }) => `CUT: ${message}`),
    ...reply.notes,
  ];
  return [
    "digraph connections {",
    `  graph [rankdir=LR, charset="UTF-8", fontname="sans-serif", labelloc=t, labeljust=l, label=${quoted(caption, "l")}];`,
    '  node [shape=box, style="rounded,filled", fontname="sans-serif", fontsize=11];',
    '  edge [fontname="sans-serif", fontsize=10];',
    ...reply.nodes.map(nodeLine),
    ...reply.nodes.filter(({ parent_id }) => parent_id !== undefined).map(edgeLine),
    "}",
    "",
  ].join("\n");
}

function nodeLine(node: GraphNode): string {
  const { fill, line, text } = depthColours(node.depth);
  const label = quoted([node.title, locationOf(node)]);
  return `  n${node.id} [label=${label}, tooltip=${quoted([node.snippet])}, fillcolor="${fill}", color="${line}", fontcolor="${text}"];`;
}

function edgeLine(node: GraphNode): string {
  const { line } = depthColours(node.depth);
  const style = node.via === "words" ? ", style=dashed" : "";
  return `  n${node.parent_id} -> n${node.id} [label="${scoreOf(node)}", color="${line}"${style}];`;
}

/**
 * Lines as one quoted string: quotes and backslashes are escaped, and "&" too, since Graphviz reads HTML entities in
 * every label. What Graphviz makes of it may be XML.
 * @param end how lines end: "n" centred, "l" to the left
 */
function quoted(lines: readonly string[], end: "n" | "l" = "n"): string {
  const escaped = lines.map((line) =>
    xmlCharacters(printable(line)).replaceAll("&", "&amp;").replaceAll("\\", "\\\\").replaceAll('"', '\\"'),
  );
  return `"${escaped.join(`\\${end}`)}${end === "l" ? "\\l" : ""}"`;
}
