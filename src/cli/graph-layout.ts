// Where the nodes of a tree stand in a picture: a row for each leaf, a parent in the middle of its children.
import type { GraphNode } from "../core/index.js";
import type { GraphTree } from "./graph-tree.js";

export interface Placed {
  readonly node: GraphNode;
  /** From 0, halves between two rows included. */
  readonly row: number;
}

/** Every node of the tree; those of one depth are at least one row apart. */
export function layOut(tree: GraphTree): Placed[] {
  const placed: Placed[] = [];
  let nextRow = 0;
  const place = ({ node, children }: GraphTree): number => {
    const rows = children.map(place);
    const [first] = rows;
    const last = rows.at(-1);
    const row = first === undefined || last === undefined ? nextRow++ : (first + last) / 2;
    placed.push({ node, row });
    return row;
  };
  place(tree);
  return placed;
}
