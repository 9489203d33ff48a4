// kb-mcp status
import type { StatusReply } from "../../core/index.js";
import { printable } from "../../core/text/printable.js";
import { fillIndex } from "../fill-index.js";
import { pasteable } from "../pasteable.js";
import type { CommonFlags, ExitCode } from "../program.js";
import { print } from "../standard-streams.js";
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
    print(flags.format === "json" ? `${JSON.stringify(status, null, 2)}\n` : formatStatus(status, flags));
    return 0;
  });
}

function formatStatus(status: StatusReply, flags: CommonFlags): string {
  const {
    kb_path,
    index_directory,
    store_location,
    ephemeral,
    overview,
    changed,
    embedder_failure,
    writer,
    paths,
  } = status;
  const where =
    ephemeral === true ? "in memory only, filled at each start" : (store_location ?? index_directory ?? "");
  const lines = [`Knowledge base  ${kb_path}`, `Index           ${where}`];
  if (overview === undefined) {
    if (ephemeral !== true)
      lines.push(
        store_location === undefined
          ? `Contents        nothing yet; run ${pasteable("kb-mcp index", flags)}`
          : `Contents        nothing was indexed from this machine; ${pasteable("kb-mcp search", flags)} asks what is there`,
      );
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
      `                the index is not written to until it is built anew: ${pasteable("kb-mcp index --force", flags)}`,
    );
  if (embedder_failure !== undefined)
    lines.push(
      `Not usable      the embedder: ${embedder_failure.message} [${embedder_failure.code}]`,
      `                ${pasteable(embedder_failure.hint, flags)}`,
    );
  if (writer !== undefined)
    lines.push(`Being indexed   by process ${writer.pid} on ${writer.host}, for ${writer.running_seconds} s`);
  if (paths !== undefined && paths.length > 0) lines.push("", ...paths);
  return `${lines.map(printable).join("\n")}\n`;
}
