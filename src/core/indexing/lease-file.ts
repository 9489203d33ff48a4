// The lease file of an index: what it says, and whether who wrote it is still there. Changes nothing on disk.
import { open } from "node:fs/promises";
import { hostname } from "node:os";

/**
 * Milliseconds after which a lease that was not renewed is dead: several heartbeats, so that a busy machine
 * loses none.
 */
export const leaseStaleMs = 15_000;

/** Who holds the lease. */
export interface LeaseHolder {
  readonly pid: number;
  readonly host: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
}

export interface Lease extends LeaseHolder {
  /** Tells this lease from every other, of the same process too. */
  readonly token: string;
}

/** A lease file as it was at one moment: content and time of one and the same file. */
export interface LeaseReading {
  /** Undefined if the file holds no lease: it is being written, or was damaged. */
  readonly lease: Lease | undefined;
  readonly alive: boolean;
}

/** Reads and judges a lease file; undefined if there is none. */
export async function readLease(path: string): Promise<LeaseReading | undefined> {
  let handle;
  try {
    handle = await open(path, "r");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  try {
    const { mtimeMs } = await handle.stat();
    const lease = parseLease(await handle.readFile("utf8"));
    return { lease, alive: isAlive(lease, mtimeMs) };
  } finally {
    await handle.close();
  }
}

function parseLease(text: string): Lease | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isLease(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isLease(value: unknown): value is Lease {
  const lease = value as Partial<Lease> | null;
  return (
    typeof lease === "object" &&
    typeof lease?.pid === "number" &&
    typeof lease.host === "string" &&
    typeof lease.startedAt === "number" &&
    typeof lease.token === "string"
  );
}

/** A process of another machine can only be judged by its heartbeat, and so can a file that names none. */
function isAlive(lease: Lease | undefined, renewedMs: number): boolean {
  if (Date.now() - renewedMs > leaseStaleMs) return false;
  return lease === undefined || lease.host !== hostname() || processExists(lease.pid);
}

function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
