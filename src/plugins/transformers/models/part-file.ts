// A file that is being fetched: `<file>.part` holds its bytes, `<file>.part.json` what the server said of it, so that
// a later process can go on.
import { constants } from "node:fs";
import { open, readFile, rename, rm, writeFile, type FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import type { FileFacts } from "./open-file.js";
import { makeFolder } from "./make-folder.js";
import { syncFolder } from "./manifest.js";

export class PartFile {
  readonly path: string;
  readonly #target: string;
  readonly #notes: string;
  #size = 0;
  #facts: FileFacts = {};

  constructor(target: string) {
    this.#target = target;
    this.path = `${target}.part`;
    this.#notes = `${target}.part.json`;
  }

  /** Bytes that are there. */
  get size(): number {
    return this.#size;
  }

  get facts(): FileFacts {
    return this.#facts;
  }

  /** Whether more bytes can be told to belong to those that are there. */
  get canContinue(): boolean {
    return this.#size > 0 && (this.#facts.validator ?? this.#facts.digest) !== undefined;
  }

  /** Finds what an earlier try left. */
  async find(): Promise<void> {
    await makeFolder(dirname(this.#target));
    const facts = await readFacts(this.#notes);
    if (facts === undefined) return this.clear();
    const handle = await this.#open();
    try {
      this.#size = (await handle.stat()).size;
    } finally {
      await handle.close();
    }
    this.#facts = facts;
    if (facts.size !== undefined && this.#size > facts.size) await this.clear();
  }

  /** Throws away what is there. */
  async clear(): Promise<void> {
    await rm(this.#notes, { force: true });
    await rm(this.path, { force: true });
    this.#size = 0;
    this.#facts = {};
  }

  /**
   * Appends bytes as they come.
   * @param onBytes called with the size after each part; what it throws ends the writing
   */
  async append(
    body: AsyncIterable<Uint8Array>,
    facts: FileFacts,
    onBytes: (size: number) => void,
  ): Promise<void> {
    await writeFile(this.#notes, JSON.stringify(facts));
    this.#facts = facts;
    const handle = await this.#open();
    try {
      for await (const bytes of body) {
        onBytes(this.#size + bytes.byteLength);
        let written = 0;
        while (written < bytes.byteLength) {
          const { bytesWritten } = await handle.write(bytes, written, bytes.byteLength - written, this.#size);
          written += bytesWritten;
          this.#size += bytesWritten;
        }
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
  }

  /** Gives the file its name. */
  async finish(): Promise<void> {
    await rename(this.path, this.#target);
    await rm(this.#notes, { force: true });
    await syncFolder(dirname(this.#target));
  }

  #open(): Promise<FileHandle> {
    return open(this.path, constants.O_RDWR | constants.O_CREAT, 0o644);
  }
}

async function readFacts(path: string): Promise<FileFacts | undefined> {
  try {
    const { size, digest, validator, commit } = JSON.parse(await readFile(path, "utf8")) as Record<
      string,
      unknown
    >;
    return {
      ...(typeof size === "number" && { size }),
      ...(typeof digest === "string" && { digest }),
      ...(typeof validator === "string" && { validator }),
      ...(typeof commit === "string" && { commit }),
    };
  } catch {
    // Not there, or cut off by a kill: without it the bytes may be of any version.
    return undefined;
  }
}
