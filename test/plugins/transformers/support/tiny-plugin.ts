// The plugin with the tiny models of scripts/tiny-models.mjs, which are written anew for each test file.
import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeTinyEmbedder, writeTinyReranker } from "../../../../scripts/tiny-models.mjs";
import type { Embedder, PluginHost, Reranker } from "../../../../src/core/plugin-api.js";
import plugin from "../../../../src/plugins/transformers/index.js";
import { pluginHost } from "../../../support/plugin-host.js";

export const never = new AbortController().signal;

export class TinyPlugin {
  readonly folder = join(tmpdir(), `kb-mcp-tiny-${randomUUID()}`);
  readonly embedderFolder = join(this.folder, "tiny-embedder");
  readonly rerankerFolder = join(this.folder, "tiny-reranker");
  readonly #shared = new Map<string, Promise<Embedder>>();
  readonly #made: (Embedder | Reranker)[] = [];

  constructor() {
    for (const quantized of [true, false]) {
      writeTinyEmbedder(this.embedderFolder, { quantized });
      writeTinyReranker(this.rerankerFolder, { quantized });
    }
  }

  host(overrides: Partial<PluginHost> = {}): PluginHost {
    return pluginHost(this.folder, {
      logger: {
        debug: () => undefined,
        info: () => undefined,
        warn: () => undefined,
        error: () => undefined,
      },
      ...overrides,
    });
  }

  /** @param options what stands in kb-mcp.toml; the tiny model if they name none */
  async embedder(options: object = {}, host = this.host()): Promise<Embedder> {
    const factory = plugin.embedders![0]!;
    const embedder = await factory.create(
      await checked(factory.optionsSchema!, { model: this.embedderFolder, ...options }),
      host,
    );
    this.#made.push(embedder);
    return embedder;
  }

  /** The same embedder for the same options, so that a process is started only once for them. */
  sharedEmbedder(options: object = {}): Promise<Embedder> {
    const key = JSON.stringify(options);
    const embedder = this.#shared.get(key) ?? this.embedder(options);
    this.#shared.set(key, embedder);
    return embedder;
  }

  async reranker(options: object = {}, host = this.host()): Promise<Reranker> {
    const factory = plugin.rerankers![0]!;
    const reranker = await factory.create(
      await checked(factory.optionsSchema!, { model: this.rerankerFolder, ...options }),
      host,
    );
    this.#made.push(reranker);
    return reranker;
  }

  /** Ends the processes of all that were made. */
  async endAll(): Promise<void> {
    await Promise.all(this.#made.splice(0).map((one) => one.dispose()));
  }

  async remove(): Promise<void> {
    await this.endAll();
    await rm(this.folder, { recursive: true, force: true });
  }
}

type Schema = NonNullable<NonNullable<typeof plugin.embedders>[number]["optionsSchema"]>;

async function checked(schema: Schema, options: object): Promise<unknown> {
  const result = await schema["~standard"].validate(options);
  if (result.issues) throw new Error(JSON.stringify(result.issues));
  return result.value;
}

export function cosine(a: Float32Array | null | undefined, b: Float32Array | null | undefined): number {
  if (!a || !b) throw new Error("there is no vector");
  return a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
}
