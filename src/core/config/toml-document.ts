// Turns TOML text into a tree with the place of every key; the only module that loads the TOML parser, so it is
// imported only when there is a file. The parser's own getStaticTOMLValue is not used: for `[__proto__]` it
// writes into Object.prototype.
import { parseTOML, ParseError, type AST } from "toml-eslint-parser";
import { KbError } from "../errors.js";
import { windowsPathHint } from "./expand-path.js";
import { TomlLiteral, type TomlTable, type TomlValue } from "./toml-value.js";

/**
 * Parses a whole file.
 *
 * @param file shown in errors
 * @throws KbError KB_CONFIG_SYNTAX
 */
export function parseTomlDocument(text: string, file: string): TomlTable {
  try {
    return toTree(parseTOML(text));
  } catch (error) {
    if (error instanceof ParseError) {
      // The parser's English names the rule, e.g. "Expected equal (=) token".
      throw new KbError(
        "KB_CONFIG_SYNTAX",
        `${file}:${error.lineNumber}:${error.column + 1}: ${error.message}`,
        error.message.includes("escape") ? { hint: windowsPathHint } : {},
      );
    }
    // Deep nesting and very long texts overflow the stack of the parser, which recurses.
    if (error instanceof RangeError) {
      throw new KbError(
        "KB_CONFIG_SYNTAX",
        `${file}: the file is nested too deeply or holds an overlong text`,
        { cause: error },
      );
    }
    throw error;
  }
}

function toTree(program: AST.TOMLProgram): TomlTable {
  const root: TomlTable = new Map();
  for (const node of program.body[0].body) {
    if (node.type === "TOMLKeyValue") setKey(root, node);
    else {
      const table = openTable(root, node);
      for (const pair of node.body) setKey(table, pair);
    }
  }
  return root;
}

/** The table that a `[header]` or `[[header]]` opens. A number in the resolved key is a place in a list. */
function openTable(root: TomlTable, header: AST.TOMLTable): TomlTable {
  const { line } = header.key.loc.start;
  const steps = header.resolvedKey;
  let current: TomlValue = root;
  for (const [index, step] of steps.entries()) {
    const fresh = (): TomlValue => (typeof steps[index + 1] === "number" ? [] : new Map());
    if (Array.isArray(current)) current = current[Number(step)] ??= fresh();
    else current = childOf(asTable(current), String(step), line, fresh);
  }
  return asTable(current);
}

/** The parser has refused every file in which a key is a table here and a value there. */
function asTable(value: TomlValue): TomlTable {
  if (!(value instanceof Map)) throw new TypeError("a TOML key names both a table and a value");
  return value;
}

/** Sets a value under a key that may be dotted. */
function setKey(table: TomlTable, pair: AST.TOMLKeyValue): void {
  const line = pair.key.loc.start.line;
  const names = pair.key.keys.map((part) => (part.type === "TOMLBare" ? part.name : part.value));
  let current = table;
  for (const name of names.slice(0, -1)) {
    current = asTable(childOf(current, name, line, () => new Map()));
  }
  current.set(names.at(-1) ?? "", { value: toValue(pair.value), line });
}

function childOf(table: TomlTable, name: string, line: number, fresh: () => TomlValue): TomlValue {
  let entry = table.get(name);
  if (entry === undefined) {
    entry = { value: fresh(), line };
    table.set(name, entry);
  }
  return entry.value;
}

function toValue(node: AST.TOMLContentNode): TomlValue {
  switch (node.type) {
    case "TOMLArray":
      return node.elements.map(toValue);
    case "TOMLInlineTable": {
      const table: TomlTable = new Map();
      for (const pair of node.body) setKey(table, pair);
      return table;
    }
    case "TOMLValue":
      return toScalar(node);
  }
}

function toScalar(node: AST.TOMLValue): TomlValue {
  switch (node.kind) {
    case "string":
    case "boolean":
    case "float":
      return node.value;
    case "integer":
      return Number.isSafeInteger(node.value) ? node.value : new TomlLiteral("whole number", node.number);
    case "offset-date-time":
    case "local-date-time":
    case "local-date":
    case "local-time":
      return new TomlLiteral("date", node.datetime);
  }
}
