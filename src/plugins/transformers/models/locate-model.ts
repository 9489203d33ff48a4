// Finds the folder of a model, and fetches what is not there yet where that is allowed.
import { stat } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { KbError } from "../../../core/plugin-api.js";
import { waysOut } from "./download-failure.js";
import { usualLimits } from "./download-limits.js";
import { downloadModel } from "./download-model.js";
import {
  cacheFolderOf,
  checkFileNames,
  localFolderOf,
  nameOf,
  type ModelContext,
  type ModelRequest,
} from "./model-request.js";
import { modelState, sizeOf } from "./model-state.js";
import { sharedDownload } from "./shared-download.js";

/**
 * Looks at the sizes of the files only: a damaged file of the right size is found by `kb-mcp models verify`.
 * @returns the absolute path of the folder, in which all of `files` are whole
 * @throws KbError KB_MODEL_UNKNOWN, KB_MODEL_MISSING, KB_MODEL_DOWNLOAD, KB_MODEL_INVALID, KB_CANCELLED
 */
export async function locateModel(request: ModelRequest, context: ModelContext): Promise<string> {
  checkFileNames(request);
  const local = localFolderOf(request.model, context.configDirectory);
  if (local !== undefined) return checkedFolder(local, request);
  const folder = cacheFolderOf(context.cacheDirectory, request);
  const { missing, damaged } = await modelState(folder, request);
  if (damaged.length > 0)
    throw new KbError(
      "KB_MODEL_INVALID",
      `The model ${request.model} is damaged on this machine: ${damaged.join(", ")}`,
      { hint: `Run kb-mcp models pull ${request.model}, which fetches again what is damaged.` },
    );
  // Without optional files a model works: for them alone nothing is downloaded.
  if (!missing.some((file) => request.files.includes(file))) return folder;
  if (context.configDirectory !== undefined && (await isFolder(join(context.configDirectory, request.model))))
    throw new KbError("KB_MODEL_UNKNOWN", `${request.model} is a folder here, and the id of a model there`, {
      hint: `Write "./${request.model}" as model in kb-mcp.toml to use the folder.`,
    });
  if (!context.allowDownload)
    throw new KbError("KB_MODEL_MISSING", `The model ${request.model} is not on this machine`, {
      hint: waysOut,
    });
  await completeModel(request, context, folder, []);
  return folder;
}

/**
 * Fetches what is missing, and `again` in any case.
 * @throws as `locateModel`
 */
export async function completeModel(
  request: ModelRequest,
  { mirror, logger, limits, progress, signal }: ModelContext,
  folder: string,
  again: readonly string[],
): Promise<void> {
  const { files, optionalFiles } = request;
  const key = JSON.stringify([folder, files, optionalFiles, mirror, again]);
  await sharedDownload(key, { progress, signal }, (shared, stop) =>
    downloadModel({
      request,
      folder,
      mirror,
      again,
      limits: { ...usualLimits, ...limits },
      logger,
      progress: shared,
      signal: stop,
    }),
  );
}

async function checkedFolder(folder: string, { model, files }: ModelRequest): Promise<string> {
  if (!(await isFolder(folder)))
    throw new KbError("KB_MODEL_MISSING", `There is no folder ${isAbsolute(model) ? nameOf(model) : model}`, {
      hint: "Correct model in kb-mcp.toml; a relative path counts from the folder of that file.",
    });
  for (const file of files)
    if ((await sizeOf(join(folder, ...file.split("/")))) === undefined)
      throw new KbError("KB_MODEL_MISSING", `There is no file ${file} in ${nameOf(model)}`, {
        hint: "Copy all files of the model into the folder that model names, those in the folder onnx too.",
      });
  return folder;
}

async function isFolder(place: string): Promise<boolean> {
  return stat(place).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
