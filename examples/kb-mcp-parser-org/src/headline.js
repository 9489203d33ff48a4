// @ts-check
// One headline: "** TODO [#A] Repot the =Ficus= [1/3] :garden:spring:" to level, title and tags.

/** A heading is shown in a line; what is longer is not one. */
const longestHeading = 1000;

/**
 * @typedef {object} Headline
 * @property {number} stars how deep it is, from 1
 * @property {string} title what is between the stars and the tags, as written
 * @property {string[]} tags
 */

/**
 * @param {string} line
 * @returns {Headline | undefined} undefined for a line that is no headline
 */
export function splitHeadline(line) {
  const [, stars, rest] = /^(\*+)[ \t](.*)$/s.exec(line) ?? [];
  if (stars === undefined || rest === undefined) return undefined;
  const written = rest.trim();
  // The last word, by hand: a regular expression that looks for it at the end is quadratic in a line of blanks.
  const lastBlank = Math.max(written.lastIndexOf(" "), written.lastIndexOf("\t"));
  const lastWord = written.slice(lastBlank + 1);
  if (!/^:[\p{L}\p{M}\p{N}_@#%:]+:$/u.test(lastWord))
    return { stars: stars.length, title: written, tags: [] };
  const title = written.slice(0, Math.max(lastBlank, 0)).trim();
  return { stars: stars.length, title, tags: lastWord.split(":").filter((tag) => tag !== "") };
}

/**
 * A title as a reader sees it: without TODO keyword, priority, progress, and marks of links and emphasis.
 * @param {string} title
 * @param {ReadonlySet<string>} keywords
 */
export function headingText(title, keywords) {
  const [first = ""] = /^\S+/.exec(title) ?? [];
  const text = keywords.has(first) ? title.slice(first.length) : title;
  return text
    .slice(0, longestHeading)
    .replace(/[\ud800-\udbff]$/, "")
    .trim()
    .replace(/^\[#\w{1,2}\]/, "")
    .replace(/^\s*COMMENT(?=\s|$)/, "")
    .replace(/\[(?:\d*\/\d*|\d*%)\]/g, "")
    .replace(/\[\[(?:[^[\]]+\]\[)?([^[\]]+)\]\]/g, "$1")
    .replace(/(^|[\s({'"-])([*=~])(\S|\S.*?\S)\2(?=$|[\s).,:;!?'"}-])/g, "$1$3")
    .replace(/\s+/g, " ")
    .trim();
}
