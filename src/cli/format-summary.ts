// The summary of an index run, for people.
import { quotePath } from "../core/documents/document-path.js";
import type { IndexSummary, SkippedFile } from "../core/index.js";
import { printable } from "../core/text/printable.js";

/** Skipped files and warnings that are listed one by one; the rest is counted. */
const listed = 20;

/**
 * Several lines, with what to do about whatever needs doing.
 * @param ephemeralStore id of the store, where it keeps nothing
 */
export function formatSummary(summary: IndexSummary, ephemeralStore?: string): string {
  const { added, updated, unchanged, renamed, deleted, skipped, warnings } = summary;
  const lines = [
    `${summary.documents} documents, ${summary.chunks} chunks in the index (${summary.seconds} s)`,
    `  added ${added}, updated ${updated}, unchanged ${unchanged}, renamed ${renamed}, deleted ${deleted}, skipped ${skipped.length}`,
  ];
  if (summary.documents === 0 && skipped.length === 0)
    lines.push(
      "  No file here has an extension of an enabled parser ([parsers].enabled), or all are excluded.",
    );
  if (summary.declined_by_embedder > 0)
    lines.push(
      `  ${summary.declined_by_embedder} chunks are found by words alone: the embedder cannot read their language.`,
    );
  lines.push(
    ...list("skipped", skipped.map(describeSkipped)),
    ...list(
      "warning",
      warnings.map(({ path, warning }) => printable(`${path}: ${withoutPath(warning, path)}`)),
    ),
  );
  if (ephemeralStore !== undefined)
    lines.push(
      `  Nothing of this is kept: the store "${ephemeralStore}" lives in its process only, and each command fills it anew.`,
    );
  return `${lines.join("\n")}\n`;
}

/** One line: which file, why, the code. Fit for a terminal. */
export function describeSkipped({ path, reason, code }: SkippedFile): string {
  return printable(`${path}: ${withoutPath(reason, path)} [${code}]`);
}

function list(label: string, entries: readonly string[]): string[] {
  const shown = entries.slice(0, listed).map((entry) => `  ${label}: ${entry}`);
  const more = entries.length - shown.length;
  return more > 0 ? [...shown, `  … and ${more} more; --format json lists all`] : shown;
}

/** Messages name their file, bare or quoted; here it stands in front already. */
function withoutPath(message: string, path: string): string {
  const opening = [`${path}: `, `${quotePath(path)} `].find((form) => message.startsWith(form));
  return opening === undefined ? message : message.slice(opening.length);
}
