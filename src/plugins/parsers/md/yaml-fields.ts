// A YAML mapping to plain JSON values. Nothing is executed, nothing is turned into another type than JSON has, and
// values whose text would be lost keep the text: dates, 1.10, unquoted [[links]], {{fields}} and #tags.
import { isAlias, isMap, isScalar, isSeq, parseDocument, type Document, type Node, type Scalar } from "yaml";
import type { JsonValue } from "../../../core/plugin-api.js";

export interface Problem {
  /** Counted from 0 in the source. */
  readonly line: number;
  readonly text: string;
}

export type YamlReading =
  | { readonly kind: "mapping"; readonly fields: { [key: string]: JsonValue }; readonly problems: Problem[] }
  /** Valid YAML that is something else than a mapping. */
  | { readonly kind: "other" }
  | { readonly kind: "invalid" };

/** Aliases resolved in one block; the same as kb-mcp's own limit, which plugins cannot see. */
const mostAliases = 100;
/** Values in one block: more than 64 KiB can hold without aliases, too few for an alias bomb. */
const mostValues = 65_536;
/** Nesting beyond it is no metadata; the YAML library is recursive, and its stack overflow can end the process. */
const deepest = 64;

/** Reads a block of YAML 1.2 (core schema). */
export function readYamlMapping(source: string): YamlReading {
  if (nestsTooDeep(source)) return { kind: "invalid" };
  let document: Document.Parsed;
  try {
    document = parseDocument(source, {
      schema: "core",
      merge: false,
      resolveKnownTags: false,
      // Quadratic in the library; repeated keys are noticed below.
      uniqueKeys: false,
      prettyErrors: false,
      logLevel: "silent",
    });
  } catch {
    return { kind: "invalid" };
  }
  if (document.errors.length > 0) return { kind: "invalid" };
  if (!isMap(document.contents)) return { kind: "other" };
  const reader = new ValueReader(source, document);
  const fields = reader.read(document.contents, 0);
  if (typeof fields !== "object" || fields === null || Array.isArray(fields)) return { kind: "other" };
  return { kind: "mapping", fields, problems: reader.problems };
}

class ValueReader {
  readonly problems: Problem[] = [];
  #aliases = 0;
  #values = 0;

  constructor(
    private readonly source: string,
    private readonly document: Document.Parsed,
  ) {}

  /** Throws nothing: a value that cannot be read is its text, with a problem noted. */
  read(node: unknown, depth: number): JsonValue {
    if (++this.#values > mostValues || depth > deepest) return this.#asWritten(node, "holds too much");
    if (isAlias(node)) {
      const target = ++this.#aliases > mostAliases ? undefined : node.resolve(this.document);
      return target === undefined
        ? this.#asWritten(node, "uses an alias that is unknown, or one of too many")
        : this.read(target, depth + 1);
    }
    if (isScalar(node)) return this.#scalar(node);
    if (!isSeq(node) && !isMap(node)) return null;
    const text = this.#textOf(node);
    if (/^\[\[[^[\],\n]+\]\]$/.test(text) || /^\{\{[^\n]*\}\}$/.test(text)) return text;
    if (isSeq(node)) return node.items.map((item) => this.read(item, depth + 1));
    const fields: { [key: string]: JsonValue } = {};
    for (const { key, value } of node.items) {
      const name = isScalar(key) ? this.#keyName(key) : undefined;
      if (name === undefined || name === "__proto__") {
        this.#note(key, `the field ${JSON.stringify(cut(this.#textOf(key)))} was left out`);
        continue;
      }
      if (Object.hasOwn(fields, name)) this.#note(key, `"${cut(name)}" is there twice; the last one counts`);
      fields[name] = this.read(value, depth + 1);
    }
    return fields;
  }

  #scalar(node: Scalar): JsonValue {
    const { value } = node;
    if (typeof value === "string" || typeof value === "boolean") return value;
    if (typeof value === "number")
      return String(value) === node.source ? value : (node.source ?? String(value));
    return value === null ? this.#hashText(node) : this.#textOf(node);
  }

  /** YAML takes `tags: #work #home` for a comment; a comment has a space after its `#`. */
  #hashText(node: Scalar): string | null {
    const [start, end] = node.range ?? [0, 0];
    if (start !== end) return null;
    const lineEnd = this.source.indexOf("\n", start);
    const rest = this.source.slice(start, lineEnd === -1 ? undefined : lineEnd);
    return /^[ \t]*(#[^\s#].*)$/.exec(rest)?.[1]?.trim() ?? null;
  }

  #keyName(key: Scalar): string | undefined {
    const name = typeof key.value === "string" ? key.value : key.source;
    return name === undefined || name === "" ? undefined : name;
  }

  #asWritten(node: unknown, problem: string): JsonValue {
    this.#note(node, `a value ${problem}`);
    return cut(this.#textOf(node));
  }

  #textOf(node: unknown): string {
    const range = (node as Partial<Node> | null)?.range;
    return range ? this.source.slice(range[0], range[1]) : "";
  }

  #note(node: unknown, text: string): void {
    // Enough for the reader of a report; a block can have thousands.
    if (this.problems.length >= 100) return;
    const start = (node as Partial<Node> | null)?.range?.[0] ?? 0;
    this.problems.push({ line: this.source.slice(0, start).split("\n").length - 1, text });
  }
}

function nestsTooDeep(source: string): boolean {
  let depth = 0;
  for (const character of source) {
    if (character === "[" || character === "{") depth++;
    else if (character === "]" || character === "}") depth = Math.max(0, depth - 1);
    if (depth > deepest) return true;
  }
  return source.split("\n").some((line) => (line.match(/[-?:](?=[ \t]|$)/g)?.length ?? 0) > deepest);
}

function cut(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
