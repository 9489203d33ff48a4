// A folder with notes, a kb-mcp.toml and a data directory, and the command line run there.
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "@jest/globals";
import type { SearchReply } from "../../src/core/index.js";
import { connectClient, runCli, type CliResult } from "../support/kb-mcp-process.js";
import { writeTree } from "../support/temporary-folder.js";

export class KnowledgeBaseFolder {
  /** The documents. */
  readonly notes: string;
  readonly data: string;
  readonly #config: string;

  private constructor(path: string) {
    this.notes = join(path, "notes");
    this.data = join(path, "data");
    this.#config = join(path, "kb-mcp.toml");
  }

  static async make(notes: Readonly<Record<string, string>>): Promise<KnowledgeBaseFolder> {
    const folder = new KnowledgeBaseFolder(await realpath(await mkdtemp(join(tmpdir(), "kb-mcp-folder-"))));
    await writeTree(folder.notes, notes);
    await writeTree(folder.data, { "./": "" });
    return folder;
  }

  /** @param settings what stands in kb-mcp.toml behind the place of the notes */
  configure(settings: string): Promise<void> {
    return writeFile(this.#config, `kb_path = "./notes"\n${settings}`);
  }

  run(...args: readonly string[]): Promise<CliResult> {
    return runCli([...args, "--config", this.#config], this.data);
  }

  /** Runs a command that must succeed, and reads what it prints. */
  async read<Reply>(...args: readonly string[]): Promise<Reply> {
    const { code, stdout, stderr } = await this.run(...args, "--format", "json");
    expect([args, code, stderr]).toEqual([args, 0, expect.anything()]);
    return JSON.parse(stdout) as Reply;
  }

  search(query: string, ...flags: readonly string[]): Promise<SearchReply> {
    return this.read("search", query, ...flags);
  }

  /** A client of `kb-mcp serve`; close it when done. */
  async serve(): ReturnType<typeof connectClient> {
    return connectClient(["--config", this.#config], this.data);
  }

  remove(): Promise<void> {
    return rm(join(this.notes, ".."), { recursive: true, force: true, maxRetries: 3 });
  }
}
