// Where indexes are kept: outside the knowledge base, because whoever can write the notes must not be able to
// write the index that bounds what is served.
import { createHash } from "node:crypto";
import path from "node:path";
import { KbError } from "../errors.js";
import { holds } from "./folder-relation.js";

const nameCharacters = 40;

/**
 * The folder of one knowledge base's index: `<data>/indexes/<folder name>-<16 hex digits>`. One real folder has
 * one index, whatever links lead to it.
 *
 * @param realKbPath the real path of the knowledge base
 */
export function indexDirectory(dataDirectory: string, realKbPath: string): string {
  const hash = createHash("sha256").update(realKbPath).digest("hex").slice(0, 16);
  const name = Array.from(path.basename(realKbPath).replace(/[^\p{L}\p{M}\p{N}._-]+/gu, "-"))
    .slice(0, nameCharacters)
    .join("")
    .replace(/^[.-]+|[.-]+$/g, "");
  return path.join(dataDirectory, "indexes", `${name || "kb"}-${hash}`);
}

/** @throws KbError KB_CONFIG_DATA_DIRECTORY if the data directory is the knowledge base or lies inside it */
export async function refuseDataDirectoryInside(kbPath: string, dataDirectory: string): Promise<void> {
  if (await holds(kbPath, dataDirectory))
    throw new KbError(
      "KB_CONFIG_DATA_DIRECTORY",
      `the data directory ${dataDirectory} lies inside the knowledge base ${kbPath}, where notes could overwrite the index`,
    );
}

/**
 * @param location where a store keeps its index; a URI is none of this machine's folders
 * @throws KbError KB_CONFIG_DATA_DIRECTORY as above
 */
export async function refuseStoreInside(kbPath: string, location: string): Promise<void> {
  if (path.isAbsolute(location) && (await holds(kbPath, location)))
    throw new KbError(
      "KB_CONFIG_DATA_DIRECTORY",
      `the index at ${location} would lie inside the knowledge base ${kbPath}, where notes could overwrite it`,
      { hint: "Name a folder outside the knowledge base under [store] in kb-mcp.toml." },
    );
}
