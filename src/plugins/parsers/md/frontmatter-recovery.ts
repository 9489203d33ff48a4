// Reads a frontmatter block that is not valid YAML: each field on its own, as text where need be.
import type { JsonValue } from "../../../core/plugin-api.js";
import { readYamlMapping, type Problem } from "./yaml-fields.js";

export interface Recovered {
  readonly fields: { [key: string]: JsonValue };
  readonly problems: readonly Problem[];
}

/** A name at the left edge, a colon, and a space or the end of the line. */
const fieldStart = /^([^\s:#"'[\]{}\-?,&*!|>%@`<][^:\n]{0,60}?)[ \t]*:(?:[ \t]+(.*))?$/;
const continuation = /^(?:[ \t]|$|-(?:[ \t]|$)|[\]}])/;
const comment = /^[ \t]*#(?:[ \t]|$)/;

/** One field: the number of its first line, and all of its lines. */
interface FieldLines {
  readonly line: number;
  readonly name: string;
  /** What is on the first line, behind the colon. */
  readonly value: string;
  readonly lines: string[];
}

/** @returns undefined if most of the block does not look like fields: then it is no metadata */
export function readFieldByField(block: readonly string[]): Recovered | undefined {
  const problems: Problem[] = [];
  const found: FieldLines[] = [];
  let strangers = 0;
  for (const [line, text] of block.entries()) {
    const [, name, value = ""] = fieldStart.exec(text) ?? [];
    if (name !== undefined) found.push({ line, name, value: value.trim(), lines: [text] });
    else if (continuation.test(text) && found.length > 0) found.at(-1)?.lines.push(text);
    else if (text.trim() !== "" && !comment.test(text)) {
      strangers++;
      problems.push({ line, text: `${quote(text)} is not metadata` });
    }
  }
  if (found.length <= strangers) return undefined;
  const fields: { [key: string]: JsonValue } = {};
  for (const field of found) readField(field, fields, problems);
  return { fields, problems: problems.sort((a, b) => a.line - b.line) };
}

function readField(field: FieldLines, fields: { [key: string]: JsonValue }, problems: Problem[]): void {
  const { line, name, value, lines } = field;
  if (lines.some((text) => /^[ ]*\t[ \t]*\S/.test(text)))
    problems.push({ line, text: `${quote(name)} is indented with tabs, which YAML does not allow` });
  const reading = readYamlMapping(lines.map(spacesForTabs).join("\n"));
  if (reading.kind === "mapping") {
    for (const problem of reading.problems) problems.push({ ...problem, line: line + problem.line });
    for (const [key, read] of Object.entries(reading.fields)) {
      if (Object.hasOwn(fields, key))
        problems.push({ line, text: `${quote(key)} is there twice; the last one counts` });
      fields[key] = read;
    }
    return;
  }
  const more = lines.slice(1).filter((text) => text.trim() !== "" && !comment.test(text));
  const items = more.map((text) => /^[ \t]*-[ \t]+(.*)$/.exec(text)?.[1]?.trim());
  const areItems = value === "" && items.every((item) => item !== undefined);
  const kept = areItems || value !== "";
  problems.push({
    line,
    text: `${quote(name)} is not valid YAML and was ${kept ? "read as text" : "left out"}`,
  });
  if (!areItems && kept && more.length > 0)
    problems.push({ line: line + 1, text: `the lines below ${quote(name)} were left out` });
  if (kept && name !== "__proto__") fields[name] = areItems ? items : value;
}

function spacesForTabs(text: string): string {
  return text.replace(/^[ \t]+/, (indentation) => indentation.replaceAll("\t", "  "));
}

function quote(text: string): string {
  const trimmed = text.trim();
  return `"${trimmed.length > 60 ? `${trimmed.slice(0, 60)}…` : trimmed}"`;
}
