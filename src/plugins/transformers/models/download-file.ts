// Fetches one file: goes on where an earlier try stopped, tries again what may go better, lets nothing through that
// is not what the server announced.
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { KbError, type Logger } from "../../../core/plugin-api.js";
import { DownloadFailure, failureOfConnection, failureOfDisk } from "./download-failure.js";
import type { DownloadLimits } from "./download-limits.js";
import { contentProblem, digestsOf, matchesDigest, webPageProblem } from "./file-content.js";
import type { ManifestFile } from "./manifest.js";
import { openFile, webPage, type FileQuestion } from "./open-file.js";
import { PartFile } from "./part-file.js";

export interface FileDownload extends FileQuestion {
  readonly folder: string;
  readonly limits: DownloadLimits;
  readonly logger: Logger;
  /**
   * Told how many bytes of the file are there, and how many it has where that is known.
   * @throws KbError where they are too many
   */
  readonly count: (bytes: number, size: number | undefined) => void;
}

/** @throws KbError KB_MODEL_*; what the signal was aborted with */
export async function downloadFile(download: FileDownload): Promise<ManifestFile> {
  const { file, folder, limits, logger, signal } = download;
  const part = new PartFile(join(folder, ...file.split("/")));
  await part.find();
  let received = 0;
  let rejected = false;
  for (let failed = 0; ;) {
    let receivedNow = 0;
    try {
      return await attempt(download, part, (bytes) => (receivedNow += bytes));
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof DownloadFailure)) throw failureOfDisk(error) ?? error;
      received += receivedNow;
      if (receivedNow >= limits.progressBytes) failed = 0;
      failed++;
      const isWorthATry =
        error.kind === "transient" ||
        (error.kind === "offline" && received > 0) ||
        (error.kind === "rejected" && !rejected);
      if (!isWorthATry || failed >= limits.tries) throw error.error;
      rejected ||= error.kind === "rejected";
      const ms = Math.min(error.waitMs ?? limits.firstWaitMs * 2 ** (failed - 1), limits.longestWaitMs);
      logger.info(
        `${error.message}; trying again in ${(ms / 1000).toFixed(1)} s (${failed} of ${limits.tries - 1})`,
      );
      await wait(ms, undefined, { signal });
    }
  }
}

async function attempt(
  download: FileDownload,
  part: PartFile,
  onBytes: (bytes: number) => void,
): Promise<ManifestFile> {
  if (part.size === 0 || part.size !== part.facts.size) await receive(download, part, onBytes);
  const { folder, file, limits, signal, source } = download;
  const { size, digest, commit } = part.facts;
  download.count(part.size, size);
  const reject = async (why: string): Promise<DownloadFailure> => {
    await part.clear();
    return rejection(`${file} from ${source.host} ${why}`);
  };
  const problem = await contentProblem(part.path, file, limits.jsonBytes);
  if (problem === webPageProblem) {
    await part.clear();
    throw webPage(download);
  }
  if (size !== undefined && part.size !== size)
    throw await reject(`has ${part.size} bytes instead of ${size}`);
  const digests = await digestsOf(part.path, part.size, signal);
  if (digest !== undefined && !matchesDigest(digests, digest))
    throw await reject("is damaged: its digest is not the one that was announced");
  if (problem !== undefined) throw await reject(problem);
  await part.finish();
  download.logger.debug(`fetched ${file} into ${folder}`);
  return { size: digests.size, sha256: digests.sha256, ...(commit !== undefined && { commit }) };
}

/** Brings the part to what the server sends, from where it ends. */
async function receive(
  download: FileDownload,
  part: PartFile,
  onBytes: (bytes: number) => void,
): Promise<void> {
  if (!part.canContinue) await part.clear();
  const { validator, digest } = part.facts;
  const from =
    part.size === 0 ? undefined : { offset: part.size, ...(validator !== undefined && { validator }) };
  const { facts, start, body } = await openFile(download, from);
  const isSame = digest === undefined || facts.digest === undefined || digest === facts.digest;
  if (start !== part.size || !isSame) {
    await part.clear();
    if (start !== 0) {
      body.destroy();
      throw new DownloadFailure(
        "transient",
        new KbError("KB_MODEL_DOWNLOAD", `${download.source.host} cannot go on with ${download.file}`),
      );
    }
  }
  let before = part.size;
  const count = (size: number): void => {
    onBytes(size - before);
    before = size;
    if (facts.size !== undefined && size > facts.size)
      throw rejection(`${download.file} from ${download.source.host} is longer than announced`);
    download.count(size, facts.size);
  };
  try {
    await part.append(body, facts, count);
  } catch (error) {
    body.destroy();
    if (error instanceof DownloadFailure && error.kind === "rejected") await part.clear();
    if (failureOfDisk(error) !== undefined || isOwn(error)) throw error;
    throw failureOfConnection(error, download.source.host);
  }
}

function rejection(message: string): DownloadFailure {
  return new DownloadFailure(
    "rejected",
    new KbError("KB_MODEL_DOWNLOAD", message, {
      hint: "Run kb-mcp models pull again; if it stays, something between you and the server changes files, or the mirror holds a bad copy.",
    }),
  );
}

function isOwn(error: unknown): boolean {
  return error instanceof KbError || error instanceof DownloadFailure;
}
