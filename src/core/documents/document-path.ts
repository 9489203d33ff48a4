// The path of a document inside the knowledge base: the only place where such a path is checked, and nothing
// else may take one apart. It knows no disk; the read guard decides whether a file may be read.
import { KbError } from "../errors.js";
import { limits } from "../limits.js";

declare const checked: unique symbol;

/** A path that passed parseDocumentPath: relative to the knowledge base, with `/`, spelled as on disk. */
export type DocumentPath = string & { readonly [checked]: true };

/** A leading slash (UNC too) or a drive; `Q: why.md`, with a blank after the colon, is a name. */
const absolute = /^(?:[\\/]|[A-Za-z]:(?!\s))/;

/** Windows opens a device under these names, whatever extension follows. */
const device = /^(?:con|prn|aux|nul|conin\$|conout\$|clock\$|(?:com|lpt)[0-9¹²³]) *(?:[.:].*)?$/is;

/** An extension directly followed by a colon names an alternate data stream: `a.md:x`, `a.md::$DATA`. */
const stream = /\.[a-z][a-z0-9]*:\S/i;

const dotsAndBlanks = /^[. ]+$/;
const loneSurrogate = /\p{Surrogate}/u;

/**
 * Checks a path that a caller, a walk or an index hands in. It is never repaired: another spelling is refused.
 *
 * On every platform, since a knowledge base travels: no absolute form, no empty, `.` or `..` segment and none
 * of dots and blanks alone, no backslash, no NUL, no device name, no stream form, valid Unicode, at most
 * `limits.pathBytes` bytes of UTF-8. On Windows alone, where they are aliases of another name and elsewhere are
 * names that people use (`Acme Inc./notes.md`, `Meeting: Q3.md`): no `:` at all, no segment that ends with a
 * dot or a blank.
 *
 * @throws KbError KB_READ_OUTSIDE for an absolute path or one with `..`, else KB_READ_PATH
 */
export function parseDocumentPath(raw: string, windows = process.platform === "win32"): DocumentPath {
  const refusal = (reason: string): KbError =>
    new KbError("KB_READ_PATH", `The path ${quotePath(raw)} ${reason}`);

  if (raw === "") throw new KbError("KB_READ_PATH", "The path is empty");
  if (Buffer.byteLength(raw) > limits.pathBytes) throw refusal(`is longer than ${limits.pathBytes} bytes`);
  if (raw.includes("\0")) throw refusal("holds a NUL character");
  if (loneSurrogate.test(raw)) throw refusal("is not valid Unicode");
  // Not quoted: it may name a place of this machine.
  if (absolute.test(raw)) throw new KbError("KB_READ_OUTSIDE", "The path is absolute");
  if (raw.split(/[\\/]/).includes("..")) {
    throw new KbError("KB_READ_OUTSIDE", `The path ${quotePath(raw)} holds ".."`);
  }
  if (raw.includes("\\")) throw refusal("holds a backslash; folders are separated by /");

  for (const segment of raw.split("/")) {
    if (segment === "") throw refusal("holds an empty segment");
    if (dotsAndBlanks.test(segment)) throw refusal("holds a segment of dots or blanks alone");
    if (device.test(segment)) throw refusal("holds a device name of Windows");
    if (windows ? segment.includes(":") : stream.test(segment)) throw refusal("names a data stream");
    if (windows && /[. ]$/.test(segment)) throw refusal("holds a segment that ends with a dot or a blank");
  }
  return raw as DocumentPath;
}

/** The extension in lower case, without its dot; "" if there is none. A leading dot starts a name (`.md`). */
export function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  return dot > 0 ? name.slice(dot + 1).toLowerCase() : "";
}

/** The first one or two directories of a path, joined by `/`; "" for a file in the root. */
export function topicOf(path: string): string {
  return path.split("/").slice(0, -1).slice(0, 2).join("/");
}

/** Equal for names, or paths, that differ in case or Unicode form only: some disks take them for one another. */
export function nameKey(name: string): string {
  return name.normalize("NFC").toUpperCase().normalize("NFC");
}

/** A path as messages show it: quoted, control characters escaped, its middle left out when it is long. */
export function quotePath(path: string): string {
  const characters = Array.from(path);
  const shown =
    characters.length > 120 ? [...characters.slice(0, 60), "…", ...characters.slice(-59)] : characters;
  return JSON.stringify(shown.join(""));
}
