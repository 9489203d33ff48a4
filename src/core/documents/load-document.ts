// The one way a document's text leaves kb-mcp: get_document and resource reads both end here.
import { limits } from "../limits.js";
import type { JsonValue, MediaType } from "../plugin-api.js";
import { describeDocument } from "./document-metadata.js";
import type { DocumentPath } from "./document-path.js";
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
  readonly text: string;
  /** True if the text was cut at the cap; it then ends with a notice. */
  readonly truncated: boolean;
  readonly warnings: readonly string[];
}

/**
 * Reads a document through the read guard and its parser.
 * @param rawPath as a caller gave it
 * @throws KbError KB_READ_*, KB_PARSE_*
 */
export async function loadDocument(
  { root, registry, parser, maxFileBytes }: LoadDependencies,
  rawPath: string,
  signal: AbortSignal,
): Promise<LoadedDocument> {
  const isBinary = (extension: string): boolean => registry.forPath(`x.${extension}`)?.binary ?? false;
  const read = await readGuarded(root, rawPath, {
    extensions: registry.extensions,
    maxBytes: (extension) => (isBinary(extension) ? maxFileBytes : limits.readTextBytes),
  });
  const parsed = await parser.parse(read.path, read.bytes, signal);
  const { text, truncated } = cutText(parsed.text);
  return {
    path: read.path,
    title: describeDocument(read.path, parsed).title,
    mediaType: registry.forPath(read.path)?.mediaType ?? "text/plain",
    sizeBytes: read.sizeBytes,
    metadata: parsed.frontmatter,
    text,
    truncated,
    warnings: parsed.warnings ?? [],
  };
}

/** Extracted text can be longer than the file it comes from. Handing over a prefix as the whole is silent loss. */
function cutText(text: string): { text: string; truncated: boolean } {
  const bytes = Buffer.byteLength(text);
  if (bytes <= limits.readTextBytes) return { text, truncated: false };
  // Decoding drops a character that the cut went through.
  const kept = Buffer.from(text)
    .subarray(0, limits.readTextBytes)
    .toString("utf8")
    .replace(/\uFFFD$/u, "");
  const left = bytes - Buffer.byteLength(kept);
  const notice = `\n\n[kb-mcp: the text was cut here; ${left} of ${bytes} bytes were left out]\n`;
  return { text: kept + notice, truncated: true };
}
