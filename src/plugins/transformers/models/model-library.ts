// The models of a plugin on this machine, for `kb-mcp models`: what is here, fetching, checking.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { KbError, type ModelCheck, type ModelEntry, type ModelLibrary } from "../../../core/plugin-api.js";
import { usualLimits } from "./download-limits.js";
import { contentProblem, digestsOf } from "./file-content.js";
import { completeModel, locateModel } from "./locate-model.js";
import { readManifest } from "./manifest.js";
import {
  cacheFolderOf,
  checkFileNames,
  localFolderOf,
  modelsFolder,
  type ModelContext,
  type ModelRequest,
} from "./model-request.js";
import { bytesIn, modelState, sizeOf } from "./model-state.js";

export interface ModelLibraryParts {
  /** What the options of the plugin name. */
  readonly chosen: ModelRequest;
  /** The models that the plugin knows, in the order in which they are to be listed. */
  readonly known: readonly { readonly model: string; readonly description: string }[];
  /** What another model than the chosen one needs. */
  readonly requestFor: (model: string) => ModelRequest;
  readonly context: Omit<ModelContext, "signal" | "allowDownload">;
}

/** A model on this machine: what is asked of it where the plugin knows that, else what its manifest lists. */
interface Held {
  readonly request: ModelRequest;
  readonly folder: string;
}

export function createModelLibrary({ chosen, known, requestFor, context }: ModelLibraryParts): ModelLibrary {
  const descriptions = new Map(known.map(({ model, description }) => [model, description]));
  const requestOf = (model: string): ModelRequest => (model === chosen.model ? chosen : requestFor(model));

  const heldOf = (request: ModelRequest): Held => {
    checkFileNames(request);
    return {
      request,
      folder:
        localFolderOf(request.model, context.configDirectory) ??
        cacheFolderOf(context.cacheDirectory, request),
    };
  };

  const entryOf = async ({ request, folder }: Held): Promise<ModelEntry> => {
    const description = descriptions.get(request.model);
    const isLocal = localFolderOf(request.model) !== undefined;
    const { missing, damaged } = isLocal
      ? { missing: await missingIn(folder, request.files), damaged: [] }
      : await modelState(folder, request);
    const bytes = await bytesIn(folder);
    return {
      model: request.model,
      ...(description !== undefined && { description }),
      present: damaged.length === 0 && !missing.some((file) => request.files.includes(file)),
      ...(bytes !== undefined && { bytes, folder }),
    };
  };

  /** The chosen model, those that are known, and whatever else is in the cache. */
  const all = async (): Promise<Held[]> => {
    const held = [
      chosen,
      ...known.filter(({ model }) => model !== chosen.model).map(({ model }) => requestFor(model)),
    ].map(heldOf);
    const folders = new Set(held.map(({ folder }) => folder));
    const others = await foldersOf(modelsFolder(context.cacheDirectory));
    for (const folder of others.filter((other) => !folders.has(other))) {
      const manifest = await readManifest(folder);
      if (manifest === undefined || Object.keys(manifest.files).length === 0) continue;
      const { model, revision, files } = manifest;
      held.push({ request: { model, revision, files: Object.keys(files), optionalFiles: [] }, folder });
    }
    return held;
  };

  return {
    list: async () => Promise.all((await all()).map(entryOf)),

    async pull(model, signal) {
      const held = heldOf(requestOf(model ?? chosen.model));
      const { request, folder } = held;
      const here = { ...context, signal, allowDownload: true };
      if (localFolderOf(request.model) !== undefined) await locateModel(request, here);
      else {
        const { manifest, missing } = await modelState(folder, request);
        const bad = [];
        for (const [file, { sha256 }] of Object.entries(manifest?.files ?? {}))
          if ((await fileProblem(folder, file, sha256, signal)) !== undefined) bad.push(file);
        if (missing.length > 0 || bad.length > 0) await completeModel(request, here, folder, bad);
      }
      return entryOf(held);
    },

    async verify(model, signal) {
      const held =
        model === undefined ? await all() : (await all()).filter(({ request }) => request.model === model);
      if (model !== undefined && held.length === 0) held.push(heldOf(requestOf(model)));
      const checks: ModelCheck[] = [];
      for (const one of held) {
        const entry = await entryOf(one);
        // What is not here at all is nothing wrong, unless it was asked for.
        if (
          entry.folder === undefined &&
          model === undefined &&
          localFolderOf(one.request.model) === undefined
        )
          continue;
        checks.push({ entry, problems: await problemsOf(one, signal) });
      }
      return checks;
    },
  };
}

async function problemsOf({ request, folder }: Held, signal: AbortSignal): Promise<string[]> {
  const manifest = await readManifest(folder);
  const problems: string[] = [];
  const isLocal = localFolderOf(request.model) !== undefined;
  const listed = Object.entries(manifest?.files ?? {});
  const unlisted = request.files.filter((file) => manifest?.files[file] === undefined);
  if (!isLocal && listed.length === 0)
    return [`It is not on this machine: kb-mcp models pull ${request.model}`];
  for (const [file, { sha256 }] of listed) {
    const problem = await fileProblem(folder, file, sha256, signal);
    if (problem !== undefined) problems.push(`${file} ${problem}`);
  }
  for (const file of unlisted) {
    // Of the files of a folder that kb-mcp did not fill nobody knows the digests.
    const problem = isLocal ? await fileProblem(folder, file, undefined, signal) : "is not here yet";
    if (problem !== undefined) problems.push(`${file} ${problem}`);
  }
  return problems;
}

async function fileProblem(
  folder: string,
  file: string,
  sha256: string | undefined,
  signal: AbortSignal,
): Promise<string | undefined> {
  const path = join(folder, ...file.split("/"));
  try {
    const size = await sizeOf(path);
    if (size === undefined) return "is missing";
    if (sha256 === undefined) {
      return await contentProblem(path, file, usualLimits.jsonBytes);
    }
    return (await digestsOf(path, size, signal)).sha256 === sha256
      ? undefined
      : "is damaged: it holds something else than what was fetched";
  } catch (error) {
    if (signal.aborted) throw new KbError("KB_CANCELLED", "Checking the models was cancelled");
    return `cannot be read (${(error as NodeJS.ErrnoException).code ?? "unknown reason"})`;
  }
}

async function missingIn(folder: string, files: readonly string[]): Promise<string[]> {
  const sizes = await Promise.all(files.map((file) => sizeOf(join(folder, ...file.split("/")))));
  return files.filter((_, index) => sizes[index] === undefined);
}

/** The folders `<org>/<name>/<revision>` in the cache, in order of their names. */
async function foldersOf(root: string): Promise<string[]> {
  let folders = [root];
  for (let level = 0; level < 3; level++) {
    const inside = await Promise.all(
      folders.map(async (folder) => {
        const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
          if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
          throw error;
        });
        return entries
          .filter((entry) => entry.isDirectory())
          .map(({ name }) => join(folder, name))
          .sort();
      }),
    );
    folders = inside.flat();
  }
  return folders;
}
