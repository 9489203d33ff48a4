// The tool rebuild_index. Runs core's indexer, says how long another run has been going, and keeps the summary
// within the budget.
import { isKbError, KbError, partTokens, replyTokens } from "../../../core/index.js";
import type { IndexSummary, KnowledgeBase } from "../../../core/index.js";
import { countThatFit, noteTokens } from "../reply-budget.js";
import { defineTool } from "../tool.js";

export const rebuildIndex = defineTool({
  name: "rebuild_index",
  title: "Bring the index up to date",
  description: `Takes files that were added, changed, moved or deleted into the search index. Only what changed is read again.
Use it when the index is missing, when search does not find a file that is there, or when the user asks for it. It can take minutes on a large knowledge base, reports progress, and goes on where it stopped after a cancellation.
Returns counts (added, updated, unchanged, renamed, deleted, documents, chunks, seconds), skipped [{path, code, reason}] and warnings [{path, warning}].
Example: {} or, to build everything anew after a change of the embedder, {"force": true}`,
  input: {
    type: "object",
    properties: {
      force: {
        type: "boolean",
        description: "Build the whole index anew, unchanged files too. Slow; rarely needed.",
        default: false,
        examples: [true],
      },
    },
    additionalProperties: false,
  },
  output: {
    type: "object",
    properties: {
      added: { type: "integer" },
      updated: { type: "integer" },
      unchanged: { type: "integer" },
      renamed: { type: "integer" },
      deleted: { type: "integer" },
      documents: { type: "integer", description: "Documents in the index now." },
      chunks: { type: "integer", description: "Passages in the index now." },
      declined_by_embedder: {
        type: "integer",
        description: "Passages that the embedder cannot read; they are found by words alone.",
      },
      embedded: { type: "integer", description: "Passages embedded in this run." },
      seconds: { type: "number" },
      skipped: {
        type: "array",
        items: {
          type: "object",
          properties: { path: { type: "string" }, code: { type: "string" }, reason: { type: "string" } },
          required: ["path", "code", "reason"],
        },
      },
      warnings: {
        type: "array",
        items: {
          type: "object",
          properties: { path: { type: "string" }, warning: { type: "string" } },
          required: ["path", "warning"],
        },
      },
      notes: { type: "array", items: { type: "string" } },
    },
    required: [
      "added",
      "updated",
      "unchanged",
      "renamed",
      "deleted",
      "documents",
      "chunks",
      "declined_by_embedder",
      "embedded",
      "seconds",
      "skipped",
      "warnings",
      "notes",
    ],
  },
  behaviour: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  async run({ force }, { kb, signal, onProgress, maxReplyTokens }) {
    try {
      const summary = await kb.index({
        signal,
        ...(force !== undefined && { force }),
        ...(onProgress && { onProgress }),
      });
      return fitSummary(summary, maxReplyTokens);
    } catch (error) {
      throw isKbError(error) && error.code === "KB_STORE_BUSY" ? await withRunningTime(error, kb) : error;
    }
  },
});

async function withRunningTime(error: KbError, kb: KnowledgeBase): Promise<KbError> {
  const startedAt = kb.indexing()?.startedAt;
  const seconds =
    startedAt === undefined
      ? (await kb.status()).writer?.running_seconds
      : Math.max(0, (Date.now() - startedAt) / 1000);
  if (seconds === undefined) return error;
  return new KbError("KB_STORE_BUSY", error.message, {
    cause: error,
    hint: `The other run has been going for ${Math.round(seconds)} s. Wait for it and try again.`,
  });
}

/** Thousands of skipped files must not fill a model's context: the first of each list, and how many there are. */
function fitSummary(summary: IndexSummary, maxTokens: number): IndexSummary & { notes: string[] } {
  const whole = { ...summary, notes: [] };
  if (replyTokens(whole) <= maxTokens) return whole;
  const room = maxTokens - replyTokens({ ...whole, skipped: [], warnings: [] }) - noteTokens;
  const warnings = summary.warnings.slice(0, countThatFit(summary.warnings, room / 2));
  const skipped = summary.skipped.slice(0, countThatFit(summary.skipped, room - partTokens(warnings)));
  const note =
    `Shown are ${skipped.length} of ${summary.skipped.length} skipped files and ${warnings.length} of ` +
    `${summary.warnings.length} warnings, to keep the reply short; kb-mcp index --format json shows all of them.`;
  return { ...summary, skipped, warnings, notes: [note] };
}
