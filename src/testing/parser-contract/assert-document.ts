// What the interface says of a ParsedDocument, rule by rule. Safe for values of another realm: test runners have several.
import assert from "node:assert/strict";
import { isNativeError } from "node:util/types";
import type { ParsedDocument } from "../../core/plugin-api.js";
import type { Observation } from "./observe-parse.js";

/** Metadata that is nested deeper is refused. */
const deepest = 100;

/** The document of a file that has to be parsed. */
export function documentOf({ result }: Observation, path: string): ParsedDocument {
  if ("error" in result) throw new Error(`${path} was not parsed`, { cause: result.error });
  assertPlain(result.document, path);
  return result.document as unknown as ParsedDocument;
}

/** For a file that may be refused: a whole document, or an error that says why. */
export function assertAnswered({ result }: Observation, file: string): void {
  if ("error" in result) {
    const { error } = result;
    assert.ok(isNativeError(error), `${file}: what the parser threw is not an Error`);
    assert.notEqual(error.message.trim(), "", `${file}: the Error has no message`);
    return;
  }
  assertPlain(result.document, file);
  const document = result.document as unknown as ParsedDocument;
  assertMetadata(document, file);
  assertHeadings(document, file);
  assertLines(document, file);
  assertWarnings(document, file);
}

/** The fields of a document, of the right kind, and nothing that a structured clone refuses. */
function assertPlain(value: unknown, path: string): asserts value is Readonly<Record<string, unknown>> {
  assert.notEqual(value, undefined, `${path}: parse returned nothing; is a \`return\` missing?`);
  assertRecord(value, `the result of ${path}`);
  assertFields(value, ["title", "frontmatter", "sections", "text", "warnings"], `the result of ${path}`);
  const { title, frontmatter, sections, text } = value;
  assert.ok(title === undefined || typeof title === "string", `${path}: "title" is not a text`);
  assert.equal(typeof text, "string", `${path}: "text" is not a text`);
  assertRecord(frontmatter, `${path}: "frontmatter"`);
  assert.ok(Array.isArray(sections), `${path}: "sections" is not a list`);
  for (const [index, section] of (sections as unknown[]).entries()) {
    const name = `${path}: sections[${index}]`;
    assertRecord(section, name);
    assertFields(section, ["heading", "level", "text", "startLine", "endLine"], name);
    assert.equal(typeof section.text, "string", `${name}: "text" is not a text`);
  }
  assert.doesNotThrow(() => structuredClone(value), `${path}: the result cannot be cloned`);
}

export function assertMetadata({ frontmatter }: ParsedDocument, path: string): void {
  assertJson(frontmatter, `${path}: frontmatter`, 0);
}

export function assertHeadings({ sections }: ParsedDocument, path: string): void {
  for (const [index, { level, heading }] of sections.entries()) {
    const name = `${path}: sections[${index}]`;
    assert.ok(Number.isInteger(level) && level >= 0 && level <= 6, `${name}: "level" is not 0 to 6`);
    assert.equal(
      typeof heading,
      level === 0 ? "undefined" : "string",
      `${name} has level ${level}: a heading belongs to a level above 0, and to no other`,
    );
  }
}

export function assertLines({ sections, text }: ParsedDocument, path: string): void {
  const lines = text.split(/\r\n?|\n/);
  // A line break at the very end opens no line.
  if (lines.at(-1) === "") lines.pop();
  let previousEnd = 0;
  for (const [index, { startLine, endLine, text: sectionText }] of sections.entries()) {
    const name = `${path}: sections[${index}]`;
    if (startLine === undefined && endLine === undefined) continue;
    assert.ok(
      Number.isInteger(startLine) && Number.isInteger(endLine),
      `${name}: "startLine" and "endLine" are not both whole numbers`,
    );
    const [start, end] = [startLine ?? 0, endLine ?? 0];
    assert.ok(start >= 1 && start <= end, `${name}: ${start} to ${end} is not a range of lines`);
    assert.ok(end <= lines.length, `${name} ends in line ${end}, but the text has ${lines.length}`);
    assert.ok(start > previousEnd, `${name} begins before the one above it ends`);
    assert.equal(
      sectionText,
      lines.slice(start - 1, end).join("\n"),
      `${name}: "text" is not exactly the lines ${start} to ${end}`,
    );
    previousEnd = end;
  }
}

export function assertWarnings({ warnings }: ParsedDocument, path: string): void {
  const list: unknown = warnings;
  if (list === undefined) return;
  assert.ok(
    Array.isArray(list) && list.every((entry) => typeof entry === "string" && entry.trim() !== ""),
    `${path}: "warnings" is not a list of texts`,
  );
}

function assertJson(value: unknown, name: string, depth: number): void {
  assert.ok(depth <= deepest, `${name.slice(0, 100)} is nested too deeply`);
  if (value === null || typeof value === "string" || typeof value === "boolean") return;
  if (typeof value === "number" && Number.isFinite(value)) return;
  if (Array.isArray(value)) {
    for (const [index, entry] of (value as unknown[]).entries())
      assertJson(entry, `${name}[${index}]`, depth + 1);
    return;
  }
  assertRecord(value, name);
  for (const [key, entry] of Object.entries(value)) assertJson(entry, `${name}.${key}`, depth + 1);
}

/** An object of no class of its own: not a Date, a Map or an instance of anything. */
function assertRecord(value: unknown, name: string): asserts value is Readonly<Record<string, unknown>> {
  const prototype: unknown =
    typeof value === "object" && value !== null ? Object.getPrototypeOf(value) : undefined;
  assert.ok(
    !Array.isArray(value) &&
      (prototype === null || (typeof prototype === "object" && Object.getPrototypeOf(prototype) === null)),
    `${name} is not a plain object or a JSON value`,
  );
}

function assertFields(value: object, known: readonly string[], name: string): void {
  for (const key of Object.keys(value))
    assert.ok(known.includes(key), `${name} has a field "${key}", which would be lost`);
}
