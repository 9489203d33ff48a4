// The options of `[embedder]` with use = "openai". Never repeats a value in a message: it might be a key.
import { estimateTokens, type OptionsResult, type OptionsSchema } from "../../../core/plugin-api.js";

export interface OpenAiOptions {
  readonly model: string;
  /** Without a slash at its end. */
  readonly baseUrl: string;
  /** Name of an environment variable; undefined where the address gets a key only if one is named. */
  readonly apiKeyEnv: string | undefined;
  /** Length of the vectors. */
  readonly dimensions: number;
  /** Whether the server is told the length. */
  readonly sendDimensions: boolean;
  /** Estimated tokens that the model reads of a text, prefix included. */
  readonly maxTokens: number;
  readonly chunkTokens: number;
  readonly batchSize: number;
  readonly batchTokens: number;
  readonly queryPrefix: string;
  readonly documentPrefix: string;
  readonly fusionWeight: number;
  readonly timeoutSeconds: number;
  readonly maxRetries: number;
}

/** OpenAI's models: the longest vector each makes, and whether it makes shorter ones. */
const knownModels = new Map([
  ["text-embedding-3-small", { dimensions: 1536, shortens: true }],
  ["text-embedding-3-large", { dimensions: 3072, shortens: true }],
  ["text-embedding-ada-002", { dimensions: 1536, shortens: false }],
]);

const numbers = {
  dimensions: { least: 1, most: 8192, whole: true },
  max_tokens: { least: 16, most: 1_000_000, whole: true },
  chunk_tokens: { least: 16, most: 1_000_000, whole: true },
  batch_size: { least: 1, most: 2048, whole: true },
  batch_tokens: { least: 1, most: 10_000_000, whole: true },
  fusion_weight: { least: 0, most: 1, whole: false },
  // Longer, and nobody tells a server that hangs from one that works.
  timeout_seconds: { least: 0.1, most: 300, whole: false },
  max_retries: { least: 0, most: 20, whole: true },
};

const texts = ["model", "base_url", "api_key_env", "query_prefix", "document_prefix"];
const known = new Set([...Object.keys(numbers), ...texts, "send_dimensions"]);

interface Issue {
  readonly message: string;
  readonly path: string[];
}

/** Whether a host is this machine. */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d+){3}$/.test(hostname);
}

/** Some keys have the form of a name, such as hf_… and the 32 letters and digits of others. */
function looksLikeKey(text: string): boolean {
  return /^(?:sk|gsk|hf|pk)[-_]/.test(text) || (text.length >= 20 && /[a-z]/.test(text) && /\d/.test(text));
}

function checkedAddress(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const plain = url.username === "" && url.password === "" && url.search === "" && url.hash === "";
  return /^https?:$/.test(url.protocol) && plain ? url : undefined;
}

function validate(value: unknown): OptionsResult<OpenAiOptions> {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return { issues: [{ message: "expected a table of options", path: [] }] };
  const issues: Issue[] = [];
  const given = new Map<string, unknown>(Object.entries(value));
  const refuse = (key: string, message: string): void => void issues.push({ message, path: [key] });

  for (const key of given.keys())
    if (!known.has(key))
      refuse(
        key,
        key === "api_key"
          ? "a key does not belong in a file: put it into an environment variable and name that as api_key_env"
          : `unknown option; the options are ${[...known].join(", ")}`,
      );

  const number = (key: keyof typeof numbers): number | undefined => {
    const entry = given.get(key);
    if (entry === undefined) return undefined;
    const { least, most, whole } = numbers[key];
    if (typeof entry === "number" && entry >= least && entry <= most && (!whole || Number.isInteger(entry)))
      return entry;
    refuse(key, `expected a ${whole ? "whole " : ""}number from ${least} to ${most}`);
    return undefined;
  };
  const text = (key: string): string | undefined => {
    const entry = given.get(key);
    if (entry === undefined) return undefined;
    if (typeof entry === "string" && entry.length <= 2000) return entry;
    refuse(key, "expected a text of at most 2000 characters");
    return undefined;
  };

  const model = text("model")?.trim() ?? "";
  if (model === "" && !issues.some(({ path }) => path[0] === "model"))
    refuse("model", "expected the name of a model, for example text-embedding-3-small");

  const url = checkedAddress(text("base_url") ?? "https://api.openai.com/v1");
  if (url === undefined)
    refuse("base_url", "expected an http or https address without a user name, a password, ? and #");

  const named = text("api_key_env");
  if (named !== undefined && (!/^[A-Za-z_]\w*$/.test(named) || looksLikeKey(named)))
    refuse("api_key_env", "expected the name of an environment variable that holds the key, not the key");

  const entry = knownModels.get(model);
  const asked = number("dimensions");
  if (entry === undefined && !given.has("dimensions"))
    refuse(
      "dimensions",
      "the length of this model's vectors is not known: set it, for example dimensions = 768",
    );
  if (
    entry &&
    asked !== undefined &&
    (asked > entry.dimensions || (!entry.shortens && asked < entry.dimensions))
  )
    refuse(
      "dimensions",
      `this model answers ${entry.shortens ? "at most " : ""}${entry.dimensions} dimensions`,
    );

  const send = given.get("send_dimensions");
  if (send !== undefined && typeof send !== "boolean") refuse("send_dimensions", "expected true or false");

  const maxTokens = number("max_tokens") ?? 8191;
  const chunkTokens = number("chunk_tokens") ?? Math.min(400, maxTokens);
  if (chunkTokens > maxTokens) refuse("chunk_tokens", "expected at most max_tokens");
  const queryPrefix = text("query_prefix") ?? "";
  const documentPrefix = text("document_prefix") ?? "";
  for (const [key, prefix] of [
    ["query_prefix", queryPrefix],
    ["document_prefix", documentPrefix],
  ] as const)
    if (estimateTokens(prefix) > maxTokens / 2) refuse(key, "expected at most half of max_tokens");

  const options = {
    model,
    // The address of the endpoint itself is what many documents show.
    baseUrl: url?.href.replace(/\/+$/, "").replace(/\/embeddings$/, "") ?? "",
    // A key made for OpenAI does not go in clear, nor to a local server, unless the owner says so.
    apiKeyEnv: named ?? (url?.protocol === "https:" ? "OPENAI_API_KEY" : undefined),
    dimensions: asked ?? entry?.dimensions ?? 0,
    sendDimensions: asked !== undefined && send !== false && entry?.shortens !== false,
    maxTokens,
    chunkTokens,
    batchSize: number("batch_size") ?? 64,
    batchTokens: number("batch_tokens") ?? 100_000,
    queryPrefix,
    documentPrefix,
    fusionWeight: number("fusion_weight") ?? 0.5,
    timeoutSeconds: number("timeout_seconds") ?? 60,
    maxRetries: number("max_retries") ?? 5,
  };
  return issues.length > 0 ? { issues } : { value: options };
}

export const openAiOptions: OptionsSchema<OpenAiOptions> = {
  "~standard": { version: 1, vendor: "kb-mcp", validate },
};
