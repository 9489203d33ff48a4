// The summary of an index run, for people.
import type { IndexSummary } from "../core/index.js";

/** Skipped files and warnings that are listed one by one; the rest is counted. */
const listed = 20;

/** Several lines, with what to do about whatever needs doing. */
export function formatSummary(summary: IndexSummary): string {
  const { added, updated, unchanged, renamed, deleted, skipped, warnings } = summary;
  const lines = [
    `${summary.documents} documents, ${summary.chunks} chunks in the index (${summary.seconds} s)`,
    `  added ${added}, updated ${updated}, unchanged ${unchanged}, renamed ${renamed}, deleted ${deleted}, skipped ${skipped.length}`,
  ];
  if (summary.documents === 0)
    lines.push(
      "  No file here has an extension of an enabled parser ([parsers].enabled), or all are excluded.",
    );
  if (summary.declined_by_embedder > 0)
    lines.push(
      `  ${summary.declined_by_embedder} chunks are found by words alone: the embedder cannot read their language.`,
    );
  lines.push(
    ...list(
      "skipped",
      skipped.map(({ path, reason, code }) => `${path}: ${withoutPath(reason, path)} [${code}]`),
    ),
    ...list(
      "warning",
      warnings.map(({ path, warning }) => `${path}: ${withoutPath(warning, path)}`),
    ),
  );
  return `${lines.join("\n")}\n`;
}

function list(label: string, entries: readonly string[]): string[] {
  const shown = entries.slice(0, listed).map((entry) => `  ${label}: ${entry}`);
  const more = entries.length - shown.length;
  return more > 0 ? [...shown, `  … and ${more} more; --format json lists all`] : shown;
}

/** Messages name their file; here it stands in front already. */
function withoutPath(message: string, path: string): string {
  return message.startsWith(`${path}: `) ? message.slice(path.length + 2) : message;
}
