// kb-mcp status
import type { StatusReply } from "../../core/index.js";
import { printable } from "../../core/text/printable.js";
import { fillIndex } from "../fill-index.js";
import type { CommonFlags, ExitCode } from "../program.js";
import { withApplication } from "../with-application.js";

interface StatusFlags extends CommonFlags {
  paths?: boolean;
  format?: "text" | "json";
}

/** Prints what the index holds. Opens no store, and fills none, unless paths are asked for. */
export async function statusCommand(flags: StatusFlags): Promise<ExitCode> {
  return withApplication<ExitCode>(flags, async ({ application, signal }) => {
    if (flags.paths === true) await fillIndex({ application, signal });
    const status = await application.knowledgeBase.status({ paths: flags.paths === true });
    process.stdout.write(
      flags.format === "json" ? `${JSON.stringify(status, null, 2)}\n` : formatStatus(status),
    );
    return 0;
  });
}

function formatStatus(status: StatusReply): string {
  const { kb_path, index_directory, ephemeral, overview, changed, embedder_failure, writer, paths } = status;
  const where = ephemeral === true ? "in memory only, filled at each start" : (index_directory ?? "");
  const lines = [`Knowledge base  ${kb_path}`, `Index           ${where}`];
  if (overview === undefined) {
    if (ephemeral !== true) lines.push("Contents        nothing yet; run kb-mcp index");
  } else {
    const { documents, chunks, declined_by_embedder, embedder, model, indexed_at, topics } = overview;
    const declined = declined_by_embedder > 0 ? `, ${declined_by_embedder} of them found by words alone` : "";
    lines.push(
      `Contents        ${documents} documents, ${chunks} chunks${declined}`,
      `Topics          ${topics.map(({ topic, documents: count }) => `${topic === "" ? "(root)" : topic} ${count}`).join(", ")}`,
      `Embedder        ${embedder} (${model})`,
      `Last change     ${indexed_at}`,
    );
  }
  if (changed !== undefined)
    lines.push(
      ...changed.map((change) => `Changed         ${change}`),
      "                the index is not written to until it is built anew: kb-mcp index --force",
    );
  if (embedder_failure !== undefined)
    lines.push(
      `Not usable      the embedder: ${embedder_failure.message} [${embedder_failure.code}]`,
      `                ${embedder_failure.hint}`,
    );
  if (writer !== undefined)
    lines.push(`Being indexed   by process ${writer.pid} on ${writer.host}, for ${writer.running_seconds} s`);
  if (paths !== undefined && paths.length > 0) lines.push("", ...paths);
  return `${lines.map(printable).join("\n")}\n`;
}
