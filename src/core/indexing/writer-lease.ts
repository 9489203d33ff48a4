// One writer for each index: a lease file in the index directory, renewed by a heartbeat. It says who writes,
// so that the others can tell their users. It never guards reading.
import { randomUUID } from "node:crypto";
import { link, mkdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { KbError } from "../errors.js";

const fileName = "writer.lease";
/** How often a holder renews its lease. */
const heartbeatMs = 2_000;
/** A lease that was not renewed for so long is dead: several heartbeats, so that a busy machine loses none. */
const staleMs = 15_000;
/** Attempts to take a lease while others remove a dead one, and the pause between them. */
const takeoverRounds = 10;
const takeoverPauseMs = 20;

/** Who holds the lease. */
export interface LeaseHolder {
  readonly pid: number;
  readonly host: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
}

interface LeaseFile extends LeaseHolder {
  readonly token: string;
}

export interface WriterLease {
  release(): Promise<void>;
}

/**
 * Takes the lease of an index directory.
 * @throws KbError KB_STORE_BUSY when another live process (or another run in this one) holds it;
 * KB_CONFIG_DATA_DIRECTORY when the directory cannot be written
 */
export async function acquireWriterLease(indexDirectory: string): Promise<WriterLease> {
  const path = join(indexDirectory, fileName);
  const token = randomUUID();
  const draft = join(indexDirectory, `${fileName}.${token}`);
  const mine: LeaseFile = { pid: process.pid, host: hostname(), startedAt: Date.now(), token };
  try {
    await mkdir(indexDirectory, { recursive: true });
    await writeFile(draft, JSON.stringify(mine), { flag: "wx" });
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? "unknown reason";
    throw new KbError(
      "KB_CONFIG_DATA_DIRECTORY",
      `The index directory ${indexDirectory} cannot be written (${reason})`,
      {
        cause: error,
      },
    );
  }
  try {
    for (let round = 0; round < takeoverRounds; round++) {
      if (await linkIfFree(draft, path)) return held(path, token);
      await removeIfDead(path);
      if (round > 0) await sleep(takeoverPauseMs);
    }
  } finally {
    await rm(draft, { force: true });
  }
  throw busy(await readLease(path));
}

/** The live holder of an index directory's lease, or undefined. */
export async function writerLeaseHolder(indexDirectory: string): Promise<LeaseHolder | undefined> {
  const path = join(indexDirectory, fileName);
  const lease = await readLease(path);
  return lease !== undefined && (await isAlive(path, lease)) ? lease : undefined;
}

/** A hard link is the one file operation that fails when its target exists, on every platform. */
async function linkIfFree(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/**
 * Removes a lease whose holder is gone. Only one process at a time may judge and remove, else a slow one could
 * remove the lease that a quick one has just taken.
 */
async function removeIfDead(path: string): Promise<void> {
  await refuseIfAlive(path);
  const takeover = `${path}.takeover`;
  try {
    await mkdir(takeover);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    const started = await stat(takeover).catch(() => undefined);
    // It takes milliseconds; one that is this old was left by a crash.
    if (started !== undefined && Date.now() - started.mtimeMs > staleMs) await removeFolder(takeover);
    return;
  }
  try {
    await refuseIfAlive(path);
    await rm(path, { force: true });
  } finally {
    await removeFolder(takeover);
  }
}

async function refuseIfAlive(path: string): Promise<void> {
  const lease = await readLease(path);
  if (lease !== undefined && (await isAlive(path, lease))) throw busy(lease);
}

async function removeFolder(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true });
}

async function readLease(path: string): Promise<LeaseFile | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(path, "utf8"));
    return isLeaseFile(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isLeaseFile(value: unknown): value is LeaseFile {
  const lease = value as Partial<LeaseFile> | null;
  return (
    typeof lease === "object" &&
    typeof lease?.pid === "number" &&
    typeof lease.host === "string" &&
    typeof lease.startedAt === "number" &&
    typeof lease.token === "string"
  );
}

async function isAlive(path: string, lease: LeaseFile): Promise<boolean> {
  const renewed = await stat(path).catch(() => undefined);
  if (renewed === undefined || Date.now() - renewed.mtimeMs > staleMs) return false;
  return lease.host !== hostname() || processExists(lease.pid);
}

function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function held(path: string, token: string): WriterLease {
  const heartbeat = setInterval(() => {
    const now = new Date();
    // A missed beat is no harm; the lease is judged by several.
    utimes(path, now, now).catch(() => undefined);
  }, heartbeatMs);
  heartbeat.unref();
  return {
    async release() {
      clearInterval(heartbeat);
      if ((await readLease(path))?.token === token) await rm(path, { force: true });
    },
  };
}

function busy(lease: LeaseFile | undefined): KbError {
  if (lease === undefined) return new KbError("KB_STORE_BUSY", "Another process has just started to index");
  const seconds = Math.max(0, Math.round((Date.now() - lease.startedAt) / 1000));
  const who = lease.pid === process.pid ? "This process" : `Another kb-mcp process (pid ${lease.pid})`;
  return new KbError(
    "KB_STORE_BUSY",
    `${who} has been indexing this knowledge base for ${seconds} s; only one can at a time`,
  );
}
