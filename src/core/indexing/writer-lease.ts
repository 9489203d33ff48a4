// One writer for each index: a lease file in the index directory, renewed by a heartbeat. It says who writes,
// so that the others can tell their users. It never guards reading.
import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { copyFile, link, mkdir, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isKbError, KbError } from "../errors.js";
import { makeDirectory } from "./make-directory.js";
import { leaseStaleMs, readLease, type Lease, type LeaseHolder } from "./lease-file.js";

const fileName = "writer.lease";
const takeoverSuffix = ".takeover";
/** How often a holder renews its lease. */
const heartbeatMs = 2_000;
/** Attempts to take a lease while others remove a dead one, and the pause between them. */
const takeoverRounds = 10;
const takeoverPauseMs = 20;

export interface WriterLease {
  /** Aborted when another process has taken the lease, which it does when this one stood still for long. */
  readonly lost: AbortSignal;
  release(): Promise<void>;
}

/**
 * Takes the lease of an index directory.
 * @param beatMs milliseconds between two renewals
 * @throws KbError KB_STORE_BUSY when another live process (or another run in this one) holds it;
 * KB_CONFIG_DATA_DIRECTORY when the directory cannot be written
 */
export async function acquireWriterLease(
  indexDirectory: string,
  beatMs: number = heartbeatMs,
): Promise<WriterLease> {
  const path = join(indexDirectory, fileName);
  const lease: Lease = { pid: process.pid, host: hostname(), startedAt: Date.now(), token: randomUUID() };
  const draft = `${path}.${lease.token}`;
  try {
    await makeDirectory(indexDirectory);
    await writeFile(draft, JSON.stringify(lease), { flag: "wx" });
    try {
      await take(path, draft);
    } finally {
      await rm(draft, { force: true });
    }
    await removeOldDrafts(indexDirectory);
  } catch (error) {
    if (isKbError(error)) throw error;
    const reason = (error as NodeJS.ErrnoException).code ?? "unknown reason";
    throw new KbError(
      "KB_CONFIG_DATA_DIRECTORY",
      `The index directory ${indexDirectory} cannot be written (${reason})`,
      { cause: error },
    );
  }
  return held(path, lease.token, beatMs);
}

async function take(path: string, draft: string): Promise<void> {
  for (let round = 0; round < takeoverRounds; round++) {
    if (await takeIfFree(draft, path)) return;
    await removeIfDead(path);
    if (round > 0) await sleep(takeoverPauseMs);
  }
  throw busy((await readLease(path))?.lease);
}

/** The live holder of an index directory's lease, or undefined. */
export async function writerLeaseHolder(indexDirectory: string): Promise<LeaseHolder | undefined> {
  // Who cannot even read the lease learns so from whatever it does next.
  const reading = await readLease(join(indexDirectory, fileName)).catch(() => undefined);
  return reading?.alive === true ? reading.lease : undefined;
}

/** Makes the draft the lease, unless there is one. By a hard link, a lease appears with all of its content. */
async function takeIfFree(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return false;
    if (code === "EPERM" || code === "ENOTSUP" || code === "ENOSYS") return copyIfFree(draft, path);
    throw error;
  }
}

/** For file systems without hard links. Until its content is there, a lease counts as alive. */
async function copyIfFree(draft: string, path: string): Promise<boolean> {
  try {
    await copyFile(draft, path, constants.COPYFILE_EXCL);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/**
 * Removes a lease whose holder is gone. Only one process at a time may judge and remove, else a slow one could
 * remove the lease that a quick one has just taken; and only what was seen and judged is removed, else it could
 * be a lease that was taken since.
 */
async function removeIfDead(path: string): Promise<void> {
  if (!(await isDead(path))) return;
  const takeover = `${path}${takeoverSuffix}`;
  try {
    await mkdir(takeover);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    // It takes milliseconds; one that is old was left by a crash.
    if (await isOld(takeover)) await rm(takeover, { recursive: true, force: true });
    return;
  }
  try {
    if (await isDead(path)) await rm(path, { force: true });
  } finally {
    await rm(takeover, { recursive: true, force: true });
  }
}

/** False if there is no lease. @throws KbError KB_STORE_BUSY if it is alive */
async function isDead(path: string): Promise<boolean> {
  const reading = await readLease(path);
  if (reading?.alive === true) throw busy(reading.lease);
  return reading !== undefined;
}

/** Drafts of processes that were killed while they took the lease. */
async function removeOldDrafts(indexDirectory: string): Promise<void> {
  for (const name of await readdir(indexDirectory)) {
    if (!name.startsWith(`${fileName}.`) || name.endsWith(takeoverSuffix)) continue;
    const draft = join(indexDirectory, name);
    if (await isOld(draft)) await rm(draft, { force: true });
  }
}

async function isOld(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs > leaseStaleMs;
}

function held(path: string, token: string, beatMs: number): WriterLease {
  const lost = new AbortController();
  const beat = async (): Promise<void> => {
    const reading = await readLease(path);
    // One that is gone was taken over too, and given up again since.
    if (reading?.lease?.token !== token) {
      lost.abort();
      return;
    }
    const now = new Date();
    await utimes(path, now, now);
  };
  const heartbeat = setInterval(() => {
    // A missed beat is no harm; the lease is judged by several.
    beat().catch(() => undefined);
  }, beatMs);
  heartbeat.unref();
  return {
    lost: lost.signal,
    async release() {
      clearInterval(heartbeat);
      // What cannot be removed now is dead soon.
      const reading = await readLease(path).catch(() => undefined);
      if (reading?.lease?.token === token) await rm(path, { force: true });
    },
  };
}

function busy(lease: Lease | undefined): KbError {
  if (lease === undefined) return new KbError("KB_STORE_BUSY", "Another process has just started to index");
  const seconds = Math.max(0, Math.round((Date.now() - lease.startedAt) / 1000));
  const who = lease.pid === process.pid ? "This process" : `Another kb-mcp process (pid ${lease.pid})`;
  return new KbError(
    "KB_STORE_BUSY",
    `${who} has been indexing this knowledge base for ${seconds} s; only one can at a time`,
  );
}
