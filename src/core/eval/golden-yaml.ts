// The YAML of a golden file, with the line of everything. Knows mappings, lists and scalars; what they mean is the
// reader's. Resolves a bounded number of aliases.
import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, type Document, type Node } from "yaml";
import { limits } from "../limits.js";

export interface GoldenProblem {
  /** Counted from 1. */
  readonly line: number;
  readonly text: string;
}

export type GoldenNode =
  | { readonly kind: "mapping"; readonly line: number; readonly entries: readonly GoldenEntry[] }
  | { readonly kind: "list"; readonly line: number; readonly items: readonly unknown[] }
  /** `source` is what stands in the file. */
  | { readonly kind: "scalar"; readonly line: number; readonly value: unknown; readonly source: string };

export interface GoldenEntry {
  readonly name: string;
  readonly line: number;
  /** For `GoldenYaml.node`. */
  readonly value: unknown;
}

export interface GoldenYaml {
  /** The reader adds its own. */
  readonly problems: GoldenProblem[];
  readonly root: unknown;
  /** Whether more aliases were used than are resolved: what follows from that is no problem of its own. */
  isExhausted(): boolean;
  /**
   * What a node is, its alias resolved. One level: a reader that goes no deeper than it knows is bounded.
   * @param line where it would stand, for a value that is not there
   */
  node(value: unknown, line: number): GoldenNode;
}

/** Throws nothing: what is wrong is in `problems`. */
export function openGoldenYaml(text: string): GoldenYaml {
  const lineCounter = new LineCounter();
  const problems: GoldenProblem[] = [];
  let document: Document.Parsed | undefined;
  try {
    document = parseDocument(text, {
      schema: "core",
      merge: false,
      resolveKnownTags: false,
      // Quadratic in the library; repeated keys are noticed below.
      uniqueKeys: false,
      prettyErrors: false,
      logLevel: "error",
      lineCounter,
    });
    for (const { pos, message } of [...document.errors, ...document.warnings])
      problems.push({ line: lineCounter.linePos(pos[0]).line, text: message.split("\n")[0] ?? message });
  } catch {
    // The library recurses.
    problems.push({ line: 1, text: "the file is nested too deeply" });
  }
  const { contents = null } = document ?? {};

  const lineOf = (value: unknown, fallback: number): number => {
    const start = (value as Partial<Node> | null)?.range?.[0];
    return start === undefined ? fallback : lineCounter.linePos(start).line;
  };
  let aliases = 0;
  const resolve = (value: unknown, line: number): unknown => {
    if (!isAlias(value) || document === undefined) return value;
    if (++aliases <= limits.goldenAliases) return value.resolve(document);
    if (aliases === limits.goldenAliases + 1)
      problems.push({ line, text: `more than ${limits.goldenAliases} aliases (*name) are used` });
    return null;
  };
  return {
    problems,
    root: contents,
    isExhausted: () => aliases > limits.goldenAliases,
    node(value, fallback) {
      const line = lineOf(value, fallback);
      const node = resolve(value, line);
      if (isSeq(node)) return { kind: "list", line, items: node.items };
      if (!isMap(node)) {
        const scalar = isScalar(node) ? node : undefined;
        return { kind: "scalar", line, value: scalar?.value ?? null, source: scalar?.source ?? "" };
      }
      const entries = node.items.map((pair) => {
        const key: unknown = resolve(pair.key, line);
        const name = isScalar(key) ? (typeof key.value === "string" ? key.value : (key.source ?? "")) : "";
        return { name, line: lineOf(pair.key, line), value: pair.value };
      });
      return { kind: "mapping", line, entries };
    },
  };
}
