// kb-mcp graph
import type { GraphReply, GraphRequest, SeedStrategy } from "../../core/index.js";
import { fillIndex } from "../fill-index.js";
import { formatGraph } from "../format-graph.js";
import { formatDot } from "../graph-dot.js";
import { formatSvg } from "../graph-svg.js";
import type { CommonFlags, ExitCode } from "../program.js";
import { print } from "../standard-streams.js";
import { withApplication } from "../with-application.js";

interface GraphFlags extends CommonFlags {
  depth?: number;
  fanOut?: number;
  minSimilarity?: number;
  seedStrategy?: SeedStrategy;
  dedupByPath?: boolean;
  category?: string;
  topic?: string;
  excludePath?: string[];
  maxNodes?: number;
  maxSeedChunks?: number;
  format?: keyof typeof formats;
}

const formats = {
  text: (reply: GraphReply) => formatGraph(reply, process.stdout),
  json: (reply: GraphReply) => `${JSON.stringify(reply, null, 2)}\n`,
  dot: formatDot,
  svg: formatSvg,
};

/** Walks from a document and prints what it is connected with. */
export async function graphCommand(start: string, flags: GraphFlags): Promise<ExitCode> {
  return withApplication<ExitCode>(flags, async ({ application, signal }) => {
    await fillIndex({ application, signal });
    const request: GraphRequest = {
      start,
      ...(flags.depth !== undefined && { depth: flags.depth }),
      ...(flags.fanOut !== undefined && { fan_out: flags.fanOut }),
      ...(flags.minSimilarity !== undefined && { min_similarity: flags.minSimilarity }),
      ...(flags.seedStrategy !== undefined && { seed_strategy: flags.seedStrategy }),
      ...(flags.dedupByPath !== undefined && { dedup_by_path: flags.dedupByPath }),
      ...(flags.category !== undefined && { category: flags.category }),
      ...(flags.topic !== undefined && { topic: flags.topic }),
      ...(flags.excludePath !== undefined && { exclude_paths: flags.excludePath }),
      ...(flags.maxNodes !== undefined && { max_nodes: flags.maxNodes }),
      ...(flags.maxSeedChunks !== undefined && { max_seed_chunks: flags.maxSeedChunks }),
    };
    const reply = await application.knowledgeBase.connectionGraph(request, signal);
    print(formats[flags.format ?? "text"](reply));
    return 0;
  });
}
