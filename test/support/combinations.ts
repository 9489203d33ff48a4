// Every built-in embedder with every built-in store, as texts of kb-mcp.toml: the parts are as real as any, and what they
// need (a server, a folder with models) is there until it is closed.
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tinyDimensions, writeTinyEmbedder, writeTinyReranker } from "../../scripts/tiny-models.mjs";
import {
  reply,
  startEmbeddingServer,
  type EmbeddingServer,
} from "../plugins/embedders/openai/support/embedding-server.js";

const embedders = ["bundled", "transformers", "openai"] as const;
const stores = ["lancedb", "memory"] as const;

export interface Combination {
  readonly embedder: (typeof embedders)[number];
  readonly store: (typeof stores)[number];
}

export const combinations: readonly Combination[] = embedders.flatMap((embedder) =>
  stores.map((store) => ({ embedder, store })),
);

/** What the parts need of the machine, for the tests of one file. */
export interface CombinationNeeds {
  /** The tables that choose the embedder and the store. */
  toml(combination: Combination): string;
  /** The tables that choose a reranker with a model as tiny. */
  readonly rerankerToml: string;
  /** Ends the server of embeddings; later configurations still name it. */
  stopServer(): Promise<void>;
  close(): Promise<void>;
}

export async function combinationNeeds(): Promise<CombinationNeeds> {
  const models = await realpath(await mkdtemp(join(tmpdir(), "kb-mcp-models-")));
  writeTinyEmbedder(join(models, "tiny-embedder"));
  writeTinyReranker(join(models, "tiny-reranker"));
  const modelIn = (folder: string): string =>
    `model = ${JSON.stringify(join(models, folder))}\nthreads = 1\n`;
  let server: EmbeddingServer | undefined = await startEmbeddingServer(({ input }, response) =>
    reply(response, 200, {
      object: "list",
      data: input.map((text, index) => ({ object: "embedding", index, embedding: characterPairs(text) })),
    }),
  );
  const { origin } = server;
  const tables: Readonly<Record<Combination["embedder"], string>> = {
    // One model for each thread takes 200 MB; the order of threads must not matter.
    bundled: "threads = 1\n",
    transformers: modelIn("tiny-embedder"),
    openai: `base_url = "${origin}/v1"\nmodel = "pairs"\ndimensions = ${serverDimensions}\nmax_retries = 0\n`,
  };
  const stopServer = async (): Promise<void> => {
    await server?.close();
    server = undefined;
  };
  return {
    toml: ({ embedder, store }) =>
      `[embedder]\nuse = "${embedder}"\n${tables[embedder]}\n[store]\nuse = "${store}"\n`,
    rerankerToml: `[search]\nreranker = "transformers"\n[reranker.transformers]\n${modelIn("tiny-reranker")}`,
    stopServer,
    async close() {
      await stopServer();
      await rm(models, { recursive: true, force: true });
    },
  };
}

/** Unlike the other models', so that vectors of one are never taken for those of another. */
const serverDimensions = 2 * tinyDimensions;

/** What the server's model makes of a text: texts are alike that share pairs of characters, in any script. */
function characterPairs(text: string): number[] {
  const vector = new Array<number>(serverDimensions).fill(0);
  const characters = Array.from(text.toLowerCase().replace(/[\s\p{P}]/gu, ""));
  for (const [at, character] of characters.entries()) {
    const next = characters[at + 1] ?? "";
    const pair = character.codePointAt(0)! * 31 + (next.codePointAt(0) ?? 0);
    vector[pair % serverDimensions]! += 1;
  }
  return vector;
}
