// Turns what LanceDB throws into errors of kb-mcp. LanceDB's own messages hold absolute paths: they stay in `cause`.
import { KbError, isKbError } from "../../../core/plugin-api.js";
import type { RemoteOptions } from "./options.js";
import { withoutSecrets } from "./secrets.js";

/** What LanceDB says when files are missing, cut short or hold something else. */
const corruption =
  /corrupt|not found|no such file|failed to fill whole buffer|sufficient data|unexpected (?:eof|end)|invalid (?:magic|manifest|range)|failed to decode|checksum/i;

/** What it says when a server of another machine does not answer. */
const unreachable =
  /error sending request|connection (?:refused|reset|closed)|tcp connect|dns error|timed out|retry limit|failed to lookup/i;
/** What it says when one knows the request, but not the key. */
const denied =
  /access ?denied|unauthori[sz]ed|forbidden|\b40[13]\b|InvalidAccessKeyId|SignatureDoesNotMatch|Unauthenticated|no credentials|credential/i;

const noBucket = /NoSuchBucket/i;

/** An index that is not a folder of this machine. */
export interface RemotePlace {
  readonly location: string;
  readonly options: RemoteOptions;
}

/** A KbError as it is; anything else as KB_STORE_CORRUPT or KB_STORE_FAILED with the error as its cause. */
export function asStoreError(what: string, error: unknown, remote?: RemotePlace): KbError {
  if (isKbError(error)) return error;
  if (remote !== undefined) return asRemoteError(what, error, remote);
  return storedError(what, messageOf(error), error);
}

function asRemoteError(what: string, error: unknown, { location, options }: RemotePlace): KbError {
  const cause = withoutSecrets(error, options);
  if (denied.test(cause.message))
    return new KbError("KB_STORE_FAILED", `${location} refuses the key, or there is none: ${what} failed`, {
      cause,
      hint: "Check the key for the uri under [store] in kb-mcp.toml and what it may do; without one there, it comes from the environment (AWS_ACCESS_KEY_ID and so on).",
    });
  if (noBucket.test(cause.message))
    return new KbError("KB_STORE_FAILED", `There is no bucket for ${location}: ${what} failed`, {
      cause,
      hint: "Correct the uri under [store] in kb-mcp.toml, or make the bucket first.",
    });
  if (unreachable.test(cause.message))
    return new KbError("KB_STORE_FAILED", `${location} cannot be reached: ${what} failed`, {
      cause,
      hint: "Check the network, the address under [store] in kb-mcp.toml, and that a key is there (storage_options, or AWS_ACCESS_KEY_ID and so on in the environment).",
    });
  return storedError(what, cause.message, cause);
}

/** What the system says of a folder that cannot be used, and in whose words. */
const unusable: readonly (readonly [RegExp, string])[] = [
  [/permission denied|EACCES|os error 13\b/i, "this user may not read or write there"],
  [/not a directory|ENOTDIR|os error 20\b/i, "a part of its path is a file, not a folder"],
  [/read-only file system|EROFS|os error 30\b/i, "the file system is read-only"],
  [/no space left|ENOSPC|os error 28\b/i, "the disk is full"],
];

function storedError(what: string, message: string, cause: unknown): KbError {
  const reason = unusable.find(([pattern]) => pattern.test(message))?.[1];
  if (reason !== undefined)
    return new KbError(
      "KB_STORE_FAILED",
      `The folder of the index cannot be used, ${reason}: ${what} failed`,
      {
        cause,
        hint: "kb-mcp status shows where the index is; [store] in kb-mcp.toml and KB_MCP_DATA_DIR choose the place.",
      },
    );
  return corruption.test(message)
    ? new KbError("KB_STORE_CORRUPT", `The index is damaged: ${what} failed`, { cause })
    : new KbError("KB_STORE_FAILED", `The index could not be used: ${what} failed`, { cause });
}

function messageOf(error: unknown): string {
  return typeof error === "object" && error !== null && "message" in error
    ? String(error.message)
    : String(error);
}
