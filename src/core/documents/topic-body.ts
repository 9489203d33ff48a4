// The text of a topic as a resource: the list of its documents with their URIs, and nothing of what they say.
import { limits } from "../limits.js";
import { documentUri } from "./document-uri.js";
import type { ServableDocument } from "./servable-set.js";

/** Bytes set aside for the notice that the list was cut. */
const noticeBytes = 300;

/**
 * A Markdown list, cut with a notice where it would be longer than a read returns.
 * @param documents at least one, in the order of the list
 */
export function topicBody(
  prefix: string,
  documents: readonly Pick<ServableDocument, "path" | "title">[],
): string {
  const lines = [`# ${prefix === "" ? "Documents in the root" : `Documents in ${oneLine(prefix)}`}`, ""];
  let left = limits.readTextBytes - noticeBytes - Buffer.byteLength(lines.join("\n"));
  for (const [index, { path, title }] of documents.entries()) {
    const line = `- [${linkText(title)}](${documentUri(path)}) ${oneLine(path)}`;
    left -= Buffer.byteLength(line) + 1;
    if (left < 0) {
      const missing = documents.length - index;
      lines.push(
        "",
        `[kb-mcp: the list was cut here; ${missing} of ${documents.length} documents were left out; search with this topic finds them]`,
      );
      break;
    }
    lines.push(line);
  }
  return `${lines.join("\n")}\n`;
}

/** A title must not break out of its link. */
function linkText(title: string): string {
  return oneLine(title)
    .replace(/\s+/gu, " ")
    .replace(/[\\[\]]/gu, "\\$&");
}

/** A name may hold line ends; one that does must not look like two entries. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ");
}
