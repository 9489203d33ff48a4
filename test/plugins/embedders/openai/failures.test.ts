// What the openai embedder does when a server fails: tries again, finds the text to blame, or gives up and says why.
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "@jest/globals";
import { embedDocuments } from "../../../../src/core/indexing/embed-documents.js";
import type { PreparedDocument } from "../../../../src/core/indexing/prepare-document.js";
import { answering, answerWell, inTurn, type Behaviour } from "./support/embedding-server.js";
import { never, Workbench } from "./support/openai-embedder.js";
import { untrusted } from "./support/untrusted-certificate.js";

const bench = new Workbench();

afterEach(() => bench.close());

/** So long that a test fails which waits for it. */
const endlessMs = 3_600_000;

/** Answers 400 to whatever holds the word "poison". */
const refusingPoison: Behaviour = (asked, response, number) =>
  asked.input.some((text) => text.includes("poison"))
    ? answering(400, { error: { message: "bad text" } })(asked, response, number)
    : answerWell(asked, response, number);

function preparedDocument(path: string, content: string): PreparedDocument {
  return {
    kind: "document",
    path,
    document: { path },
    chunks: [{ headingPath: [], content }],
  } as unknown as PreparedDocument;
}

describe("openai embedder, trying again", () => {
  it("asks again after an error of the server", async () => {
    const { embedder, server } = await bench.pair(inTurn(answering(500, "oops"), answering(503, "busy")));
    expect(await embedder.embedDocuments(["one"], never)).toHaveLength(1);
    expect(server.asked).toHaveLength(3);
    expect(bench.logged).toMatchObject(
      [/answers 500: oops; trying again in .* s \(1 of 5\)/, /503.*2 of 5/].map(
        (line) => expect.stringMatching(line) as unknown,
      ),
    );
  });

  it("gives up after max_retries, and says what the server said", async () => {
    const { embedder, server } = await bench.pair(answering(500, { error: { message: "out of memory" } }), {
      options: { max_retries: 2 },
    });
    await expect(embedder.embedDocuments(["one"], never)).rejects.toMatchObject({
      code: "KB_EMBED_SERVER",
      message: `${server.origin}/v1 answers 500: out of memory`,
      hint: expect.stringContaining("base_url") as unknown,
    });
    expect(server.asked).toHaveLength(3);
  });

  it("tries a query once more only: somebody waits for it", async () => {
    const { embedder, server } = await bench.pair(answering(500, ""));
    await expect(embedder.embedQuery("one", never)).rejects.toMatchObject({ code: "KB_EMBED_SERVER" });
    expect(server.asked).toHaveLength(2);
  });

  it.each([
    ["seconds", { "retry-after": "0" }],
    ["a date", { "retry-after": "Wed, 21 Oct 2015 07:28:00 GMT" }],
    ["milliseconds", { "retry-after-ms": "0.5", "retry-after": "50" }],
  ])("waits as long as Retry-After says in %s, not as long as it would", async (_form, headers) => {
    const { embedder, server } = await bench.pair(inTurn(answering(429, "slow down", headers)), {
      firstWaitMs: endlessMs,
    });
    await embedder.embedDocuments(["one"], never);
    expect(server.asked).toHaveLength(2);
  });

  it.each([
    ["seconds", () => "90", /again in 90\.0 s/],
    ["a date", () => new Date(Date.now() + 90_000).toUTCString(), /again in (?:8\d|90)\.\d s/],
    ["more than it ever waits", () => "86400", /again in 120\.0 s/],
  ])("does not ask before the time that Retry-After gives in %s", async (_form, retryAfter, line) => {
    const stop = new AbortController();
    const { embedder, server } = await bench.pair(
      (asked, response, number) =>
        answering(429, "", { "retry-after": retryAfter() })(asked, response, number),
      { onLog: () => stop.abort() },
    );
    await expect(embedder.embedDocuments(["one"], stop.signal)).rejects.toMatchObject({
      code: "KB_CANCELLED",
    });
    expect(bench.logged).toEqual([expect.stringMatching(line)]);
    expect(server.asked).toHaveLength(1);
  });

  it("tells who is limited for ever to come back later", async () => {
    const { embedder } = await bench.pair(answering(429, "slow down"), { options: { max_retries: 1 } });
    await expect(embedder.embedDocuments(["one"], never)).rejects.toMatchObject({
      code: "KB_EMBED_SERVER",
      message: expect.stringContaining("429: slow down") as unknown,
      hint: expect.stringContaining("Wait") as unknown,
    });
  });

  it("does not try again once the quota is used up", async () => {
    const { embedder, server } = await bench.pair(
      answering(429, { error: { message: "You exceeded your quota", code: "insufficient_quota" } }),
    );
    await expect(embedder.embedDocuments(["one"], never)).rejects.toMatchObject({
      code: "KB_EMBED_SERVER",
      message: expect.stringContaining("quota is used up") as unknown,
      hint: expect.stringContaining("billing") as unknown,
    });
    expect(server.asked).toHaveLength(1);
  });

  it("asks again when the connection ends in the middle of an answer", async () => {
    const cut: Behaviour = (_asked, response) => {
      response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
      response.write('{"data": [', () => response.destroy());
    };
    const { embedder, server } = await bench.pair(inTurn(cut, cut));
    expect(await embedder.embedDocuments(["one"], never)).toHaveLength(1);
    expect(server.asked).toHaveLength(3);
  });

  it("says which address does not answer", async () => {
    const server = await bench.server();
    await server.close();
    const embedder = await bench.embedder(server.origin, { options: { max_retries: 1 } });
    await expect(embedder.embedDocuments(["one"], never)).rejects.toMatchObject({
      code: "KB_EMBED_SERVER",
      message: `No whole answer from ${server.origin}/v1 (ECONNREFUSED)`,
    });
  });

  it("does not try again where the certificate is not trusted, and says how to trust it", async () => {
    const server = createServer(untrusted, (_request, response) => response.end("{}"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      const origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const embedder = await bench.embedder(origin, { firstWaitMs: endlessMs });
      await expect(embedder.embedDocuments(["one"], never)).rejects.toMatchObject({
        code: "KB_EMBED_SERVER",
        message: expect.stringMatching(/CERT/) as unknown,
        hint: expect.stringContaining("NODE_EXTRA_CA_CERTS") as unknown,
      });
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });

  it.each([404, 402, 405])("does not try again after %d", async (status) => {
    const { embedder, server } = await bench.pair(answering(status, { detail: "not so" }));
    await expect(embedder.embedDocuments(["one"], never)).rejects.toMatchObject({
      code: "KB_EMBED_SERVER",
      message: expect.stringContaining(`answers ${status}: not so`) as unknown,
    });
    expect(server.asked).toHaveLength(1);
  });
});

describe("openai embedder, refused", () => {
  it("names the one text of a batch that the server refuses", async () => {
    const { embedder, server } = await bench.pair(refusingPoison);
    const texts = [
      "a",
      "b",
      "c",
      "Guide > Setup\n\npoison and more of the text, which goes on and on for long",
      "e",
    ];
    await expect(embedder.embedDocuments(texts, never)).rejects.toMatchObject({
      code: "KB_EMBED_FAILED",
      message: `The text that begins with "Guide > Setup poison and more of the text, which goes on an" is refused; ${server.origin}/v1 answers 400: bad text`,
      hint: expect.stringContaining("max_tokens") as unknown,
    });
  });

  it("costs the indexer the document of a refused text alone", async () => {
    const { embedder } = await bench.pair(refusingPoison);
    const documents = ["a.md", "b.md", "bad.md", "d.md"].map((path) =>
      preparedDocument(path, path === "bad.md" ? "poison" : `text of ${path}`),
    );
    const { writes, failures } = await embedDocuments(documents, embedder, never);
    expect(writes.map(({ document }) => document.path)).toEqual(["a.md", "b.md", "d.md"]);
    expect(failures).toMatchObject([{ path: "bad.md", error: { code: "KB_EMBED_FAILED" } }]);
  });

  it("blames the settings where a server that never took a text refuses a plain word too", async () => {
    const { embedder, server } = await bench.pair(
      answering(400, { message: "dimensions are not supported" }),
    );
    await expect(embedder.embedDocuments(["a", "b", "c", "d"], never)).rejects.toMatchObject({
      code: "KB_EMBED_SERVER",
      message: `Any text is refused; ${server.origin}/v1 answers 400: dimensions are not supported`,
      hint: expect.stringContaining("send_dimensions = false") as unknown,
    });
    expect(server.asked.map(({ input }) => input.length)).toEqual([4, 2, 1, 1]);
  });

  it("asks for no plain word once the server took a text", async () => {
    const { embedder, server } = await bench.pair(refusingPoison);
    await embedder.embedDocuments(["fine"], never);
    await expect(embedder.embedDocuments(["poison"], never)).rejects.toMatchObject({
      code: "KB_EMBED_FAILED",
    });
    expect(server.asked.map(({ input }) => input)).toEqual([["fine"], ["poison"]]);
  });

  it("halves what is too large for the server, and asks for no more than fits from then on", async () => {
    const { embedder, server } = await bench.pair((asked, response, number) =>
      (asked.input.length > 2 ? answering(413, "too large") : answerWell)(asked, response, number),
    );
    const texts = ["a", "b", "c", "d", "e", "f", "g", "h"];
    const vectors = await embedder.embedDocuments(texts, never);
    expect(server.asked.map(({ input }) => input.length)).toEqual([8, 4, 2, 2, 4, 2, 2]);
    server.asked.length = 0;
    expect(await embedder.embedDocuments(texts, never)).toEqual(vectors);
    expect(server.asked.map(({ input }) => input.length)).toEqual([2, 2, 2, 2]);
  });
});
