// What the parts that plugins make must look like: a part that lacks something is refused when it is made, and not in
// the middle of a search.
import type { Embedder, Reranker, Transport, VectorStore } from "../plugin-api.js";
import type { PluginKinds } from "./plugin-shape.js";

const methods: Readonly<Record<Exclude<PluginKinds, "parsers">, readonly string[]>> = {
  embedders: ["embedDocuments", "embedQuery", "dispose"] satisfies (keyof Embedder)[],
  stores: [
    "readMeta",
    "reset",
    "writeMeta",
    "write",
    "documents",
    "documentsAt",
    "chunks",
    "documentChunks",
    "textSearch",
    "vectorSearch",
    "filteredChunks",
    "documentFrequencies",
    "counts",
    "version",
    "maintain",
    "close",
  ] satisfies (keyof VectorStore)[],
  rerankers: ["rerank", "dispose"] satisfies (keyof Reranker)[],
  transports: ["start", "stop"] satisfies (keyof Transport)[],
};

/** What is wrong with a part, or undefined. Parsers are made elsewhere. */
export function partFlaw(kind: PluginKinds, part: unknown): string | undefined {
  if (typeof part !== "object" || part === null) return "it is not an object";
  const fields = part as Readonly<Record<string, unknown>>;
  if (kind === "parsers") return undefined;
  const missing = methods[kind].find((name) => typeof fields[name] !== "function");
  if (missing !== undefined) return `it has no method "${missing}"`;
  if (kind === "transports" && typeof (fields.ended as { then?: unknown } | undefined)?.then !== "function")
    return '"ended" is not a promise';
  return kind === "embedders" ? embedderFlaw(fields) : undefined;
}

function embedderFlaw(embedder: Readonly<Record<string, unknown>>): string | undefined {
  const { model, dimensions, chunkTokens, fusionWeight, countTokens } = embedder;
  if (typeof model !== "string" || model === "") return '"model" is not a text';
  if (!isCount(dimensions)) return '"dimensions" is not a whole number above 0';
  const { target, max } = (chunkTokens ?? {}) as { target?: unknown; max?: unknown };
  if (!isCount(target) || !isCount(max) || target > max)
    return '"chunkTokens" is not { target, max } with whole numbers above 0, the target at most the maximum';
  if (typeof fusionWeight !== "number" || !(fusionWeight >= 0 && fusionWeight <= 1))
    return '"fusionWeight" is not a number from 0 to 1';
  if (countTokens !== undefined && typeof countTokens !== "function")
    return '"countTokens" is not a function';
  return undefined;
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value > 0;
}
