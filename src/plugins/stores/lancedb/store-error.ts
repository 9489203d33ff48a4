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
    return new KbError("KB_STORE_FAILED", `${location} refuses the key: ${what} failed`, {
      cause,
      hint: "Check the key for the uri under [store] in kb-mcp.toml, and what it may do.",
    });
  if (noBucket.test(cause.message))
    return new KbError("KB_STORE_FAILED", `There is no bucket for ${location}: ${what} failed`, {
      cause,
      hint: "Correct the uri under [store] in kb-mcp.toml, or make the bucket first.",
    });
  if (unreachable.test(cause.message))
    return new KbError("KB_STORE_FAILED", `${location} cannot be reached: ${what} failed`, {
      cause,
      hint: "Check the network, and the address under [store] in kb-mcp.toml.",
    });
  return storedError(what, cause.message, cause);
}

function storedError(what: string, message: string, cause: unknown): KbError {
  return corruption.test(message)
    ? new KbError("KB_STORE_CORRUPT", `The index is damaged: ${what} failed`, { cause })
    : new KbError("KB_STORE_FAILED", `The index could not be used: ${what} failed`, { cause });
}

function messageOf(error: unknown): string {
  return typeof error === "object" && error !== null && "message" in error
    ? String(error.message)
    : String(error);
}
