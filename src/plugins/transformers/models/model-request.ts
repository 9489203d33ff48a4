// What is asked for: a model, its revision and its files; and whether their names may become paths and addresses.
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { KbError, type Logger, type PluginHost } from "../../../core/plugin-api.js";
import type { DownloadLimits } from "./download-limits.js";

export interface ModelRequest {
  /** An id such as "Xenova/all-MiniLM-L6-v2"; or a folder: an absolute path, or one that begins with ./, ../ or ~/. */
  readonly model: string;
  /** A branch, a tag or a commit. Means nothing for a folder. */
  readonly revision: string;
  /** Paths within the model, such as "onnx/model_quantized.onnx"; all of them are needed. */
  readonly files: readonly string[];
  /** The same for files that not every model has. */
  readonly optionalFiles: readonly string[];
}

export interface ModelContext {
  readonly cacheDirectory: string;
  /** Address in place of https://huggingface.co; the environment's HF_ENDPOINT where absent. */
  readonly mirror?: string;
  /** The directory from which the relative path of a folder counts; the working directory where absent. */
  readonly configDirectory?: string;
  readonly signal: AbortSignal;
  readonly progress: PluginHost["progress"];
  readonly logger: Logger;
  readonly allowDownload: boolean;
  /** Bounds and waiting times in place of the usual ones. */
  readonly limits?: Partial<DownloadLimits>;
}

/** Names that the cache keeps for itself in the folder of a model. */
const reserved = /^(?:files\.json|download\.lock)(?:$|\.)|\.part(?:\.json)?$/iu;
/** Windows takes these for devices, whatever their extension. */
const device = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/iu;
const segment = /^\w[\w.-]{0,127}$/u;

function isSafe(name: string): boolean {
  return segment.test(name) && !name.endsWith(".") && !name.includes("..") && !device.test(name);
}

/**
 * The folder that a model's name stands for; undefined for an id. A relative path must begin with a dot: a folder
 * that happens to be called like a model must not take its place.
 * @param base the directory from which a relative path counts
 */
export function localFolderOf(model: string, base = "."): string | undefined {
  if (model.includes("\0")) return undefined;
  if (/^~[/\\]/u.test(model)) return join(homedir(), model.slice(2));
  return isAbsolute(model) || /^\.\.?[/\\]/u.test(model) ? resolve(base, model) : undefined;
}

/**
 * The folder of a model in the cache.
 * @throws KbError KB_MODEL_UNKNOWN for a name that is none
 */
export function cacheFolderOf(cacheDirectory: string, { model, revision }: ModelRequest): string {
  const parts = model.split("/");
  if (parts.length !== 2 || !parts.every(isSafe))
    throw new KbError("KB_MODEL_UNKNOWN", `${JSON.stringify(model)} is not the id of a model`, {
      hint: "Ids look like Xenova/multilingual-e5-small; the path of a folder is absolute or begins with ./",
    });
  if (!isSafe(revision))
    throw new KbError("KB_MODEL_UNKNOWN", `${JSON.stringify(revision)} is not a revision of ${model}`, {
      hint: "Name a branch, a tag or a commit without a slash in it, such as main.",
    });
  return join(modelsFolder(cacheDirectory), ...parts, revision);
}

/** Where the cache keeps its models, as `<org>/<name>/<revision>`. */
export function modelsFolder(cacheDirectory: string): string {
  return join(cacheDirectory, "models");
}

/** @throws KbError KB_MODEL_UNKNOWN where the path of a file could lead out of the model's folder */
export function checkFileNames({ model, files, optionalFiles }: ModelRequest): void {
  for (const file of [...files, ...optionalFiles])
    if (!isFileName(file))
      throw new KbError("KB_MODEL_UNKNOWN", `${JSON.stringify(file)} is not the path of a file of ${model}`, {
        hint: "Give paths within the model, with / between folders, such as onnx/model.onnx.",
      });
}

/** Whether a path stays within the folder of a model, on every platform. */
export function isFileName(file: string): boolean {
  const parts = file.split("/");
  return parts.length <= 4 && parts.every(isSafe) && !reserved.test(file);
}

/** A model as messages name it: a folder by its last part, since messages tell no place of the machine. */
export function nameOf(model: string): string {
  return localFolderOf(model) === undefined
    ? model
    : `the folder ${model.split(/[/\\]/u).findLast(Boolean) ?? model}`;
}
