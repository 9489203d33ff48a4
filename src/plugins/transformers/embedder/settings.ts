// Brings together what the options say, what is known of the model, and what its own files say.
import { closest, distance } from "fastest-levenshtein";
import { isKbError, KbError, type PluginHost } from "../../../core/plugin-api.js";
import { locateModel } from "../models/locate-model.js";
import { localFolderOf, nameOf } from "../models/model-request.js";
import { modelContext, modelRequest, onnxFileOf } from "../options/model-choice.js";
import { readModelConfig } from "../options/model-config.js";
import type { Pooling } from "../runtime/messages.js";
import { knownModel, knownModelNamed, knownModels, type KnownModel } from "./known-models.js";
import type { EmbedderOptions } from "./options.js";

export interface EmbedderSettings {
  /** As messages name it. */
  readonly name: string;
  /** The model and all that changes its vectors. */
  readonly identity: string;
  readonly dimensions: number;
  /** Tokens that are read of a text. */
  readonly window: number;
  readonly chunkTokens: { readonly target: number; readonly max: number };
  readonly pooling: Pooling;
  readonly queryPrefix: string;
  readonly documentPrefix: string;
}

/** 300 to 500 tokens make no difference to what is found. */
const defaultChunkTokens = 400;
/** What is read in any case: a query may be longer than a passage. */
const leastWindow = 512;

interface Facts {
  readonly name: string;
  readonly dimensions: number;
  readonly window: number;
  readonly known: Partial<KnownModel>;
}

/**
 * Cheap for a known model; for another its small files are read, and fetched where they are not here.
 * @throws KbError KB_MODEL_*, KB_PLUGIN_OPTIONS
 */
export async function embedderSettings(
  options: EmbedderOptions,
  host: PluginHost,
): Promise<EmbedderSettings> {
  const { model, revision, quantized } = options;
  const known = knownModel(model);
  const facts: Facts =
    known === undefined
      ? await factsOfFiles(options, host)
      : { name: `${model}@${revision}`, dimensions: known.dimensions, window: known.window, known };
  const pooling = options.pooling ?? facts.known.pooling ?? "mean";
  const queryPrefix = options.queryPrefix ?? facts.known.queryPrefix ?? "";
  const documentPrefix = options.documentPrefix ?? facts.known.documentPrefix ?? "";
  const asked = options.chunkTokens;
  if (asked !== undefined && asked > facts.window)
    throw new KbError(
      "KB_PLUGIN_OPTIONS",
      `chunk_tokens is ${asked}, but ${nameOf(model)} reads ${facts.window} tokens of a text`,
      { hint: `Set chunk_tokens under [embedder] in kb-mcp.toml to at most ${facts.window}.` },
    );
  const target = asked ?? Math.min(defaultChunkTokens, Math.round(facts.window * 0.8));
  const max = Math.min(Math.ceil(target * 1.5), facts.window);
  // Attention takes memory with the square of the length: no more is read than passages have.
  const window = Math.min(facts.window, Math.max(leastWindow, max));
  return {
    name: nameOf(model),
    identity: [
      "transformers",
      facts.name,
      quantized ? "q8" : "fp32",
      pooling,
      `window=${window}`,
      `prefixes=${JSON.stringify([queryPrefix, documentPrefix])}`,
    ].join(" "),
    dimensions: facts.dimensions,
    window,
    chunkTokens: { target, max },
    pooling,
    queryPrefix,
    documentPrefix,
  };
}

async function factsOfFiles(options: EmbedderOptions, host: PluginHost): Promise<Facts> {
  const { model, revision } = options;
  const folder = await locateModel(
    { ...modelRequest(options), files: ["config.json", "tokenizer_config.json"], optionalFiles: [] },
    modelContext(options, host, host.signal),
  ).catch((error: unknown) => {
    throw withNearest(error, model);
  });
  const isLocal = localFolderOf(model) !== undefined;
  const name = nameOf(model);
  const config = await readModelConfig(folder, name, onnxFileOf(options));
  if (config.dimensions === undefined)
    throw new KbError("KB_MODEL_INVALID", `config.json of ${name} does not say how long its vectors are`, {
      hint: "Use a model for feature extraction; kb-mcp models lists some.",
    });
  // A copy of a known model in a folder wants the same prefixes as the model itself.
  const lastParts = [config.origin, ...(isLocal ? folder.split(/[/\\]/u).slice(-2).reverse() : [])];
  const known = lastParts.map((part) => knownModelNamed(part?.split("/").at(-1) ?? "")).find(Boolean);
  return {
    name: isLocal ? `${folder.split(/[/\\]/u).at(-1) ?? ""}#${config.digest}` : `${model}@${revision}`,
    dimensions: config.dimensions,
    window: Math.min(config.window ?? leastWindow, known?.window ?? Infinity),
    known: known ?? {},
  };
}

/** Letters that a misspelt id may differ by. */
const misspelt = 3;

/** Names the known model whose id is nearly the one that was not to be had. */
function withNearest(error: unknown, model: string): unknown {
  const isWanted = isKbError(error) && /^KB_MODEL_(?:UNKNOWN|DOWNLOAD|MISSING)$/u.test(error.code);
  if (!isWanted || localFolderOf(model) !== undefined) return error;
  const nearest = closest(
    model,
    knownModels.map((known) => known.model),
  );
  return distance(model, nearest) > misspelt
    ? error
    : new KbError(error.code, error.message, { cause: error, hint: `Is ${nearest} meant? ${error.hint}` });
}
