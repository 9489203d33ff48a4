// The plugin's options in kb-mcp.toml. Written by hand: a schema library would cost more than it checks. Never repeats
// a value in a message: it might be a key.
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { OptionsResult, OptionsSchema } from "../../../core/plugin-api.js";

/** How to reach an index that is not a folder. */
export interface RemoteOptions {
  /** LanceDB's storage options, for an object store. May hold secrets. */
  readonly storageOptions?: Readonly<Record<string, string>>;
  readonly region?: string;
  /** An address in place of the one that LanceDB makes of the name and the region. */
  readonly hostOverride?: string;
  /** Name of the environment variable that holds the key of a database server. */
  readonly apiKeyEnv?: string;
}

export interface LanceDbOptions extends RemoteOptions {
  /** An absolute folder or a URI: the place of this index alone. Default: a folder in the plugin's data directory. */
  readonly uri?: string;
}

const objectStores = ["s3", "gs", "az"];
const serverOptions = ["region", "host_override", "api_key_env"] as const;
const known = ["uri", "storage_options", ...serverOptions];

const expectedPlace =
  "expected an absolute folder, or a URI that begins with file://, s3://, gs://, az:// or db://";

class Refusals {
  readonly issues: { readonly message: string; readonly path: string[] }[] = [];

  refuse(path: string[], message: string): void {
    this.issues.push({ path, message });
  }
}

/** The scheme of a URI in lower case; undefined for a folder. A drive letter is no scheme. */
function schemeOf(uri: string): string | undefined {
  return /^([a-z][a-z0-9+.-]+):\/\//i.exec(uri)?.[1]?.toLowerCase();
}

function checkedUri(uri: unknown, refusals: Refusals): string | undefined {
  const refuse = (message: string): void => refusals.refuse(["uri"], message);
  if (uri === undefined) return undefined;
  if (typeof uri !== "string" || uri.trim() === "") {
    refuse(`${expectedPlace}, as text`);
    return;
  }
  const scheme = schemeOf(uri);
  if (scheme === undefined) {
    const folder = /^~[\\/]/.test(uri) ? join(homedir(), uri.slice(2)) : uri;
    // One that counts from the working directory would be another index wherever kb-mcp is started.
    if (isAbsolute(folder)) return folder;
    refuse(expectedPlace);
    return;
  }
  if (scheme === "file")
    try {
      return fileURLToPath(uri);
    } catch {
      refuse("expected file:// with the absolute path of a folder, for example file:///data/index");
      return;
    }
  if (![...objectStores, "db"].includes(scheme)) {
    refuse(expectedPlace);
    return;
  }
  if (/^[^:]+:\/\/[^/]*@/.test(uri)) {
    refuse(
      "expected no user name and no password in it: keys belong into environment variables or storage_options",
    );
    return;
  }
  const withoutQuery = !/[?#]/.test(uri);
  const named = /^[^:]+:\/\/[^/]/.test(uri);
  if (!named || !withoutQuery) {
    refuse(`expected a name after ${scheme}://, and no ? and #, for example ${scheme}://name`);
    return;
  }
  return scheme + uri.slice(scheme.length);
}

function checkedStorageOptions(value: unknown, refusals: Refusals): Record<string, string> | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    refusals.refuse(["storage_options"], "expected a table of texts");
    return;
  }
  for (const [key, entry] of Object.entries(value))
    if (typeof entry !== "string")
      refusals.refuse(["storage_options", key], 'expected a text, for example allow_http = "true"');
  return { ...value };
}

function checkedHost(value: string | undefined, refusals: Refusals): string | undefined {
  if (value === undefined) return undefined;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const local = /^(?:localhost|\[::1\]|127(?:\.\d+){3})$/.test(url?.hostname ?? "");
  const plain = url && url.username === "" && url.password === "" && url.search === "" && url.hash === "";
  // The key goes with every request.
  if (plain && (url.protocol === "https:" || (url.protocol === "http:" && local)))
    return value.replace(/\/+$/, "");
  refusals.refuse(
    ["host_override"],
    "expected an https address (http only to this machine) without a user name, a password, ? and #",
  );
}

function validate(value: unknown): OptionsResult<LanceDbOptions> {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return { issues: [{ message: "expected a table of options" }] };
  const refusals = new Refusals();
  const given = new Map<string, unknown>(Object.entries(value));
  for (const key of given.keys())
    if (!known.includes(key))
      refusals.refuse(
        [key],
        key === "api_key"
          ? "a key does not belong in a file: put it into an environment variable and name that as api_key_env"
          : `unknown option; the options are ${known.join(", ")}`,
      );
  const text = (key: (typeof serverOptions)[number]): string | undefined => {
    const entry = given.get(key);
    if (entry === undefined) return undefined;
    if (typeof entry === "string" && entry.trim() !== "") return entry.trim();
    refusals.refuse([key], "expected a text");
  };

  const uri = checkedUri(given.get("uri"), refusals);
  const storageOptions = checkedStorageOptions(given.get("storage_options"), refusals);
  const region = text("region");
  const hostOverride = checkedHost(text("host_override"), refusals);
  const apiKeyEnv = text("api_key_env");
  if (apiKeyEnv !== undefined && !/^[A-Z_][A-Z0-9_]*$/.test(apiKeyEnv))
    refusals.refuse(
      ["api_key_env"],
      "expected the name of an environment variable that holds the key, in capitals, not the key",
    );

  const scheme = schemeOf(uri ?? "");
  if (storageOptions !== undefined && !objectStores.includes(scheme ?? ""))
    refusals.refuse(["storage_options"], "goes only with a uri that begins with s3://, gs:// or az://");
  for (const key of serverOptions)
    if (given.has(key) && scheme !== "db")
      refusals.refuse([key], "goes only with a uri that begins with db://");
  if (refusals.issues.length > 0) return { issues: refusals.issues };
  return {
    value: {
      ...(uri !== undefined && { uri }),
      ...(storageOptions && { storageOptions }),
      ...(region !== undefined && { region }),
      ...(hostOverride !== undefined && { hostOverride }),
      ...(apiKeyEnv !== undefined && { apiKeyEnv }),
    },
  };
}

/** Refuses unknown keys, so that a misspelt option is not silently without effect. */
export const optionsSchema: OptionsSchema<LanceDbOptions> = {
  "~standard": { version: 1, vendor: "kb-mcp", validate },
};
