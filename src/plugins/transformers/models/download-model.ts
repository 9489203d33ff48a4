// Fetches what is missing of a model into its folder and writes it into the manifest, file by file.
import { rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { KbError, type Logger, type PluginHost } from "../../../core/plugin-api.js";
import { downloadFile } from "./download-file.js";
import { DownloadFailure, failureOfDisk } from "./download-failure.js";
import type { DownloadLimits } from "./download-limits.js";
import { withDownloadLock } from "./download-lock.js";
import { httpClient, type HttpClient } from "./http-client.js";
import { makeFolder } from "./make-folder.js";
import { writeManifest, type Manifest, type ManifestFile } from "./manifest.js";
import type { ModelRequest } from "./model-request.js";
import { modelSource, type ModelSource } from "./model-source.js";
import { modelState } from "./model-state.js";
import { askFile, type FileQuestion } from "./open-file.js";
import { Tally } from "./tally.js";

export interface ModelDownload {
  readonly request: ModelRequest;
  readonly folder: string;
  readonly mirror: string | undefined;
  readonly limits: DownloadLimits;
  readonly logger: Logger;
  readonly progress: PluginHost["progress"];
  readonly signal: AbortSignal;
  /** Files to fetch again though they are here. */
  readonly again?: readonly string[];
}

/** @throws KbError KB_MODEL_*, KB_CANCELLED */
export async function downloadModel(download: ModelDownload): Promise<void> {
  const { request, folder, limits, logger, signal } = download;
  const source = modelSource(download.mirror);
  try {
    await makeFolder(folder);
    const onWait = (): void => logger.info(`waiting for another process that downloads ${request.model}`);
    await withDownloadLock(join(folder, "download.lock"), limits.lock, signal, onWait, async (locked) => {
      const client = await httpClient(limits.stallMs);
      try {
        await fetchMissing({ ...download, signal: locked }, source, client);
      } finally {
        await client.close();
      }
    });
  } catch (error) {
    await removeEmpty(folder);
    if (signal.aborted) throw new KbError("KB_CANCELLED", `The download of ${request.model} was cancelled`);
    throw failureOfDisk(error) ?? error;
  }
}

/** Leaves no trace of a model that could not be fetched: folders that hold something are not removed by this. */
async function removeEmpty(folder: string): Promise<void> {
  for (const path of [folder, dirname(folder), dirname(dirname(folder))])
    await rmdir(path).catch(() => undefined);
}

async function fetchMissing(download: ModelDownload, source: ModelSource, client: HttpClient): Promise<void> {
  const { request, folder, again = [] } = download;
  const { manifest: found, missing, damaged } = await modelState(folder, request);
  const wanted = new Set([...missing, ...damaged, ...again]);
  let manifest: Manifest = {
    model: request.model,
    revision: request.revision,
    source: source.name,
    files: without(found?.files ?? {}, wanted),
    absent: (found?.absent ?? []).filter((file) => !wanted.has(file)),
  };
  // A file that is to be replaced stops counting as whole before it is touched.
  if (found !== undefined && wanted.size > 0) await writeManifest(folder, manifest);
  for (let round = 0; wanted.size > 0; round++) {
    manifest = await fetchFiles(download, source, client, manifest, [...wanted]);
    wanted.clear();
    // A branch that moved on while its files were fetched: those of the earlier commit are fetched again, once.
    for (const file of round === 0 ? ofEarlierCommit(manifest, request) : []) wanted.add(file);
    manifest = { ...manifest, files: without(manifest.files, wanted) };
  }
}

async function fetchFiles(
  download: ModelDownload,
  source: ModelSource,
  client: HttpClient,
  before: Manifest,
  wanted: readonly string[],
): Promise<Manifest> {
  const { request, folder, limits, logger, signal } = download;
  const question = (file: string): FileQuestion => ({ client, source, request, file, signal });
  const sizes = await announcedSizes(wanted, question);
  const total = new Tally(request, limits.modelBytes, download.progress, wanted, sizes);
  let manifest = before;
  for (const file of inOrder(wanted, request, sizes)) {
    const entry = await downloadFile({
      ...question(file),
      folder,
      limits,
      logger,
      count: (bytes, size) => total.count(file, bytes, size),
    }).catch((error: unknown) => {
      const isOptional = !request.files.includes(file);
      if (isOptional && error instanceof KbError && error.code === "KB_MODEL_UNKNOWN") return undefined;
      throw error;
    });
    if (entry === undefined) total.drop(file);
    manifest =
      entry === undefined
        ? { ...manifest, absent: [...manifest.absent, file] }
        : { ...manifest, files: { ...manifest.files, [file]: entry } };
    if (Object.keys(manifest.files).length > 0) await writeManifest(folder, manifest);
  }
  total.end();
  return manifest;
}

/**
 * Files that are not needed first: where the needed ones are here, the others were looked for. Then those of which the
 * server told no size: if one is not there, nothing large is fetched in vain.
 */
function inOrder(
  wanted: readonly string[],
  { files }: ModelRequest,
  sizes: ReadonlyMap<string, number>,
): string[] {
  const rank = (file: string): number => (!files.includes(file) ? 0 : sizes.has(file) ? 2 : 1);
  return wanted.toSorted((a, b) => rank(a) - rank(b));
}

/**
 * Asks for the sizes, so that progress knows the whole. What fails here fails again, with its reason, when the file
 * is fetched; but where nobody can be reached, that is said at once.
 */
async function announcedSizes(
  files: readonly string[],
  question: (file: string) => FileQuestion,
): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  for (const file of files)
    try {
      const { size } = await askFile(question(file));
      if (size !== undefined) sizes.set(file, size);
    } catch (error) {
      if (!(error instanceof DownloadFailure)) throw error;
      if (error.kind === "offline") throw error.error;
      // A server that stalls now would do so for each of them.
      if (error.kind === "transient") break;
    }
  return sizes;
}

function without(
  files: Readonly<Record<string, ManifestFile>>,
  names: ReadonlySet<string>,
): Record<string, ManifestFile> {
  return Object.fromEntries(Object.entries(files).filter(([name]) => !names.has(name)));
}

/** The files that were asked for and come from another commit than the one that was fetched last. */
function ofEarlierCommit({ files }: Manifest, request: ModelRequest): string[] {
  const asked = Object.entries(files).filter(([name]) =>
    [...request.files, ...request.optionalFiles].includes(name),
  );
  const latest = asked.at(-1)?.[1].commit;
  return asked
    .filter(([, { commit }]) => commit !== undefined && latest !== undefined && commit !== latest)
    .map(([name]) => name);
}
