// A temporary folder laid out like a user's machine, and loadConfig called as if it were one.
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { isKbError, type KbError } from "../../../../src/core/errors.js";
import {
  loadConfig,
  type ConfigSources,
  type LoadedConfig,
} from "../../../../src/core/config/load-config.js";

export const knownPlugins = {
  parsers: ["md", "txt"],
  embedders: ["bundled", "openai"],
  stores: ["lancedb", "memory"],
  rerankers: ["cross-encoder"],
  transports: ["stdio", "http"],
};

type Overrides = Partial<Omit<ConfigSources, "workingDirectory">> & { readonly workingDirectory?: string };

export class ConfigWorkspace {
  private constructor(
    /** Real path of the whole. */
    readonly root: string,
    readonly home: string,
    readonly project: string,
    readonly userConfig: string,
    readonly data: string,
  ) {}

  static async create(): Promise<ConfigWorkspace> {
    const root = await fs.realpath(await fs.mkdtemp(path.join(os.tmpdir(), "kb-mcp-config-")));
    const home = path.join(root, "home", "reader");
    const places = [
      path.join(home, "project"),
      path.join(home, ".config", "kb-mcp"),
      path.join(root, "data"),
    ];
    for (const place of places) await fs.mkdir(place, { recursive: true });
    return new ConfigWorkspace(root, home, ...(places as [string, string, string]));
  }

  async remove(): Promise<void> {
    await fs.rm(this.root, { recursive: true, force: true });
  }

  /** Writes a file below the root and returns its path. */
  async write(relative: string, content: string | Uint8Array): Promise<string> {
    const file = path.join(this.root, relative);
    await fs.mkdir(path.dirname(file), { recursive: true });
    await fs.writeFile(file, content);
    return file;
  }

  /** Loads from the project folder, with the workspace's own home, config and data folders. */
  load({ environment, ...overrides }: Overrides = {}): Promise<LoadedConfig> {
    return loadConfig({
      flags: {},
      workingDirectory: this.project,
      userConfigDirectory: this.userConfig,
      homeDirectory: this.home,
      knownPlugins,
      ...overrides,
      environment: { KB_MCP_DATA_DIR: this.data, ...environment },
    });
  }

  /** Loads a trusted file with this content; `kb_path` may be left out. */
  async loadTrusted(content: string, overrides: Overrides = {}): Promise<LoadedConfig> {
    const config = await this.write("trusted/kb-mcp.toml", content);
    const kbPath = /^kb_path/m.test(content) ? {} : { kbPath: "notes" };
    return this.load({ ...overrides, flags: { config, ...kbPath, ...overrides.flags } });
  }

  /** Loads a file that is found in the working directory; `kb_path` may be left out. */
  async loadFound(content: string, overrides: Overrides = {}): Promise<LoadedConfig> {
    await this.write("home/reader/project/kb-mcp.toml", content);
    const kbPath = /^kb_path/m.test(content) ? {} : { kbPath: "notes" };
    return this.load({ ...overrides, flags: { ...kbPath, ...overrides.flags } });
  }
}

/** The KbError that a promise is rejected with; fails if there is none. */
export async function refusal(promise: Promise<unknown>): Promise<KbError> {
  try {
    await promise;
  } catch (error) {
    if (isKbError(error)) return error;
    throw error;
  }
  throw new Error("expected a KbError, but nothing was thrown");
}
