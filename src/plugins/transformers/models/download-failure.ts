// What a failed download means: worth another try, no network, or the end.
import { KbError } from "../../../core/plugin-api.js";

/**
 * - `transient`: another try may do better
 * - `offline`: nobody can be reached; another try helps only where a byte came before
 * - `rejected`: what came is not the file; worth one try from the start
 * - `final`: no try would do better
 */
export class DownloadFailure extends Error {
  constructor(
    readonly kind: "transient" | "offline" | "rejected" | "final",
    readonly error: KbError,
    /** Milliseconds that the server asks to wait. */
    readonly waitMs?: number,
  ) {
    super(error.message);
  }
}

/** The ways out where a model is not here and cannot be fetched. */
export const waysOut =
  'Connect to the network and run kb-mcp models pull; or set mirror in kb-mcp.toml or HTTPS_PROXY in the environment, where the network needs one; or copy the folder of the model from another machine and give its path as model; or use what needs no model: [embedder] use = "bundled", and no reranker.';

const offlineCodes = new Set([
  "ENOTFOUND",
  "EAI_AGAIN",
  "EAI_FAIL",
  "EAI_NODATA",
  "ECONNREFUSED",
  "ENETUNREACH",
  "EHOSTUNREACH",
  "ENETDOWN",
  "UND_ERR_CONNECT_TIMEOUT",
]);

const certificateCode = /CERT|SELF_SIGNED|UNABLE_TO_|^ERR_TLS_/u;

/** What it means that a request to `host` failed without a whole answer. */
export function failureOfConnection(error: unknown, host: string): DownloadFailure {
  if (error instanceof DownloadFailure) return error;
  const code = codeOf(error);
  const download = (message: string, hint?: string): KbError =>
    new KbError("KB_MODEL_DOWNLOAD", message, { cause: error, ...(hint !== undefined && { hint }) });
  if (code !== undefined && offlineCodes.has(code))
    return new DownloadFailure("offline", download(`${host} cannot be reached (${code})`, waysOut));
  if (code !== undefined && certificateCode.test(code))
    return new DownloadFailure(
      "final",
      download(
        `The certificate of ${host} is not trusted (${code})`,
        "Where your network opens encrypted traffic, name its certificate in the environment: NODE_EXTRA_CA_CERTS=/path/to/ca.pem.",
      ),
    );
  const proxy = /Proxy response \((\d{3})\)/u.exec(messageOf(error));
  if (proxy !== null)
    return new DownloadFailure(
      proxy[1]?.startsWith("5") === true ? "transient" : "final",
      download(
        `The proxy refuses to connect to ${host} (${proxy[1] ?? ""})`,
        "Check HTTPS_PROXY and HTTP_PROXY, the user and password in them, and NO_PROXY.",
      ),
    );
  if (code === "UND_ERR_BODY_TIMEOUT" || code === "UND_ERR_HEADERS_TIMEOUT")
    return new DownloadFailure("transient", download(`${host} sends nothing any more`));
  return new DownloadFailure(
    "transient",
    download(`The connection to ${host} broke off${code === undefined ? "" : ` (${code})`}`),
  );
}

/** What it means that a file of the cache cannot be written, or undefined where that is not what happened. */
export function failureOfDisk(error: unknown): KbError | undefined {
  const code = codeOf(error) ?? "";
  if (["ENOSPC", "EDQUOT", "EFBIG"].includes(code))
    return new KbError("KB_MODEL_DOWNLOAD", `There is no room left on the disk for the model (${code})`, {
      cause: error,
      hint: "Make room on the disk that holds the data directory of kb-mcp, or set KB_MCP_DATA_DIR to a folder on another; then run kb-mcp models pull: it goes on where it stopped.",
    });
  if (["EROFS", "EACCES", "EPERM"].includes(code))
    return new KbError("KB_MODEL_DOWNLOAD", `The folder for models may not be written (${code})`, {
      cause: error,
      hint: "Set KB_MCP_DATA_DIR to a folder that you may write; or put the model into a folder and give its path as model.",
    });
  const isFileError = typeof error === "object" && error !== null && "syscall" in error && "path" in error;
  return isFileError
    ? new KbError("KB_MODEL_DOWNLOAD", `A file of the model cannot be written (${code})`, {
        cause: error,
        hint: "Check the disk that holds the data directory of kb-mcp, then run kb-mcp models pull again.",
      })
    : undefined;
}

/** The code of an error, or of what caused it. */
function codeOf(error: unknown): string | undefined {
  let at = error;
  for (let depth = 0; depth < 5 && typeof at === "object" && at !== null; depth++) {
    if ("code" in at && typeof at.code === "string" && at.code !== "UND_ERR_ABORTED") return at.code;
    at = "cause" in at ? at.cause : undefined;
  }
  return undefined;
}

function messageOf(error: unknown): string {
  return typeof error === "object" && error !== null && "message" in error ? String(error.message) : "";
}
