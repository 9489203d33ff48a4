// The plain text of a heading: what a reader sees, without markup.
import type { Env, MarkdownIt, StateInline, Token } from "markdown-it";

/** A heading is shown in a line; what is longer is not one, and inline parsing is not linear for all input. */
const longestHeading = 1000;

const blockId = /\s+\^[A-Za-z0-9-]+\s*$/;
const attributes = /\s*\{#[\w:.-]+\}\s*$/;

/**
 * @param content the heading's inline Markdown
 * @param env the environment of the document's parse, with its link definitions
 */
export function headingText(markdown: MarkdownIt, content: string, env: Env): string {
  const source = cut(content.trim()).replace(blockId, "").replace(attributes, "");
  const tokens: Token[] = [];
  markdown.inline.parse(source, markdown, env, tokens);
  return plainText(tokens).replace(/\s+/g, " ").trim();
}

/** `[[note]]` and `[[note|what is shown]]`, also escaped as tables need it. */
export function wikiLink(state: StateInline, silent: boolean): boolean {
  if (!state.src.startsWith("[[", state.pos)) return false;
  const end = state.src.indexOf("]]", state.pos);
  if (end === -1) return false;
  const inner = state.src.slice(state.pos + 2, end);
  if (inner.trim() === "" || /[[\]\n]/.test(inner)) return false;
  if (!silent) state.push("text", "", 0).content = inner.split("|").at(-1)?.trim() || inner;
  state.pos = end + 2;
  return true;
}

function plainText(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      if (token.type === "softbreak" || token.type === "hardbreak") return " ";
      if (token.type === "html_inline") return "";
      return token.children === null ? token.content : plainText(token.children);
    })
    .join("");
}

function cut(text: string): string {
  if (text.length <= longestHeading) return text;
  return text.slice(0, longestHeading).replace(/[\ud800-\udbff]$/, "");
}
