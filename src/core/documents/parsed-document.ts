// Checks what a parser returned before anything relies on it, and copies it to plain data.
import { KbError } from "../errors.js";
import type { JsonValue, ParsedDocument, Section } from "../plugin-api.js";
import { countLines } from "../text/lines.js";

/** Deeper metadata is not metadata, and a cycle has no end. */
const deepest = 100;

/**
 * A copy of a parser's result that holds nothing but the fields of a ParsedDocument.
 * @param where names the parser and the file, to begin an error's message
 * @throws KbError KB_PARSE_RESULT
 */
export function checkParsedDocument(value: unknown, where: string): ParsedDocument {
  const flawed = (flaw: string): KbError =>
    new KbError("KB_PARSE_RESULT", `${where} returned what is not a document: ${flaw}`);
  if (value === undefined) throw flawed("nothing came back; is a return missing?");
  if (!isRecord(value)) throw flawed("not an object");
  const { title, frontmatter, sections, text, warnings } = value;
  if (title !== undefined && typeof title !== "string") throw flawed('"title" is not a text');
  if (typeof text !== "string") throw flawed('"text" is not a text');
  if (!isRecord(frontmatter)) throw flawed('"frontmatter" is not an object');
  if (!Array.isArray(sections)) throw flawed('"sections" is not a list');
  if (warnings !== undefined && !isTexts(warnings)) throw flawed('"warnings" is not a list of texts');
  const metadata = jsonObject(frontmatter, "frontmatter", 0, flawed);
  const lines = countLines(text);
  let previousEnd = 0;
  const checked = sections.map((candidate: unknown, index): Section => {
    const section = checkSection(candidate, `sections[${index}]`, flawed);
    if (section.startLine === undefined || section.endLine === undefined) return section;
    if (section.startLine <= previousEnd)
      throw flawed(`sections[${index}] begins before the one above it ends`);
    if (section.endLine > lines)
      throw flawed(`sections[${index}] ends in line ${section.endLine}, but the text has ${lines}`);
    previousEnd = section.endLine;
    return section;
  });
  return {
    ...(title !== undefined && { title }),
    frontmatter: metadata,
    sections: checked,
    text,
    ...(warnings !== undefined && { warnings: [...warnings] }),
  };
}

type Flawed = (flaw: string) => KbError;

function checkSection(value: unknown, name: string, flawed: Flawed): Section {
  if (!isRecord(value)) throw flawed(`${name} is not an object`);
  const { heading, level, text, startLine, endLine } = value;
  if (typeof text !== "string") throw flawed(`"text" of ${name} is not a text`);
  if (heading !== undefined && typeof heading !== "string")
    throw flawed(`"heading" of ${name} is not a text`);
  if (!isWhole(level) || level > 6) throw flawed(`"level" of ${name} is not a whole number from 0 to 6`);
  if ((level === 0) !== (heading === undefined))
    throw flawed(`${name} has level ${level} and ${heading === undefined ? "no" : "a"} heading`);
  const section = { ...(heading !== undefined && { heading }), level, text };
  if (startLine === undefined && endLine === undefined) return section;
  if (!isWhole(startLine) || !isWhole(endLine) || startLine < 1 || endLine < startLine)
    throw flawed(`"startLine" and "endLine" of ${name} are not a range of lines`);
  return { ...section, startLine, endLine };
}

function jsonObject(
  value: Readonly<Record<string, unknown>>,
  name: string,
  depth: number,
  flawed: Flawed,
): { [key: string]: JsonValue } {
  const copy: { [key: string]: JsonValue } = {};
  for (const [key, entry] of Object.entries(value))
    // Assigning it would set the prototype.
    if (entry !== undefined && key !== "__proto__")
      copy[key] = jsonValue(entry, `${name}.${key}`, depth + 1, flawed);
  return copy;
}

function jsonValue(value: unknown, name: string, depth: number, flawed: Flawed): JsonValue {
  if (depth > deepest) throw flawed(`${name.slice(0, 100)}… is nested too deeply`);
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  if (Array.isArray(value))
    return value.map((entry: unknown, index) => jsonValue(entry, `${name}[${index}]`, depth + 1, flawed));
  if (isRecord(value)) return jsonObject(value, name, depth, flawed);
  throw flawed(`"${name.slice(0, 100)}" is not a JSON value`);
}

/** An object of no class of its own: not a Date, a Map or an instance of anything. */
function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function isWhole(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0;
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === "string");
}
