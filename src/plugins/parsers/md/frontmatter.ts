// Finds the frontmatter of a Markdown text and reads its fields. It never loses the note: what is not metadata
// stays text, and what is not valid YAML is read field by field.
import type { JsonValue } from "../../../core/plugin-api.js";
import { readFieldByField } from "./frontmatter-recovery.js";
import { readYamlMapping, type Problem } from "./yaml-fields.js";

/** Bytes of a block: metadata, not a place for data. The same as kb-mcp's own limit, which plugins cannot see. */
const blockBytes = 64 * 1024;

/** Warnings about one block; more would drown the others. */
const mostWarnings = 10;

export interface Frontmatter {
  readonly fields: { [key: string]: JsonValue };
  /** Lines it takes at the top of the text, with its delimiters; 0 if there is none. */
  readonly lineCount: number;
  readonly warnings: readonly string[];
}

const none: Frontmatter = { fields: {}, lineCount: 0, warnings: [] };

/** @param text with "\n" as its only line ending */
export function readFrontmatter(text: string): Frontmatter {
  if (!/^---[ \t]*\n/.test(text)) return none;
  const opening = text.indexOf("\n") + 1;
  const closing = /^(?:---|\.\.\.)[ \t]*$/gm;
  closing.lastIndex = opening;
  const end = closing.exec(text)?.index;
  if (end === undefined) return none;
  const source = text.slice(opening, Math.max(opening, end - 1));
  if (Buffer.byteLength(source) > blockBytes) {
    const isMeant = /^[^\s:#]+:(?:\s|$)/.test(source);
    return isMeant ? { ...none, warnings: ["the frontmatter is over 64 KiB and was read as text"] } : none;
  }
  const block = source.split("\n");
  const lineCount = end === opening ? 2 : block.length + 2;
  const reading = readYamlMapping(source);
  if (reading.kind === "mapping")
    return { fields: reading.fields, lineCount, warnings: warn(reading.problems) };
  const recovered = reading.kind === "invalid" ? readFieldByField(block) : undefined;
  if (recovered === undefined) return none;
  return { fields: recovered.fields, lineCount, warnings: warn(recovered.problems) };
}

/** The block begins on the file's second line, and people count from 1. */
function warn(problems: readonly Problem[]): string[] {
  const warnings = problems
    .slice(0, mostWarnings)
    .map(({ line, text }) => `frontmatter, line ${line + 2}: ${text}`);
  const more = problems.length - warnings.length;
  return more > 0 ? [...warnings, `frontmatter: ${more} more of the kind`] : warnings;
}
