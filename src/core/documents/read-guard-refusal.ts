// The wording of every refusal of a read, so that each names the path within the knowledge base and never a place
// of the machine. It decides nothing.
import { KbError, type ErrorCode } from "../errors.js";
import { quotePath } from "./document-path.js";

function refusal(code: ErrorCode, path: string, fact: string, cause?: unknown): KbError {
  return new KbError(code, `${quotePath(path)} ${fact}`, { cause });
}

const size = (bytes: number): string => bytes.toLocaleString("en");

/** Refusals by what was found. */
export const readRefusal = {
  link: (path: string) => refusal("KB_READ_LINK", path, "is a link or lies behind one"),
  hardLink: (path: string) =>
    refusal("KB_READ_LINK", path, "is a hard link: the file has more than one name"),
  type: (path: string) => refusal("KB_READ_TYPE", path, "is not a regular file"),
  encoding: (path: string) => refusal("KB_READ_PATH", path, "has a name that is not valid UTF-8"),
  outside: (path: string) => refusal("KB_READ_OUTSIDE", path, "leads outside the knowledge base"),
  changed: (path: string) =>
    refusal("KB_READ_CHANGED", path, "was changed, moved or deleted while it was read"),
  extension: (path: string, extension: string) =>
    refusal(
      "KB_READ_EXTENSION",
      path,
      extension === "" ? "has no extension" : `is a .${extension} file, which no enabled parser reads`,
    ),
  tooLarge: (path: string, bytes: number, cap: number) =>
    refusal("KB_READ_TOO_LARGE", path, `has ${size(bytes)} bytes; at most ${size(cap)} are read`),
};

const missing = ["KB_READ_NOT_FOUND", "does not exist"] as const;
const link = ["KB_READ_LINK", "is a link or lies behind one"] as const;
const type = ["KB_READ_TYPE", "is not a regular file"] as const;
const denied = ["KB_READ_DENIED", "cannot be read: permission denied"] as const;

const byErrno: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  ENOENT: missing,
  ENOTDIR: missing,
  // No disk can hold such a name.
  ENAMETOOLONG: missing,
  ELOOP: link,
  EMLINK: link,
  // A socket, or a device without a driver.
  ENXIO: type,
  ENODEV: type,
  EISDIR: type,
  EACCES: denied,
  EPERM: denied,
};

/** The refusal for an error of the file system. */
export function readFailure(error: unknown, path: string): KbError {
  const errno = String((error as NodeJS.ErrnoException).code);
  const [code, fact] = byErrno[errno] ?? (["KB_READ_FAILED", `cannot be read (${errno})`] as const);
  return refusal(code, path, fact, error);
}
