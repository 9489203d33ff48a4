// Reads .kb-mcpignore from the root of the knowledge base into patterns. It never fails: what cannot be used is a
// warning. What the patterns exclude is decided in exclusion.ts.
import ignore from "ignore";
import { isKbError } from "../errors.js";
import { limits } from "../limits.js";
import { placeOnDisk, type KnowledgeBaseRoot } from "./knowledge-base-root.js";
import { openRegularFile } from "./read-guard-open.js";

const ignoreFileName = ".kb-mcpignore";

/** Lines that get a warning of their own; the rest are counted. */
const linesNamed = 20;

export interface IgnorePatterns {
  /** Lines that count, in order, without comments and blank lines; undefined if there is no usable file. */
  readonly patterns: readonly string[] | undefined;
  /** What was left out and why, in words for the file's author. */
  readonly warnings: readonly string[];
}

/** Reads the file if there is one; it is opened once and never waited for. */
export async function readIgnoreFile(root: KnowledgeBaseRoot): Promise<IgnorePatterns> {
  try {
    const bytes = await readBytes(root);
    if (bytes !== undefined) return parsePatterns(bytes);
    return unusable(`it is larger than ${limits.ignoreFileBytes} bytes`);
  } catch (error) {
    if (isKbError(error) && error.code === "KB_READ_NOT_FOUND") return { patterns: undefined, warnings: [] };
    return unusable(isKbError(error) ? error.message : "it cannot be read");
  }
}

/** undefined if the file is too large. */
async function readBytes(root: KnowledgeBaseRoot): Promise<Uint8Array | undefined> {
  const { handle } = await openRegularFile(placeOnDisk(root, ignoreFileName), ignoreFileName);
  try {
    const bytes = new Uint8Array(limits.ignoreFileBytes + 1);
    let length = 0;
    while (length < bytes.length) {
      const { bytesRead } = await handle.read(bytes, length, bytes.length - length, length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return length < bytes.length ? bytes.subarray(0, length) : undefined;
  } finally {
    await handle.close();
  }
}

function parsePatterns(bytes: Uint8Array): IgnorePatterns {
  const text = decode(bytes);
  if (text.includes("\0")) return unusable("it holds NUL characters; save it as UTF-8 text");
  const patterns: string[] = [];
  const warnings: string[] = [];
  let leftOut = 0;
  // The last line may end in a carriage return alone.
  for (const [index, line] of `${text}\n`.split(/\r?\n/).entries()) {
    if (line.startsWith("#") || /^ *$/.test(line)) continue;
    if (patterns.length === limits.ignorePatterns) {
      warnings.push(
        `${ignoreFileName}: only the first ${limits.ignorePatterns} patterns count, up to line ${index}`,
      );
      break;
    }
    const fault = faultOf(line);
    if (fault === undefined) patterns.push(line);
    else if (++leftOut <= linesNamed)
      warnings.push(`${ignoreFileName}: line ${index + 1} is left out, ${fault}`);
  }
  if (leftOut > linesNamed)
    warnings.push(`${ignoreFileName}: ${leftOut - linesNamed} more lines are left out for the same reasons`);
  return { patterns, warnings };
}

/** UTF-8, or UTF-16 as its byte-order mark says: PowerShell's `>` writes that. Bad bytes become U+FFFD. */
function decode(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  return new TextDecoder().decode(bytes);
}

function faultOf(pattern: string): string | undefined {
  if (pattern.includes("\uFFFD")) return "it is not valid UTF-8";
  // The matcher backtracks: each one multiplies its work by the depth of the path.
  if (pattern.split("**/").length - 1 > limits.ignoreGlobstars) {
    return `it holds more than ${limits.ignoreGlobstars} of **/`;
  }
  try {
    ignore().add(pattern).ignores("a");
    return undefined;
  } catch {
    return "it is too long to match anything";
  }
}

function unusable(reason: string): IgnorePatterns {
  return { patterns: undefined, warnings: [`${ignoreFileName} is not used: ${reason}`] };
}
