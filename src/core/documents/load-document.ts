// The one way a document's text leaves kb-mcp: get_document and resource reads both end here.
import { limits } from "../limits.js";
import type { JsonValue, MediaType, Section } from "../plugin-api.js";
import type { DocumentPath } from "./document-path.js";
import { keepBytes, type DocumentText } from "./document-text.js";
import type { GuardedParser } from "./guarded-parse.js";
import type { KnowledgeBaseRoot } from "./knowledge-base-root.js";
import type { ParserRegistry } from "./parser-registry.js";
import { readGuarded } from "./read-guard.js";

export interface LoadDependencies {
  readonly root: KnowledgeBaseRoot;
  readonly registry: ParserRegistry;
  readonly parser: GuardedParser;
  /** Bytes a binary file may have. */
  readonly maxFileBytes: number;
}

export interface LoadedDocument {
  readonly path: DocumentPath;
  readonly title: string;
  /** Of the delivered text, not of the file. */
  readonly mediaType: MediaType;
  readonly sizeBytes: number;
  readonly metadata: { [key: string]: JsonValue };
  /** The document's text; where it was cut at the cap, followed by a notice. */
  readonly text: string;
  /** Lines of the document in `text`, those of a notice not counted. */
  readonly lineCount: number;
  /** As the parser cut them, not shortened where the text is; none unless asked for. */
  readonly sections: readonly Section[];
  readonly truncated: boolean;
  /** What the notice says, if the text was cut. */
  readonly omission?: string;
  readonly warnings: readonly string[];
}

/**
 * Reads a document through the read guard and its parser.
 * @param rawPath as a caller gave it
 * @param withSections also hands over the sections, which are as long as the whole text
 * @throws KbError KB_READ_*, KB_PARSE_*
 */
export async function loadDocument(
  { root, registry, parser, maxFileBytes }: LoadDependencies,
  rawPath: string,
  signal: AbortSignal,
  { withSections = false }: { readonly withSections?: boolean } = {},
): Promise<LoadedDocument> {
  const read = await readGuarded(root, rawPath, {
    extensions: registry.extensions,
    maxBytes: (extension) =>
      registry.forExtension(extension)?.binary === true ? maxFileBytes : limits.readTextBytes,
  });
  const options = { maxBytes: limits.readTextBytes, withSections };
  const { cut, ...document } = await parser.readText(read.path, read.bytes, options, signal);
  return {
    sections: [],
    ...document,
    path: read.path,
    mediaType: registry.forPath(read.path)?.mediaType ?? "text/plain",
    sizeBytes: read.sizeBytes,
    truncated: cut !== undefined,
    ...(cut !== undefined && { text: withNotice(document.text, cut), omission: omissionOf(cut) }),
  };
}

/** Cuts a text at the cap of a read, with a notice. */
export function cutText(text: string): { text: string; truncated: boolean } {
  const { text: kept, cut } = keepBytes(text, limits.readTextBytes);
  return cut === undefined ? { text, truncated: false } : { text: withNotice(kept, cut), truncated: true };
}

type Cut = NonNullable<DocumentText["cut"]>;

/** Extracted text can be longer than the file it comes from. Handing over a prefix as the whole is silent loss. */
function withNotice(text: string, cut: Cut): string {
  return `${text}\n\n[kb-mcp: ${omissionOf(cut)}]\n`;
}

function omissionOf({ bytes, omitted }: Cut): string {
  return `the text was cut here; ${omitted} of ${bytes} bytes were left out`;
}
