// A connection graph as an indented tree, for people at a terminal.
import { styleText } from "node:util";
import type { GraphReply } from "../core/index.js";
import { printable } from "../core/text/printable.js";
import { graphTree, locationOf, scoreOf, settingsOf, type GraphTree } from "./graph-tree.js";

type Style = (format: Parameters<typeof styleText>[0], text: string) => string;

/** Coloured only where the stream shows colours and NO_COLOR is not set. */
export function formatGraph(reply: GraphReply, stream: { isTTY?: boolean }): string {
  const coloured = stream.isTTY === true && !process.env["NO_COLOR"];
  const style: Style = (format, text) =>
    coloured ? styleText(format, text, { validateStream: false }) : text;
  const tree = graphTree(reply);
  const lines = tree === undefined ? [] : [lineOf(tree, style), ...branchesOf(tree, "", style)];
  const footer = [
    style("dim", printable(settingsOf(reply))),
    ...reply.truncation.map(({ message }) => style("yellow", `cut: ${printable(message)}`)),
    ...reply.notes.map((note) => style("dim", `note: ${printable(note)}`)),
  ];
  return `${[...lines, "", ...footer].join("\n")}\n`;
}

function branchesOf({ children }: GraphTree, indent: string, style: Style): string[] {
  return children.flatMap((child, index) => {
    const last = index === children.length - 1;
    return [
      `${style("dim", `${indent}${last ? "└─" : "├─"}`)} ${lineOf(child, style)}`,
      ...branchesOf(child, `${indent}${last ? "   " : "│  "}`, style),
    ];
  });
}

function lineOf({ node }: GraphTree, style: Style): string {
  const isStart = node.parent_id === undefined;
  const trail =
    isStart || node.heading === undefined || node.heading === node.title
      ? node.title
      : `${node.title} › ${node.heading}`;
  return [
    ...(isStart ? [] : [style("dim", scoreOf(node) + (node.via === "words" ? " words" : ""))]),
    style("cyan", printable(locationOf(node))),
    style("bold", printable(trail)),
  ].join("  ");
}
