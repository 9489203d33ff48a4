// Where the top-level headings of a Markdown text are. Blocks are found by markdown-it, so that fences, HTML,
// comments, lists and quotes are what CommonMark says they are; inline markup is read in headings alone.
import MarkdownIt, { type Env, type Token } from "markdown-it";
import { headingText, wikiLink } from "./heading-text.js";

export interface Heading {
  /** Counted from 0 in the text given. */
  readonly line: number;
  readonly level: number;
  readonly text: string;
}

const markdown = new MarkdownIt({ html: true });
markdown.inline.ruler.before("link", "wiki-link", wikiLink);

/**
 * Makes tokens for top-level headings alone: those of all blocks would take fifty times the text's size and most of
 * the time. Block rules fill a token in and never read it again, so that the others can share one.
 */
class HeadingState extends markdown.block.State {
  readonly #unused = new this.Token("", "", 0);
  #inHeading = false;

  override push(type: string, tag: string, nesting: -1 | 0 | 1): Token {
    if (type === "heading_open") this.#inHeading = this.level === 0;
    if (this.#inHeading) {
      if (type === "heading_close") this.#inHeading = false;
      return super.push(type, tag, nesting);
    }
    this.level += nesting;
    return this.#unused;
  }
}
markdown.block.State = HeadingState;

/**
 * The headings in order.
 * @param text with "\n" as its only line ending
 */
export function findHeadings(text: string): Heading[] {
  // As CommonMark asks; it keeps the length of every line.
  const source = text.replaceAll("\0", "\uFFFD");
  const tokens: Token[] = [];
  const env: Env = {};
  markdown.block.parse(source, markdown, env, tokens);
  return tokens.flatMap((token, index) => {
    const line = token.map?.[0];
    const content = tokens[index + 1]?.content;
    if (token.type !== "heading_open" || line === undefined || content === undefined) return [];
    return [{ line, level: Number(token.tag.slice(1)), text: headingText(markdown, content, env) }];
  });
}
