// What of a parsed document a read returns: its text up to a cap, and what it says about itself.
import type { JsonValue, ParsedDocument, Section } from "../plugin-api.js";
import { countLines } from "../text/lines.js";
import { describeDocument } from "./document-metadata.js";

export interface DocumentText {
  readonly title: string;
  readonly metadata: { [key: string]: JsonValue };
  /** The document's own, without a notice where it was cut. */
  readonly text: string;
  /** Lines of `text`. */
  readonly lineCount: number;
  /** Bytes that the text has in all, and how many of them were cut off at its end; absent if none. */
  readonly cut?: { readonly bytes: number; readonly omitted: number };
  /** As the parser cut them, also where the text was cut; absent unless asked for. */
  readonly sections?: readonly Section[];
  readonly warnings: readonly string[];
}

export interface TextOptions {
  /** Bytes of UTF-8 that the text may have. */
  readonly maxBytes: number;
  readonly withSections: boolean;
}

export function documentText(
  path: string,
  parsed: ParsedDocument,
  { maxBytes, withSections }: TextOptions,
): DocumentText {
  const { text, cut } = keepBytes(parsed.text, maxBytes);
  return {
    title: describeDocument(path, parsed).title,
    metadata: parsed.frontmatter,
    text,
    lineCount: countLines(text),
    ...(cut !== undefined && { cut }),
    ...(withSections && { sections: parsed.sections }),
    warnings: parsed.warnings ?? [],
  };
}

/** The beginning of a text, never with half a character at its end. */
export function keepBytes(text: string, maxBytes: number): Pick<DocumentText, "text" | "cut"> {
  const bytes = Buffer.byteLength(text);
  if (bytes <= maxBytes) return { text };
  // Decoding drops a character that the cut went through.
  const kept = Buffer.from(text)
    .subarray(0, maxBytes)
    .toString("utf8")
    .replace(/\uFFFD$/u, "");
  return { text: kept, cut: { bytes, omitted: bytes - Buffer.byteLength(kept) } };
}
