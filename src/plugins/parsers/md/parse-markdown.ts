// A Markdown file to frontmatter, title and sections. Lines are the lines of the file, never of a rendering.
import type { ParsedDocument, Parser, Section } from "../../../core/plugin-api.js";
import { readFrontmatter } from "./frontmatter.js";
import { findHeadings } from "./headings.js";
import { LineReader } from "./line-reader.js";

export const markdownParser: Parser = { parse: ({ text }) => parseMarkdown(text) };

function parseMarkdown(text: string): ParsedDocument {
  // Not an array of lines: a large note has millions.
  const source = text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
  const { fields, lineCount, warnings } = readFrontmatter(source);
  const sections = cutSections(source, lineCount);
  const title = ownTitle(fields.title) ?? sections.find(({ level }) => level === 1)?.heading;
  return {
    ...(title !== undefined && title !== "" && { title }),
    frontmatter: fields,
    sections,
    text,
    ...(warnings.length > 0 && { warnings: [...warnings] }),
  };
}

/** A section reaches from its heading to the last written line before the next heading. */
function cutSections(source: string, frontmatterLines: number): Section[] {
  const reader = new LineReader(source);
  reader.skipTo(frontmatterLines);
  const headings = findHeadings(source.slice(reader.offset));
  const sections: Section[] = [];
  for (const [index, heading] of [undefined, ...headings].entries()) {
    // headings[index] is the one after this.
    const next = headings[index];
    const end = next === undefined ? Infinity : frontmatterLines + next.line;
    const range = reader.readTo(end, heading !== undefined);
    if (range === undefined) continue;
    sections.push({
      ...(heading !== undefined && { heading: heading.text }),
      level: heading?.level ?? 0,
      text: source.slice(range.start, range.end),
      startLine: range.firstLine + 1,
      endLine: range.lastLine + 1,
    });
  }
  return sections;
}

function ownTitle(value: unknown): string | undefined {
  if (typeof value === "number") return String(value);
  if (typeof value !== "string") return undefined;
  const title = value.trim().replace(/\s+/g, " ");
  return title === "" ? undefined : title;
}
