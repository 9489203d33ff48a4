// Lets one process at a time fetch a model into its folder: a file with a heartbeat, since a process may be killed.
import { randomUUID } from "node:crypto";
import { link, open, readFile, rename, rm, stat, utimes } from "node:fs/promises";
import { hostname } from "node:os";
import { setTimeout as wait } from "node:timers/promises";
import { KbError } from "../../../core/plugin-api.js";
import type { LockTimes } from "./download-limits.js";

/** Milliseconds between two looks at a lock that another holds. */
const lookMs = 200;

/** The locks of this process, which may have the number of one that was killed. */
const own = new Set<string>();

interface Holder {
  readonly token: string;
  readonly pid: number;
  readonly host: string;
}

/**
 * Runs `run` while no other holds the lock at `path`.
 * @param onWait called once if another holds it
 * @param run its signal is aborted, too, where the lock was taken away, as after the machine had slept
 */
export async function withDownloadLock<T>(
  path: string,
  times: LockTimes,
  signal: AbortSignal,
  onWait: () => void,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const token = randomUUID();
  own.add(token);
  try {
    await acquire(path, { token, pid: process.pid, host: hostname() }, times, signal, onWait);
    const lost = new AbortController();
    const beat = setInterval(() => void renew(path, token, lost), times.beatMs);
    beat.unref();
    try {
      return await run(AbortSignal.any([signal, lost.signal]));
    } catch (error) {
      lost.signal.throwIfAborted();
      throw error;
    } finally {
      clearInterval(beat);
      if ((await holderOf(path))?.token === token) await rm(path, { force: true });
    }
  } finally {
    own.delete(token);
  }
}

async function acquire(
  path: string,
  holder: Holder,
  times: LockTimes,
  signal: AbortSignal,
  onWait: () => void,
): Promise<void> {
  // The clock of the file's disk may differ from ours: what counts is how long nothing was seen to change.
  let seen = "";
  let since = 0;
  for (let waited = false; ;) {
    signal.throwIfAborted();
    if (await create(path, holder)) return;
    const other = await holderOf(path);
    const mark = `${other?.token ?? ""} ${await beatOf(path)}`;
    if (mark !== seen) [seen, since] = [mark, performance.now()];
    const silentMs = performance.now() - since;
    if (silentMs > (other !== undefined && isGone(other) ? times.goneMs : times.silentMs))
      await remove(path, other?.token);
    else {
      if (!waited) onWait();
      waited = true;
      await wait(lookMs, undefined, { signal });
    }
  }
}

async function create(path: string, holder: Holder): Promise<boolean> {
  let handle;
  try {
    handle = await open(path, "wx");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
  try {
    await handle.writeFile(JSON.stringify(holder));
  } finally {
    await handle.close();
  }
  return true;
}

/** Takes a left-over lock away. Another may do so at the same time and hold the lock by now: then it is put back. */
async function remove(path: string, token: string | undefined): Promise<void> {
  const aside = `${path}.${randomUUID()}.part`;
  try {
    await rename(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw error;
  }
  if ((await holderOf(aside))?.token !== token) await link(aside, path).catch(() => undefined);
  await rm(aside, { force: true });
}

async function renew(path: string, token: string, lost: AbortController): Promise<void> {
  try {
    const holder = await holderOf(path);
    if (holder?.token === token) await utimes(path, new Date(), new Date());
    else if (holder !== undefined)
      lost.abort(new KbError("KB_MODEL_DOWNLOAD", "Another process of kb-mcp took over the download"));
  } catch {
    // A disk that fails for a moment: the next beat tries again, and the download itself says what is wrong.
  }
}

/** Undefined where there is no lock, or one that is just being written. */
async function holderOf(path: string): Promise<Holder | undefined> {
  try {
    const value = JSON.parse(await readFile(path, "utf8")) as Partial<Holder> | null;
    const { token, pid, host } = value ?? {};
    return typeof token === "string" && typeof pid === "number" && typeof host === "string"
      ? { token, pid, host }
      : undefined;
  } catch {
    return undefined;
  }
}

async function beatOf(path: string): Promise<number> {
  return stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
}

function isGone({ token, pid, host }: Holder): boolean {
  if (host !== hostname()) return false;
  if (pid === process.pid) return !own.has(token);
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}
