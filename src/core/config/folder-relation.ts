// Whether one folder holds another, asked of the disk and not of the spelling: links are resolved, and folders
// are compared by identity too, since letter case and mount points give one folder several paths.
import fs from "node:fs/promises";
import path from "node:path";

/** The real path; of what does not exist, the real path of its nearest existing ancestor with the rest. */
export async function realPath(absolute: string): Promise<string> {
  try {
    return await fs.realpath(absolute);
  } catch {
    const parent = path.dirname(absolute);
    return parent === absolute ? absolute : path.join(await realPath(parent), path.basename(absolute));
  }
}

/** Whether `folder` is `inner` itself or an ancestor of it. Both are absolute; neither need exist. */
export async function holds(folder: string, inner: string): Promise<boolean> {
  const [realFolder, realInner] = await Promise.all([realPath(folder), realPath(inner)]);
  const chain = withAncestors(realInner);
  if (chain.includes(realFolder)) return true;
  const identity = await identityOf(realFolder);
  if (identity === undefined) return false;
  return (await Promise.all(chain.map(identityOf))).includes(identity);
}

/** Whether a path is the root of a file system or a drive, through links too. */
export async function isFileSystemRoot(absolute: string): Promise<boolean> {
  const real = await realPath(absolute);
  return path.parse(real).root === real;
}

function withAncestors(absolute: string): string[] {
  const parent = path.dirname(absolute);
  return parent === absolute ? [absolute] : [absolute, ...withAncestors(parent)];
}

async function identityOf(absolute: string): Promise<string | undefined> {
  try {
    const { dev, ino } = await fs.stat(absolute, { bigint: true });
    // Some network file systems number no files.
    return ino === 0n ? undefined : `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}
