// Reads the tree of a golden file into its questions and notes everything that is wrong. What a search would refuse is
// refused here, with its line, before anything is asked.
import { parseDocumentPath } from "../documents/document-path.js";
import { isKbError } from "../errors.js";
import { limits } from "../limits.js";
import { compileFilters } from "../search/filters.js";
import { compileQuery } from "../search/compile-query.js";
import type { SearchFilters } from "../search/search-reply.js";
import { fold } from "../text/fold.js";
import { nearestName } from "../text/nearest-name.js";
import type { GoldenQuery, GoldenTarget } from "./golden-set.js";
import type { GoldenEntry, GoldenNode, GoldenYaml } from "./golden-yaml.js";

type Kind = "text" | "label" | "number" | "boolean" | "texts";

const filterKinds = {
  category: "text",
  topic: "text",
  path_globs: "texts",
  tags_any: "texts",
  tags_all: "texts",
  date_from: "text",
  date_to: "text",
  min_quality: "number",
  include_low_quality: "boolean",
} as const satisfies Record<keyof SearchFilters, Kind>;

const queryKeys = ["query", "expected", "id", "tag", "note", "answerable", "limit", "filters"];

/** What each kind is called, completing "takes …". */
const kindPhrases: Readonly<Record<Kind, string>> = {
  text: "a text",
  label: "a text",
  number: "a number",
  boolean: "true or false",
  texts: "a list of texts",
};

export class GoldenReader {
  readonly #ids = new Map<string, number>();

  constructor(private readonly yaml: GoldenYaml) {}

  read(): GoldenQuery[] {
    const root = this.yaml.node(this.yaml.root, 1);
    const entries = this.#entries(root, "the file", ["queries"], "queries: [{ query, expected }]");
    const queries = entries?.get("queries");
    if (queries === undefined) {
      if (entries !== undefined) this.#complain(root.line, "queries is missing: it lists the questions");
      return [];
    }
    const items = this.#list(queries, "queries", "questions, each with query and expected") ?? [];
    if (items.length === 0 && this.yaml.problems.length === 0)
      this.#complain(queries.line, "queries is empty: add a question");
    return items.flatMap((item) => this.#query(this.yaml.node(item, queries.line)) ?? []);
  }

  #query(node: GoldenNode): GoldenQuery | undefined {
    const entries = this.#entries(node, "a question", queryKeys, "{ query, expected }");
    if (entries === undefined) return undefined;
    const query = this.#value(entries, "query", "text") as string | undefined;
    if (query === undefined) {
      if (!entries.has("query")) this.#complain(node.line, "query is missing: the question itself");
    } else this.#try(entries.get("query")?.line ?? node.line, () => compileQuery(query));
    const id = this.#id(entries);
    const tag = this.#value(entries, "tag", "label") as string | undefined;
    this.#value(entries, "note", "label");
    const answerable = (this.#value(entries, "answerable", "boolean") as boolean | undefined) ?? true;
    const limit = this.#limit(entries);
    const expected = this.#expected(entries, node.line, answerable);
    const filters = this.#filters(entries);
    return {
      query: query ?? "",
      expected,
      answerable,
      filters,
      line: node.line,
      ...(id !== undefined && { id }),
      ...(tag !== undefined && { tag }),
      ...(limit !== undefined && { limit }),
    };
  }

  #id(entries: ReadonlyMap<string, GoldenEntry>): string | undefined {
    const id = this.#value(entries, "id", "label") as string | undefined;
    const line = entries.get("id")?.line ?? 0;
    if (id === undefined) return undefined;
    const before = this.#ids.get(id);
    if (before !== undefined) this.#complain(line, `the id ${shown(id)} is that of line ${before} already`);
    else this.#ids.set(id, line);
    return id;
  }

