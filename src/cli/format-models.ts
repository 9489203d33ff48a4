// What `kb-mcp models` prints for people.
import type { ModelCheck, ModelEntry } from "../core/plugin-api.js";
import { printable } from "../core/text/printable.js";
import { columnsOf, padded } from "./columns.js";
import { formatBytes } from "./format-bytes.js";

/** The part that models are for, as kb-mcp.toml names it. */
export interface ModelsFor {
  readonly kind: "embedder" | "reranker";
  readonly id: string;
}

export interface ListedModels extends ModelsFor {
  /** The one that kb-mcp.toml names comes first. */
  readonly models: readonly ModelEntry[];
}

export interface PulledModel extends ModelsFor {
  readonly model: ModelEntry;
}

export interface CheckedModels extends ModelsFor {
  readonly checks: readonly ModelCheck[];
}

/** What is said where no part in use has models of its own. */
const noLibraries =
  'No model files are needed: neither the embedder nor the reranker in use keeps any. [embedder] use = "transformers" in kb-mcp.toml does.\n';

export function formatModelList(lists: readonly ListedModels[]): string {
  if (lists.length === 0) return noLibraries;
  const width = Math.max(
    ...lists.flatMap(({ models }) => models.map(({ model }) => columnsOf(printable(model)))),
  );
  const blocks = lists.map(({ kind, id, models }) => [
    `${kind} (${printable(id)})`,
    ...models.flatMap((entry, index) => [
      `${index === 0 ? "*" : " "} ${padded(printable(entry.model), width)}  ${padded(stateOf(entry), 18)}${entry.description === undefined ? "" : `  ${printable(entry.description)}`}`.trimEnd(),
      ...(entry.folder === undefined ? [] : [`    ${printable(entry.folder)}`]),
    ]),
  ]);
  return `${blocks.map((lines) => lines.join("\n")).join("\n\n")}\n\n* the one in use\n`;
}

function stateOf({ present, bytes }: ModelEntry): string {
  if (bytes === undefined) return "not here";
  return present ? formatBytes(bytes) : `${formatBytes(bytes)}, not whole`;
}

export function formatPulled(pulled: readonly PulledModel[]): string {
  if (pulled.length === 0) return noLibraries;
  return pulled
    .map(({ model: { model, bytes, folder } }) => {
      const place = folder === undefined ? "" : `\n  ${printable(folder)}`;
      return `${printable(model)} is here, whole${bytes === undefined ? "" : ` (${formatBytes(bytes)})`}${place}\n`;
    })
    .join("");
}

export function formatChecks(checked: readonly CheckedModels[]): string {
  if (checked.length === 0) return noLibraries;
  const checks = checked.flatMap((one) => one.checks);
  if (checks.length === 0) return "No model is on this machine; kb-mcp models pull fetches the one in use.\n";
  const bad = checks.filter(({ problems }) => problems.length > 0);
  const lines = checks.flatMap(({ entry, problems }) =>
    problems.length === 0
      ? [`${printable(entry.model)}: whole`]
      : [`${printable(entry.model)}:`, ...problems.map((problem) => `  ${printable(problem)}`)],
  );
  const advice = bad.map(({ entry }) =>
    // A folder that somebody filled is theirs to mend.
    /^(?:[./~\\]|[a-z]:)/iu.test(entry.model)
      ? "  → copy the files named above into that folder again"
      : `  → kb-mcp models pull ${printable(entry.model)}`,
  );
  return `${[...lines, ...new Set(advice)].join("\n")}\n`;
}
