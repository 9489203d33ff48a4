// The colours of a graph's depths: told apart with any colour vision, text on them in a contrast of 7 or more.

export interface DepthColours {
  readonly fill: string;
  readonly line: string;
  readonly text: string;
}

/** The start, and one, two and three steps away from it. */
const palette: readonly DepthColours[] = [
  { fill: "#1f2937", line: "#1f2937", text: "#ffffff" },
  { fill: "#dbeafe", line: "#1d4ed8", text: "#111827" },
  { fill: "#fef3c7", line: "#b45309", text: "#111827" },
  { fill: "#fce7f3", line: "#9d174d", text: "#111827" },
];

/** The colours of a depth; whatever is deeper than three has those of three. */
export function depthColours(depth: number): DepthColours {
  const colours = palette[Math.min(depth, palette.length - 1)];
  if (colours === undefined) throw new RangeError(`depth ${depth}`);
  return colours;
}
