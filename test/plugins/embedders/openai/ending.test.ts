// How the openai embedder ends requests: by their time limit, by a signal, or for good.
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { afterEach, describe, expect, it } from "@jest/globals";
import { answerWell, inTurn, type Behaviour } from "./support/embedding-server.js";
import { never, Workbench } from "./support/openai-embedder.js";

const bench = new Workbench();

afterEach(() => bench.close());

/** Two ways to hang; `hung` gets each response that does. */
const hangs: [string, (hung: (response: ServerResponse) => void) => Behaviour][] = [
  ["before an answer", (hung) => (_asked, response) => hung(response)],
  [
    "within an answer",
    (hung) => (_asked, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.write('{"data": [', () => hung(response));
    },
  ],
];

describe.each(hangs)("openai embedder, with a server that hangs %s", (_where, hanging) => {
  it("gives up when the time is over, and says what to change", async () => {
    const { embedder, server } = await bench.pair(
      hanging(() => undefined),
      { options: { timeout_seconds: 0.2, max_retries: 1 } },
    );
    await expect(embedder.embedDocuments(["one", "two"], never)).rejects.toMatchObject({
      code: "KB_EMBED_SERVER",
      message: `No answer from ${server.origin}/v1 within 0.2 s`,
      hint: expect.stringMatching(/batch_size.*timeout_seconds/) as unknown,
    });
    expect(server.asked).toHaveLength(2);
  });

  it("asks again after the time was over", async () => {
    const { embedder } = await bench.pair(inTurn(hanging(() => undefined)), {
      options: { timeout_seconds: 0.2 },
    });
    expect(await embedder.embedQuery("one", never)).not.toBeNull();
  });

  it.each([
    ["the signal", (stop: AbortController) => stop.abort()],
    ["dispose", (_stop: AbortController, dispose: () => Promise<void>) => void dispose()],
  ])("ends with %s, and ends the connection", async (_how, end) => {
    const stop = new AbortController();
    const closed: Promise<unknown>[] = [];
    const { embedder } = await bench.pair(
      hanging((response) => {
        closed.push(once(response, "close"));
        end(stop, () => embedder.dispose());
      }),
    );
    await expect(embedder.embedDocuments(["one"], stop.signal)).rejects.toMatchObject({
      code: "KB_CANCELLED",
    });
    expect(closed).toHaveLength(1);
    await Promise.all(closed);
  });

  it("ends when kb-mcp shuts down", async () => {
    const shutdown = new AbortController();
    const { embedder } = await bench.pair(
      hanging(() => shutdown.abort()),
      { signal: shutdown.signal },
    );
    await expect(embedder.embedQuery("one", never)).rejects.toMatchObject({ code: "KB_CANCELLED" });
  });
});

describe("openai embedder, ended", () => {
  it("answers a query while documents wait for the server", async () => {
    const stop = new AbortController();
    const { embedder } = await bench.pair((asked, response, number) => {
      if (asked.input[0] !== "document") answerWell(asked, response, number);
    });
    const documents = embedder.embedDocuments(["document"], stop.signal);
    expect(await embedder.embedQuery("query", never)).not.toBeNull();
    stop.abort();
    await expect(documents).rejects.toMatchObject({ code: "KB_CANCELLED" });
  });

  it("asks nothing once it was cancelled or disposed of, not even for a key", async () => {
    bench.environment({ OPENAI_API_KEY: undefined });
    const embedder = await bench.embedder("https://embeddings.invalid");
    await expect(embedder.embedQuery("one", AbortSignal.abort())).rejects.toMatchObject({
      code: "KB_CANCELLED",
    });
    await embedder.dispose();
    await expect(embedder.embedQuery("one", never)).rejects.toMatchObject({ code: "KB_CANCELLED" });
  });

  it("closes the connections that it kept", async () => {
    const sockets: Promise<unknown>[] = [];
    const { embedder } = await bench.pair((asked, response, number) => {
      sockets.push(once(response.socket!, "close"));
      answerWell(asked, response, number);
    });
    await embedder.embedQuery("one", never);
    await embedder.dispose();
    await Promise.all(sockets);
    expect(sockets).toHaveLength(1);
    // Left alone, they would be closed after some four seconds.
  }, 2_000);
});
