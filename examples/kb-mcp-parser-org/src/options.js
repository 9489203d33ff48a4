// @ts-check
// What [parsers.options.org] of kb-mcp.toml may hold, as a Standard Schema (https://standardschema.dev) by hand.

/**
 * @typedef {object} OrgOptions
 * @property {string[]} todoKeywords words before a heading that are no part of it
 * @property {boolean} headingTags whether the tags of headings are tags of the document
 */

/** @type {OrgOptions} */
export const defaults = { todoKeywords: ["TODO", "DONE"], headingTags: true };

const known = ["todo_keywords", "heading_tags"];

/** @type {import("kb-mcp/plugin").OptionsSchema<OrgOptions>} */
export const optionsSchema = {
  "~standard": { version: 1, vendor: "kb-mcp-parser-org", validate },
};

/**
 * @param {unknown} given the table as TOML has it; empty where there is none
 * @returns {import("kb-mcp/plugin").OptionsResult<OrgOptions>}
 */
function validate(given) {
  const options = /** @type {Record<string, unknown>} */ (given);
  const { todo_keywords = defaults.todoKeywords, heading_tags = defaults.headingTags } = options;
  const issues = Object.keys(options)
    .filter((key) => !known.includes(key))
    .map((key) => ({ message: `there is no such option; there are ${known.join(" and ")}`, path: [key] }));
  if (!isListOfWords(todo_keywords))
    issues.push({ message: 'must be a list of words, such as ["TODO", "DONE"]', path: ["todo_keywords"] });
  else if (typeof heading_tags !== "boolean")
    issues.push({ message: "must be true or false", path: ["heading_tags"] });
  else if (issues.length === 0) return { value: { todoKeywords: todo_keywords, headingTags: heading_tags } };
  return { issues };
}

/**
 * @param {unknown} value
 * @returns {value is string[]}
 */
function isListOfWords(value) {
  return Array.isArray(value) && value.every((word) => typeof word === "string" && /^\S+$/.test(word));
}
