// The promises that every embedder keeps, kept over a server that embeds.
import { afterAll, beforeAll, describe, it } from "@jest/globals";
import plugin from "../../../../src/plugins/embedders/openai/index.js";
import { embedderContract } from "../../../../src/testing/index.js";
import { pluginHost } from "../../../support/plugin-host.js";
import { dimensions, startEmbeddingServer, type EmbeddingServer } from "./support/embedding-server.js";
import { checkedOptions } from "./support/openai-embedder.js";

let server: EmbeddingServer;

beforeAll(async () => {
  server = await startEmbeddingServer();
});

afterAll(() => server.close());

describe("the embedder openai", () => {
  const factory = plugin.embedders![0]!;
  embedderContract(
    async () =>
      factory.create(
        await checkedOptions({ model: "m", dimensions, base_url: `${server.origin}/v1` }),
        pluginHost("unused"),
      ),
    { describe, it },
  );
});
