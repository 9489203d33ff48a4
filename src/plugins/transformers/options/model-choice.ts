// The options that name a model and where it comes from; the same for the embedder and the reranker.
import { availableParallelism } from "node:os";
import type { PluginHost } from "../../../core/plugin-api.js";
import { localFolderOf, type ModelContext, type ModelRequest } from "../models/model-request.js";
import type { OptionReader } from "./option-reader.js";

export interface ModelChoice {
  /** An id of the hub, or the path of a folder. */
  readonly model: string;
  readonly revision: string;
  /** Whether the weights are numbers of eight bits: a quarter of the size, faster, and nearly as good. */
  readonly quantized: boolean;
  /** Texts that the process is given at once; those of a model that is not quantized are computed together. */
  readonly batchSize: number;
  /** Threads that compute. */
  readonly threads: number;
  readonly mirror: string | undefined;
  /** Whether a model that is not on this machine is downloaded by itself. */
  readonly download: boolean;
}

/** More by default would take more of a machine than a background task should. */
const maxDefaultThreads = 4;

/** @param resolve turns the names that a model is known by into the id of its files */
export function readModelChoice(
  options: OptionReader,
  defaultModel: string | undefined,
  resolve: (model: string) => string,
): ModelChoice {
  const given = options.text("model")?.trim() ?? defaultModel ?? "";
  if (given === "")
    options.refuse(
      "model",
      'expected the id of a model, for example "Xenova/multilingual-e5-small", or the path of a folder',
    );
  const mirror = options.text("mirror")?.trim();
  if (mirror !== undefined && !(URL.canParse(mirror) && /^https?:$/.test(new URL(mirror).protocol)))
    options.refuse("mirror", "expected an address that begins with https:// or http://");
  return {
    model: resolve(given),
    revision: options.text("revision", 128)?.trim() ?? "main",
    quantized: options.flag("quantized") ?? true,
    batchSize: options.number("batch_size", { least: 1, most: 64 }) ?? 8,
    threads:
      options.number("threads", { least: 1, most: 64 }) ??
      Math.min(availableParallelism(), maxDefaultThreads),
    mirror,
    download: options.flag("download") ?? true,
  };
}

/** The model file within its folder. */
export function onnxFileOf({ quantized }: Pick<ModelChoice, "quantized">): string {
  return quantized ? "onnx/model_quantized.onnx" : "onnx/model.onnx";
}

/** All files that are needed of a model. */
export function modelRequest(choice: Pick<ModelChoice, "model" | "revision" | "quantized">): ModelRequest {
  return {
    model: choice.model,
    revision: choice.revision,
    files: ["config.json", "tokenizer_config.json", "tokenizer.json", onnxFileOf(choice)],
    // Large models keep their weights beside the model file.
    optionalFiles: choice.quantized ? [] : ["onnx/model.onnx_data"],
  };
}

export function modelContext(
  { mirror, download }: ModelChoice,
  { cacheDirectory, configDirectory, logger, progress }: PluginHost,
  signal: AbortSignal,
): ModelContext {
  return {
    cacheDirectory,
    configDirectory,
    ...(mirror !== undefined && { mirror }),
    signal,
    logger,
    progress,
    allowDownload: download,
  };
}

/** What to do about damaged files, where the model is not one that kb-mcp fetches. */
export function damagedHint({ model }: ModelChoice): string | undefined {
  return localFolderOf(model) === undefined
    ? undefined
    : "Put all files of the model into the folder anew; they must be of a model with ONNX files, as those of Xenova/… are.";
}
