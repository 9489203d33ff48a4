// Loads LanceDB and connects to a database. The only file that imports the native library.
import { createRequire } from "node:module";
import { resolve } from "node:path";
import type * as LanceDb from "@lancedb/lancedb";
import type * as Arrow from "apache-arrow";
import type { RemoteOptions } from "./options.js";
import { readApiKey } from "./secrets.js";

/** A connection with the libraries that speak to it. */
export interface Lance {
  readonly lancedb: typeof LanceDb;
  readonly arrow: typeof Arrow;
  readonly connection: LanceDb.Connection;
}

const MiB = 1024 * 1024;
/**
 * Bytes of index data LanceDB keeps in memory. Its own default of 6 GiB lets a long-lived server gather every
 * generation of an index; one generation for 100,000 chunks of 512 dimensions takes about 300 MiB.
 */
const indexCacheBytes = 512 * MiB;
/** Bytes of file and schema metadata LanceDB keeps in memory. */
const metadataCacheBytes = 128 * MiB;

/** Whether a location is a URI; everything else is a folder. A drive letter is not a scheme. */
export function isUri(location: string): boolean {
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(location);
}

/** For a server that is not there: LanceDB itself waits two minutes to be connected, and for as long as five to read. */
const serverPatience = {
  timeoutConfig: { connectTimeout: 5, readTimeout: 60 },
  retryConfig: { retries: 2, connectRetries: 1, readRetries: 1 },
};

/** Connects to a folder (made absolute: LanceDB takes a name that starts with "db" for a cloud database) or URI. */
export async function connect(location: string, remote: RemoteOptions = {}): Promise<Lance> {
  // Native logs go to stderr; warnings are about deprecations that only a developer can act on.
  process.env["LANCEDB_LOG"] ??= "error";
  const lancedb = await import("@lancedb/lancedb");
  // LanceDB loads the CommonJS build; importing would load a second copy of the library, which costs as much again.
  const arrow = createRequire(import.meta.url)("apache-arrow") as typeof Arrow;
  const connection = await lancedb.connect(
    isUri(location) ? location : resolve(location),
    // Every read sees what other processes have committed; the check is one look at the newest version's name.
    { readConsistencyInterval: 0, ...remoteOptions(location, remote) },
    new lancedb.Session(BigInt(indexCacheBytes), BigInt(metadataCacheBytes)),
  );
  return { lancedb, arrow, connection };
}

function remoteOptions(location: string, remote: RemoteOptions): Partial<LanceDb.ConnectionOptions> {
  const { storageOptions, region, hostOverride } = remote;
  if (!/^db:/i.test(location)) return storageOptions ? { storageOptions: { ...storageOptions } } : {};
  return {
    apiKey: readApiKey(location, remote),
    clientConfig: serverPatience,
    ...(region !== undefined && { region }),
    ...(hostOverride !== undefined && { hostOverride }),
  };
}