  #limit(entries: ReadonlyMap<string, GoldenEntry>): number | undefined {
    const limit = this.#value(entries, "limit", "number") as number | undefined;
    if (limit === undefined) return undefined;
    if (Number.isInteger(limit) && limit >= 1 && limit <= limits.searchLimitMax) return limit;
    const { line } = entries.get("limit") ?? { line: 0 };
    this.#complain(line, `limit takes a whole number from 1 to ${limits.searchLimitMax}; got ${limit}`);
    return undefined;
  }

  #expected(
    entries: ReadonlyMap<string, GoldenEntry>,
    line: number,
    answerable: boolean,
  ): readonly GoldenTarget[] {
    const entry = entries.get("expected");
    const items =
      entry === undefined || isEmpty(this.yaml.node(entry.value, entry.line))
        ? []
        : this.#list(entry, "expected", "documents, each with path");
    if (items === undefined) return [];
    const at = entry?.line ?? line;
    if (answerable && items.length === 0)
      this.#complain(
        at,
        `expected is ${entry === undefined ? "missing" : "empty"}: name the documents that answer the question, or say answerable: false`,
      );
    if (!answerable && items.length > 0)
      this.#complain(at, "expected names documents, but the question says answerable: false");

    const targets = new Map<string, GoldenTarget>();
    for (const item of items) {
      const target = this.#target(this.yaml.node(item, at));
      if (target === undefined) continue;
      const { path, heading } = target;
      const others = [...targets.values()].filter((other) => other.path === path);
      if (others.some((other) => (other.heading === undefined) !== (heading === undefined)))
        this.#complain(at, `expected names ${shown(path)} both as a whole and by a heading`);
      targets.set(`${path}\n${fold(heading ?? "")}`, target);
    }
    return [...targets.values()];
  }

  #target(node: GoldenNode): GoldenTarget | undefined {
    const entries = this.#entries(
      node,
      "an expected document",
      ["path", "heading"],
      "{ path: guide/setup.md }",
    );
    if (entries === undefined) return undefined;
    const path = this.#value(entries, "path", "text") as string | undefined;
    const heading = (this.#value(entries, "heading", "text") as string | undefined)?.trim();
    if (path === undefined) {
      if (!entries.has("path"))
        this.#complain(node.line, "path is missing: the document that holds the answer");
      return undefined;
    }
    if (!this.#try(entries.get("path")?.line ?? node.line, () => parseDocumentPath(path))) return undefined;
    return { path, ...(heading !== undefined && { heading }) };
  }

  #filters(entries: ReadonlyMap<string, GoldenEntry>): SearchFilters {
    const entry = entries.get("filters");
    if (entry === undefined) return {};
    const node = this.yaml.node(entry.value, entry.line);
    const given = this.#entries(node, "filters", Object.keys(filterKinds), "{ topic: guide }");
    const filters = Object.fromEntries(
      Object.entries(filterKinds).flatMap(([name, kind]) => {
        const value = given && this.#value(given, name, kind);
        return value === undefined ? [] : [[name, value]];
      }),
    ) as SearchFilters;
    this.#try(node.line, () => compileFilters(filters, { enabled: false, threshold: 0 }));
    return filters;
  }

  /** The entries of a mapping by name, unknown and repeated ones complained of; undefined if it is no mapping. */
  #entries(
    node: GoldenNode,
    what: string,
    known: readonly string[],
    example: string,
  ): Map<string, GoldenEntry> | undefined {
    if (node.kind !== "mapping") {
      this.#complain(node.line, `${what} is a mapping, ${example}; got ${got(node)}`);
      return undefined;
    }
    const entries = new Map<string, GoldenEntry>();
    for (const entry of node.entries) {
      if (!known.includes(entry.name)) {
        const nearest = nearestName(entry.name, known);
        const way = nearest === undefined ? `known here: ${known.join(", ")}` : `did you mean ${nearest}?`;
        this.#complain(entry.line, `unknown key ${shown(entry.name)}; ${way}`);
      } else if (entries.has(entry.name)) this.#complain(entry.line, `${entry.name} is there twice`);
      else entries.set(entry.name, entry);
    }
    return entries;
  }

  #list(entry: GoldenEntry, name: string, of: string): readonly unknown[] | undefined {
    const node = this.yaml.node(entry.value, entry.line);
    if (node.kind === "list") return node.items;
    this.#complain(node.line, `${name} is a list of ${of}; got ${got(node)}`);
    return undefined;
  }

  #value(entries: ReadonlyMap<string, GoldenEntry>, name: string, kind: Kind): unknown {
    const entry = entries.get(name);
    if (entry === undefined) return undefined;
    const node = this.yaml.node(entry.value, entry.line);
    const value = kind === "texts" ? this.#texts(node) : scalarOf(node, kind);
    if (value === undefined) {
      const quotes =
        kind === "text" && node.kind === "scalar" && node.source !== "" ? "; put it in quotes" : "";
      this.#complain(node.line, `${name} takes ${kindPhrases[kind]}; got ${got(node)}${quotes}`);
    }
    return value;
  }

  #texts(node: GoldenNode): string[] | undefined {
    if (node.kind !== "list") return undefined;
    const texts = node.items.map((item) => scalarOf(this.yaml.node(item, node.line), "text"));
    return texts.every((text) => typeof text === "string") ? texts : undefined;
  }

  /** Whether a check passes; else what it says becomes a problem. */
  #try(line: number, check: () => unknown): boolean {
    try {
      check();
      return true;
    } catch (error) {
      if (!isKbError(error)) throw error;
      this.#complain(line, error.message);
      return false;
    }
  }

  #complain(line: number, text: string): void {
    if (!this.yaml.isExhausted()) this.yaml.problems.push({ line, text });
  }
}

/** The value of a scalar of a kind; undefined if it is another. */
function scalarOf(node: GoldenNode, kind: Exclude<Kind, "texts">): string | number | boolean | undefined {
  if (node.kind !== "scalar") return undefined;
  const { value, source } = node;
  switch (kind) {
    case "text":
      return typeof value === "string" && value.trim() !== "" ? value : undefined;
    case "label":
      return typeof value === "string" ? value.trim() || undefined : value === null ? undefined : source;
    case "number":
      return typeof value === "number" ? value : undefined;
    case "boolean":
      return typeof value === "boolean" ? value : undefined;
  }
}

function isEmpty(node: GoldenNode): boolean {
  return node.kind === "scalar" && node.value === null && node.source === "";
}

/** What a node is, completing "got …". */
function got(node: GoldenNode): string {
  if (node.kind !== "scalar") return `a ${node.kind}`;
  const { value, source } = node;
  if (value === null || value === "") return "nothing";
  return typeof value === "string" ? `the text ${shown(value)}` : shown(source);
}

/** Characters of a value that a message repeats. */
const shownCharacters = 60;

function shown(text: string): string {
  const characters = Array.from(text);
  return JSON.stringify(
    characters.length > shownCharacters ? `${characters.slice(0, shownCharacters).join("")}…` : text,
  );
}
