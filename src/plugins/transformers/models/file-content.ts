// What a file holds: its digests, and whether it can be the file that its name says. Changes nothing.
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, readFile } from "node:fs/promises";

export interface FileDigests {
  readonly size: number;
  readonly sha256: string;
  readonly sha1: string;
  /** As git counts it for a file of its own. */
  readonly gitSha1: string;
}

/** @param size bytes of the file, which git's digest begins with */
export async function digestsOf(path: string, size: number, signal: AbortSignal): Promise<FileDigests> {
  const sha256 = createHash("sha256");
  const sha1 = createHash("sha1");
  const gitSha1 = createHash("sha1").update(`blob ${size}\0`);
  let bytes = 0;
  for await (const part of createReadStream(path, {
    signal,
    highWaterMark: 1024 * 1024,
  }) as AsyncIterable<Buffer>) {
    bytes += part.byteLength;
    for (const hash of [sha256, sha1, gitSha1]) hash.update(part);
  }
  return {
    size: bytes,
    sha256: sha256.digest("hex"),
    sha1: sha1.digest("hex"),
    gitSha1: gitSha1.digest("hex"),
  };
}

/**
 * Whether a digest told by a server is that of the file. 40 digits are the hub's for a small file, a git blob; mirrors
 * that keep files of any kind tell the SHA-1 of the content there.
 */
export function matchesDigest({ sha256, sha1, gitSha1 }: FileDigests, digest: string): boolean {
  return digest.length === 64 ? digest === sha256 : digest === gitSha1 || digest === sha1;
}

/** The problem of a file that is a page for people. */
export const webPageProblem = "is a web page";

/** Why a file cannot be what its name says; undefined where nothing speaks against it. */
export async function contentProblem(
  path: string,
  name: string,
  jsonBytes: number,
): Promise<string | undefined> {
  const { head, size } = await headOf(path);
  if (/^\s*(?:<!doctype html|<html|<head|<body)/iu.test(head)) return webPageProblem;
  if (head.startsWith("version https://git-lfs")) return "is a pointer of Git LFS, not the file itself";
  if (size === 0) return "is empty";
  if (!name.endsWith(".json")) return undefined;
  if (size > jsonBytes) return `is larger than ${jsonBytes} bytes`;
  try {
    JSON.parse((await readFile(path, "utf8")).replace(/^\uFEFF/u, ""));
    return undefined;
  } catch (error) {
    // Errors of the file system have another way out.
    if (typeof error === "object" && error !== null && "syscall" in error) throw error;
    return "is not valid JSON";
  }
}

async function headOf(path: string): Promise<{ head: string; size: number }> {
  const handle = await open(path, "r");
  try {
    const { size } = await handle.stat();
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(512), 0, 512, 0);
    return {
      head: buffer
        .subarray(0, bytesRead)
        .toString("utf8")
        .replace(/^\uFEFF/u, ""),
      size,
    };
  } finally {
    await handle.close();
  }
}
