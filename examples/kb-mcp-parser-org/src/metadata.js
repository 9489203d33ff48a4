// @ts-check
// What an Org file says about itself: #+KEY: lines and the property drawer at its top, under the names that kb-mcp
// uses.

/**
 * @typedef {object} Metadata
 * @property {number} bodyStart the first line, counted from 0, that is no metadata
 * @property {Map<string, string>} fields by lower-case name; without `tags`
 * @property {Set<string>} tags of #+FILETAGS
 * @property {string[]} fileKeywords of #+TODO
 */

const keyLine = /^[ \t]*#\+([^\s:]+):(.*)$/s;
const comment = /^[ \t]*#(?:[ \t]|$)/;

/** Keys that belong to what follows them: a caption, a result, the name of a table. */
const belongsToBody = /^(?:(?:name|caption|headers?|plot|results|call|include)(?:\[.*)?|attr_.*)$/;

/** Keys that count wherever they are; others count at the top of the file alone. */
const countsAnywhere = ["title", "date", "filetags", "category", "author", "todo", "seq_todo", "typ_todo"];

/** kb-mcp reads these as dates. */
const dates = ["date", "updated", "created"];

/**
 * @param {string[]} lines
 * @param {(line: number) => boolean} isInBlock
 * @param {string[]} warnings
 * @returns {Metadata}
 */
export function readMetadata(lines, isInBlock, warnings) {
  /** @type {Metadata} */
  const metadata = { bodyStart: 0, fields: new Map(), tags: new Set(), fileKeywords: [] };
  let inHead = true;
  for (let at = 0; at < lines.length; at++) {
    if (isInBlock(at)) {
      inHead = false;
      continue;
    }
    const line = lines[at] ?? "";
    const drawer = inHead ? readDrawer(lines, at) : undefined;
    if (drawer !== undefined) {
      for (const [key, value] of drawer.properties) note(metadata, key, value);
      at = drawer.end;
    } else {
      const [, name, written = ""] = keyLine.exec(line) ?? [];
      const key = name?.toLowerCase();
      const isHead = key !== undefined ? !belongsToBody.test(key) : line.trim() === "" || comment.test(line);
      inHead &&= isHead;
      if (key !== undefined && (inHead || countsAnywhere.includes(key))) {
        const isUnderstood = note(metadata, key, written.trim());
        if (!isUnderstood) warnings.push(`line ${at + 1}: "${written.trim().slice(0, 60)}" is no date`);
      }
    }
    if (inHead) metadata.bodyStart = at + 1;
  }
  return metadata;
}

/**
 * A drawer of properties that begins in this line.
 * @param {string[]} lines
 * @param {number} at
 */
function readDrawer(lines, at) {
  if (!/^[ \t]*:PROPERTIES:[ \t]*$/i.test(lines[at] ?? "")) return undefined;
  /** @type {[string, string][]} */
  const properties = [];
  for (let end = at + 1; end < lines.length; end++) {
    const [, name, value = ""] = /^[ \t]*:([^\s:]+):(.*)$/s.exec(lines[end] ?? "") ?? [];
    if (name === undefined) return undefined;
    if (/^end$/i.test(name)) return { properties, end };
    properties.push([name.toLowerCase(), value.trim()]);
  }
  return undefined;
}

/**
 * @param {Metadata} metadata
 * @param {string} key in lower case
 * @param {string} value
 * @returns {boolean} false for a date that says no day
 */
function note({ fields, tags, fileKeywords }, key, value) {
  // In Org #+TAGS says which tags there are to choose from, not which ones the file has.
  if (value === "" || key === "tags" || key === "tag") return true;
  if (key === "filetags") for (const tag of wordsOf(value, /[:\s]+/)) tags.add(tag);
  else if (/^(?:seq_|typ_)?todo$/.test(key)) fileKeywords.push(...keywordsOf(value));
  else if (dates.includes(key)) {
    const day = dayOf(value);
    if (!fields.has(key)) fields.set(key, day ?? value);
    return day !== undefined;
  } else {
    // As Org does: a title may go on in a second line.
    const before = fields.get(key);
    fields.set(key, before === undefined ? value : `${before} ${value}`);
  }
  return true;
}

/**
 * @param {string} text
 * @param {RegExp} between
 */
function wordsOf(text, between) {
  return text.split(between).filter((word) => word !== "");
}

/**
 * "TODO(t) NEXT | DONE(d!)" to its words.
 * @param {string} value
 */
function keywordsOf(value) {
  return wordsOf(value, /[\s|]+/).map((word) => word.replace(/\(.*$/s, ""));
}

/**
 * YYYY-MM-DD of a timestamp such as <2026-04-11 Sat 10:00>, or of 2026年4月11日; undefined if it is neither.
 * @param {string} value
 */
function dayOf(value) {
  const [, year, month = "", day = ""] =
    /(\d{4})-(\d{1,2})-(\d{1,2})/.exec(value) ?? /(\d{4})年(\d{1,2})月(\d{1,2})日/.exec(value) ?? [];
  return year === undefined ? undefined : [year, month.padStart(2, "0"), day.padStart(2, "0")].join("-");
}
