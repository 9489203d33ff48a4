// The reply of get_document: a loaded document, or a range of its lines, and how to read on.
import { KbError } from "../errors.js";
import { splitLines } from "../text/lines.js";
import type { DocumentReply, DocumentRequest } from "./document-reply.js";
import { loadDocument, type LoadDependencies } from "./load-document.js";

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
  const lines = splitLines(loaded.text);
  const range = lineRange(request, lines.length);
  const text = range === undefined ? loaded.text : lines.slice(range.start - 1, range.end).join("\n");
  return {
    path: loaded.path,
    title: loaded.title,
    media_type: loaded.mediaType,
    size_bytes: loaded.sizeBytes,
    total_lines: lines.length,
    ...(range !== undefined && { start_line: range.start, end_line: range.end }),
    truncated: loaded.truncated,
    metadata: loaded.metadata,
    text,
    notes: [...loaded.warnings],
  };
}

function lineRange(
  { path, start_line, end_line }: DocumentRequest,
  total: number,
): { start: number; end: number } | undefined {
  if (start_line === undefined && end_line === undefined) return undefined;
  const start = start_line ?? 1;
  const end = end_line ?? total;
  const whole = Number.isInteger(start) && Number.isInteger(end);
  if (!whole || start < 1 || end < start || start > Math.max(total, 1))
    throw new KbError(
      "KB_READ_RANGE",
      `${path} has ${total} lines; lines ${start} to ${end} are not a range of it`,
    );
  return { start, end: Math.min(end, total) };
}
