// @ts-check
// An Org file to title, metadata and sections. Lines are those of the file, so that they are those of an editor.
import { headingText, splitHeadline } from "./headline.js";
import { readMetadata } from "./metadata.js";

/** @typedef {import("kb-mcp/plugin").ParsedDocument} ParsedDocument */
/** @typedef {import("kb-mcp/plugin").Section} Section */

/** Warnings about one file; more would drown the others. */
const mostWarnings = 10;

/**
 * @param {string} text the whole file, decoded
 * @param {import("./options.js").OrgOptions} options
 * @returns {ParsedDocument}
 */
export function parseOrg(text, { todoKeywords, headingTags }) {
  const lines = text.split(/\r\n?|\n/);
  /** @type {string[]} */
  const warnings = [];
  const isInBlock = findBlocks(lines, warnings);
  const { bodyStart, fields, tags, fileKeywords } = readMetadata(lines, isInBlock, warnings);
  const keywords = new Set([...todoKeywords, ...fileKeywords]);
  // A title of the file stands above its headings, as the first heading of a Markdown file does.
  const above = fields.has("title") ? 1 : 0;

  /** @type {Section[]} */
  const sections = [];
  /** The section that is open: its first line and its heading. */
  let start = bodyStart;
  /** @type {Pick<Section, "heading" | "level">} */
  let open = { level: 0 };
  const close = (/** @type {number} */ end) => {
    const section = cut(lines, start, end, open);
    if (section !== undefined) sections.push(section);
  };
  for (let at = bodyStart; at < lines.length; at++) {
    const headline = isInBlock(at) ? undefined : splitHeadline(lines[at] ?? "");
    if (headline === undefined) continue;
    close(at);
    start = at;
    open = { heading: headingText(headline.title, keywords), level: Math.min(headline.stars + above, 6) };
    if (headingTags) for (const tag of headline.tags) tags.add(tag);
  }
  close(lines.length);

  const topHeadings = sections.filter(({ level }) => level === 1);
  // Of several top headings none is the title: kb-mcp then takes the file's name.
  const title = fields.get("title") || (topHeadings.length === 1 && topHeadings[0]?.heading) || undefined;
  return {
    ...(title !== undefined && { title }),
    frontmatter: { ...Object.fromEntries(fields), ...(tags.size > 0 && { tags: [...tags] }) },
    sections,
    text,
    ...(warnings.length > 0 && { warnings: warnings.slice(0, mostWarnings) }),
  };
}

/**
 * The section of the lines from `start` to before `end`, without blank lines at its ends; undefined if all are blank.
 * @param {string[]} lines
 * @param {number} start counted from 0
 * @param {number} end
 * @param {Pick<Section, "heading" | "level">} heading
 * @returns {Section | undefined}
 */
function cut(lines, start, end, heading) {
  const isBlank = (/** @type {number} */ at) => (lines[at] ?? "").trim() === "";
  while (start < end && isBlank(start)) start++;
  while (end > start && isBlank(end - 1)) end--;
  if (start === end) return undefined;
  return { ...heading, text: lines.slice(start, end).join("\n"), startLine: start + 1, endLine: end };
}

/**
 * Finds the blocks, such as #+BEGIN_SRC to #+END_SRC, in which a line that begins with a star is no heading. A block
 * without an end is none: it would swallow the rest of the file.
 * @param {string[]} lines
 * @param {string[]} warnings
 * @returns {(line: number) => boolean} whether a line, counted from 0, is in a block
 */
function findBlocks(lines, warnings) {
  /** @type {Map<number, number>} from the line that begins a block to the one that ends it */
  const blocks = new Map();
  /** @type {string[]} */
  const unended = [];
  /** @type {Map<string, number>} the next line that ends a block of this name */
  const ends = new Map();
  for (let at = lines.length - 1; at >= 0; at--) {
    const [, edge, word] = /^[ \t]*#\+(BEGIN|END)_(\S+)/i.exec(lines[at] ?? "") ?? [];
    if (edge === undefined || word === undefined) continue;
    const name = word.toUpperCase();
    const end = ends.get(name);
    if (edge.toUpperCase() === "END") ends.set(name, at);
    else if (end === undefined) unended.push(`line ${at + 1}: #+BEGIN_${word} has no end`);
    else {
      ends.delete(name);
      blocks.set(at, end);
    }
  }
  warnings.push(...unended.reverse().slice(0, mostWarnings));
  const inBlock = new Uint8Array(lines.length);
  for (const [begin, end] of blocks) inBlock.fill(1, begin, end + 1);
  return (line) => inBlock[line] === 1;
}
