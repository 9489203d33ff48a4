// The reply of get_document: a loaded document, or a range of its lines, and how to read on.
import { KbError } from "../errors.js";
import { splitLines } from "../text/lines.js";
import type { DocumentReply, DocumentRequest } from "./document-reply.js";
import { loadDocument, type LoadDependencies, type LoadedDocument } from "./load-document.js";

/**
 * Reads a document for a caller.
 * @throws KbError KB_READ_*, KB_PARSE_*
 */
export async function readDocument(
  dependencies: LoadDependencies,
  request: DocumentRequest,
  signal: AbortSignal,
): Promise<DocumentReply> {
  const loaded = await loadDocument(dependencies, request.path, signal);
  const { lineCount, omission } = loaded;
  const range = lineRange(request, loaded);
  const reachesCut = range !== undefined && loaded.truncated && range.end === lineCount;
  return {
    path: loaded.path,
    title: loaded.title,
    media_type: loaded.mediaType,
    size_bytes: loaded.sizeBytes,
    total_lines: lineCount,
    ...(range !== undefined && { start_line: range.start, end_line: range.end }),
    truncated: loaded.truncated,
    metadata: loaded.metadata,
    // The document's lines come first: a range that lies within them holds nothing of the notice.
    text:
      range === undefined
        ? loaded.text
        : splitLines(loaded.text)
            .slice(range.start - 1, range.end)
            .join("\n"),
    // The whole text says this itself.
    notes: reachesCut ? [...loaded.warnings, `After line ${lineCount} ${omission}`] : [...loaded.warnings],
  };
}

/** The range that is meant, within the lines there are; of a document without lines an empty one, from 1 to 0. */
function lineRange(
  { path, start_line, end_line }: DocumentRequest,
  { lineCount, truncated }: LoadedDocument,
): { start: number; end: number } | undefined {
  if (start_line === undefined && end_line === undefined) return undefined;
  const start = start_line ?? 1;
  const whole = Number.isInteger(start) && Number.isInteger(end_line ?? start);
  if (!whole || start < 1 || (end_line ?? start) < start || start > Math.max(lineCount, 1))
    throw new KbError(
      "KB_READ_RANGE",
      `${path} has ${lineCount} lines${truncated ? " that can be read" : ""}; lines ${start} to ${end_line ?? lineCount} are not a range of them`,
    );
  return { start, end: Math.min(end_line ?? lineCount, lineCount) };
}
