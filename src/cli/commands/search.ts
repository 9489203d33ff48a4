// kb-mcp search
import type { SearchRequest } from "../../core/index.js";
import { fillIndex } from "../fill-index.js";
import { formatReply } from "../format-reply.js";
import type { CommonFlags, ExitCode } from "../program.js";
import { print } from "../standard-streams.js";
import { withApplication } from "../with-application.js";

interface SearchFlags extends CommonFlags {
  limit?: number;
  category?: string;
  topic?: string;
  path?: string[];
  tag?: string[];
  tagAny?: string[];
  dateFrom?: string;
  dateTo?: string;
  minQuality?: number;
  mmr?: boolean;
  parent?: boolean;
  rerank?: boolean;
  explain?: boolean;
  format?: "text" | "json";
}

/** Searches and prints the hits. */
export async function searchCommand(query: string, flags: SearchFlags): Promise<ExitCode> {
  return withApplication<ExitCode>(flags, async ({ application, signal }) => {
    await fillIndex({ application, signal });
    const request: SearchRequest = {
      query,
      ...(flags.limit !== undefined && { limit: flags.limit }),
      ...(flags.category !== undefined && { category: flags.category }),
      ...(flags.topic !== undefined && { topic: flags.topic }),
      ...(flags.path !== undefined && { path_globs: flags.path }),
      ...(flags.tag !== undefined && { tags_all: flags.tag }),
      ...(flags.tagAny !== undefined && { tags_any: flags.tagAny }),
      ...(flags.dateFrom !== undefined && { date_from: flags.dateFrom }),
      ...(flags.dateTo !== undefined && { date_to: flags.dateTo }),
      ...(flags.minQuality !== undefined && { min_quality: flags.minQuality }),
      ...(flags.mmr !== undefined && { mmr: flags.mmr }),
      ...(flags.parent !== undefined && { parent_retriever: flags.parent }),
      ...(flags.rerank === false && { rerank: false }),
      ...(flags.explain === true && { explain: true }),
    };
    const reply = await application.knowledgeBase.search(request, signal);
    print(
      flags.format === "json" ? `${JSON.stringify(reply, null, 2)}\n` : formatReply(reply, process.stdout),
    );
    return 0;
  });
}
