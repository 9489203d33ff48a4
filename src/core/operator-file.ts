// Reads a text file that the operator wrote and named: the configuration, a golden file. It is no document: it may lie
// anywhere and be reached through a link. What somebody else put there is met by its kind and its size.
import fs from "node:fs/promises";

/** Why a file cannot be read, in words that complete "…: ". */
export class OperatorFileError extends Error {
  override readonly name = "OperatorFileError";

  constructor(
    /** `encoding`: the bytes are no UTF-8. `kind`: not a regular file, or too large. `system`: the system refused. */
    readonly reason: "encoding" | "kind" | "system",
    message: string,
    cause?: unknown,
  ) {
    super(message, cause === undefined ? undefined : { cause });
  }
}

/**
 * The text of a file without its byte-order mark, or undefined if nothing is there. Never waits for a FIFO.
 *
 * @param maxBytes a larger file is refused
 * @throws OperatorFileError
 */
export async function readOperatorFile(file: string, maxBytes: number): Promise<string | undefined> {
  let handle: fs.FileHandle;
  try {
    // Windows has no O_NONBLOCK; the undefined counts as 0.
    handle = await fs.open(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new OperatorFileError("system", code ?? "unknown error", error);
  }
  try {
    const stats = await handle.stat();
    if (stats.isDirectory()) throw new OperatorFileError("kind", "it is a directory");
    if (!stats.isFile()) throw new OperatorFileError("kind", "it is not a regular file");
    const tooLarge = new OperatorFileError("kind", `it is larger than ${maxBytes / 1024} KiB`);
    if (stats.size > maxBytes) throw tooLarge;
    // What /proc and some network drives offer has another size than they say.
    const bytes = Buffer.alloc(maxBytes + 1);
    let length = 0;
    for (let read = -1; read !== 0; length += read) {
      ({ bytesRead: read } = await handle.read(bytes, length, bytes.length - length));
    }
    if (length > maxBytes) throw tooLarge;
    return decode(bytes.subarray(0, length));
  } finally {
    await handle.close();
  }
}

function decode(bytes: Uint8Array): string {
  try {
    // Drops a byte-order mark, which editors on Windows write.
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new OperatorFileError("encoding", "the file is not valid UTF-8", cause);
  }
}
