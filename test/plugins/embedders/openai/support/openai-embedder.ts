// Embedders and servers for the tests of one file, closed after each test.
import { createLogger } from "../../../../../src/core/logger.js";
import { OpenAiEmbedder } from "../../../../../src/plugins/embedders/openai/embedder.js";
import { openAiOptions, type OpenAiOptions } from "../../../../../src/plugins/embedders/openai/options.js";
import { pluginHost } from "../../../../support/plugin-host.js";
import {
  dimensions,
  startEmbeddingServer,
  type Behaviour,
  type EmbeddingServer,
} from "../support/embedding-server.js";

export const never = new AbortController().signal;

export async function checkedOptions(table: Readonly<Record<string, unknown>>): Promise<OpenAiOptions> {
  const result = await openAiOptions["~standard"].validate(table);
  if (result.issues !== undefined) throw new Error(JSON.stringify(result.issues));
  return result.value;
}

interface Settings {
  readonly options?: Readonly<Record<string, unknown>>;
  /** Milliseconds before the first retry; 1 if absent. */
  readonly firstWaitMs?: number;
  readonly onLog?: (line: string) => void;
  readonly signal?: AbortSignal;
}

export class Workbench {
  readonly #closing: (() => Promise<void>)[] = [];
  readonly logged: string[] = [];

  async server(behave?: Behaviour): Promise<EmbeddingServer> {
    const server = await startEmbeddingServer(behave);
    this.#closing.push(() => server.close());
    return server;
  }

  /** An embedder that asks `origin`; what it logs is kept. */
  async embedder(
    origin: string,
    { options = {}, firstWaitMs = 1, onLog = () => undefined, signal = never }: Settings = {},
  ): Promise<OpenAiEmbedder> {
    const checked = await checkedOptions({ model: "m", dimensions, base_url: `${origin}/v1`, ...options });
    const logger = createLogger("debug", (line) => {
      this.logged.push(line);
      onLog(line);
    });
    const embedder = new OpenAiEmbedder(checked, pluginHost("unused", { logger, signal }), firstWaitMs);
    this.#closing.push(() => embedder.dispose());
    return embedder;
  }

  /** A server that behaves so, and an embedder that asks it. */
  async pair(
    behave: Behaviour,
    settings: Settings = {},
  ): Promise<{ server: EmbeddingServer; embedder: OpenAiEmbedder }> {
    const server = await this.server(behave);
    return { server, embedder: await this.embedder(server.origin, settings) };
  }

  /** Sets environment variables until `close`; undefined removes one. */
  environment(variables: Readonly<Record<string, string | undefined>>): void {
    for (const [name, value] of Object.entries(variables)) {
      const before = process.env[name];
      this.#closing.push(() => {
        setVariable(name, before);
        return Promise.resolve();
      });
      setVariable(name, value);
    }
  }

  async close(): Promise<void> {
    for (const close of this.#closing.splice(0).reverse()) await close();
    this.logged.length = 0;
  }
}

function setVariable(name: string, value: string | undefined): void {
  if (value === undefined) Reflect.deleteProperty(process.env, name);
  else process.env[name] = value;
}
