// What the openai embedder asks a server that answers well, and what it makes of the answers.
import { afterEach, describe, expect, it } from "@jest/globals";
import { answerWell, embeddings, numbersOf, reply, dimensions } from "./support/embedding-server.js";
import { never, Workbench } from "./support/openai-embedder.js";

const bench = new Workbench();

afterEach(() => bench.close());

const sizes = (asked: readonly { readonly input: readonly string[] }[]): number[] =>
  asked.map(({ input }) => input.length);

function unit(text: string): Float32Array {
  const numbers = numbersOf(text);
  return Float32Array.from(numbers, (number) => number / Math.hypot(...numbers));
}

describe("openai embedder, asking", () => {
  it("gives each text the server's vector at unit length", async () => {
    const { embedder } = await bench.pair(answerWell);
    const vectors = await embedder.embedDocuments(["one", "two"], never);
    expect(vectors).toEqual([unit("one"), unit("two")]);
    for (const vector of vectors) {
      expect(vector).toBeInstanceOf(Float32Array);
      expect(Math.hypot(...vector!)).toBeCloseTo(1, 6);
    }
  });

  it("goes by the index of each vector where they come in another order", async () => {
    const { embedder } = await bench.pair(({ input }, response) => {
      const { data } = embeddings(input);
      reply(response, 200, { data: [data[2], data[0], data[3], data[1]] });
    });
    const texts = ["a", "b", "c", "d"];
    expect(await embedder.embedDocuments(texts, never)).toEqual(texts.map(unit));
  });

  it("goes by the order where the vectors have no index", async () => {
    const { embedder } = await bench.pair(({ input }, response) =>
      reply(response, 200, { data: input.map((text) => ({ embedding: numbersOf(text) })) }),
    );
    expect(await embedder.embedDocuments(["a", "b"], never)).toEqual([unit("a"), unit("b")]);
  });

  it("posts the model, the texts and the length, and wants floats", async () => {
    const { embedder, server } = await bench.pair(answerWell);
    await embedder.embedDocuments(["one"], never);
    expect(server.asked).toMatchObject([
      {
        url: "/v1/embeddings",
        body: { model: "m", input: ["one"], encoding_format: "float", dimensions },
      },
    ]);
  });

  it("does not send the length where the server takes none", async () => {
    const { embedder, server } = await bench.pair(answerWell, { options: { send_dimensions: false } });
    await embedder.embedDocuments(["one"], never);
    expect(Object.keys(server.asked[0]!.body).sort()).toEqual(["encoding_format", "input", "model"]);
  });

  it("sends no header that tells of this machine or was meant for another server", async () => {
    bench.environment({
      OPENAI_API_KEY: "key-for-openai",
      OPENAI_ADMIN_KEY: "key-for-admins",
      OPENAI_ORG_ID: "our-organization",
      OPENAI_PROJECT_ID: "our-project",
      OPENAI_CUSTOM_HEADERS: "x-secret: for a gateway\nauthorization: Bearer of-another",
      OPENAI_BASE_URL: "http://127.0.0.1:9",
    });
    const { embedder, server } = await bench.pair(answerWell);
    await embedder.embedQuery("one", never);
    const { headers } = server.asked[0]!;
    expect(Object.keys(headers)).not.toContain("authorization");
    expect(Object.keys(headers).filter((name) => name.startsWith("x-") || /openai/.test(name))).toEqual([]);
    expect(JSON.stringify(headers)).not.toMatch(/key-for|our-|gateway|of-another/);
  });

  it("puts as many texts into a request as batch_size says", async () => {
    const { embedder, server } = await bench.pair(answerWell, { options: { batch_size: 3 } });
    const texts = ["a", "b", "c", "d", "e", "f", "g"];
    expect(await embedder.embedDocuments(texts, never)).toEqual(texts.map(unit));
    expect(sizes(server.asked)).toEqual([3, 3, 1]);
  });

  it("puts as many tokens into a request as batch_tokens says, and a longer text alone", async () => {
    const { embedder, server } = await bench.pair(answerWell, { options: { batch_tokens: 10 } });
    const five = "x".repeat(20);
    await embedder.embedDocuments([five, five, five, "y".repeat(100), five, "z", "z"], never);
    expect(sizes(server.asked)).toEqual([2, 1, 1, 3]);
  });

  it("puts its prefix before each document and each query", async () => {
    const { embedder, server } = await bench.pair(answerWell, {
      options: { query_prefix: "query: ", document_prefix: "passage: " },
    });
    await embedder.embedDocuments(["one", "two"], never);
    await embedder.embedQuery("one", never);
    expect(server.asked.map(({ input }) => input)).toEqual([
      ["passage: one", "passage: two"],
      ["query: one"],
    ]);
  });

  it("declines texts without a letter, asks nothing for them, and keeps the order of the rest", async () => {
    const { embedder, server } = await bench.pair(answerWell);
    expect(await embedder.embedDocuments(["", "one", " \n\t", "two"], never)).toEqual([
      null,
      unit("one"),
      null,
      unit("two"),
    ]);
    expect(await embedder.embedDocuments([" "], never)).toEqual([null]);
    expect(await embedder.embedQuery(" ", never)).toBeNull();
    expect(server.asked).toHaveLength(1);
  });

  it("cuts a text to max_tokens, prefix included, and never through a character", async () => {
    const { embedder, server } = await bench.pair(answerWell, {
      options: { max_tokens: 16, chunk_tokens: 16, document_prefix: "doc:" },
    });
    await embedder.embedDocuments(["x".repeat(1000), "日".repeat(1000), `y${"🔥".repeat(1000)}`], never);
    expect(server.asked[0]!.input).toEqual([
      `doc:${"x".repeat(60)}`,
      `doc:${"日".repeat(15)}`,
      `doc:y${"🔥".repeat(29)}`,
    ]);
  });

  it("replaces half a character, which is no text", async () => {
    const { embedder, server } = await bench.pair(answerWell);
    await embedder.embedDocuments(["broken \ud83d here"], never);
    expect(server.asked[0]!.input).toEqual(["broken \ufffd here"]);
  });

  it("keeps its connections for the next requests", async () => {
    const ports = new Set<number | undefined>();
    const { embedder } = await bench.pair((asked, response, number) => {
      ports.add(response.socket?.remotePort);
      answerWell(asked, response, number);
    });
    for (const text of "abcdefgh") await embedder.embedQuery(text, never);
    // The next request may come before the last connection is free again.
    expect(ports.size).toBeLessThanOrEqual(2);
  });
});

describe("openai embedder, described", () => {
  it("names what changes its vectors, and not where the server is", async () => {
    const options = { query_prefix: "q: ", document_prefix: "d: " };
    const here = await bench.embedder("http://127.0.0.1:1", { options });
    const there = await bench.embedder("http://127.0.0.1:2", { options });
    expect(here.model).toBe(`openai m dimensions=${dimensions} prefixes=["q: ","d: "]`);
    expect(there.model).toBe(here.model);
  });

  it.each([
    [{}, { target: 400, max: 600 }],
    [{ chunk_tokens: 100 }, { target: 100, max: 150 }],
    [{ max_tokens: 512 }, { target: 400, max: 512 }],
    [
      { max_tokens: 256, document_prefix: "12345678" },
      { target: 254, max: 254 },
    ],
  ])("wants passages that fit: %j", async (options, chunkTokens) => {
    const embedder = await bench.embedder("http://127.0.0.1:1", { options });
    expect(embedder).toMatchObject({ chunkTokens, dimensions, fusionWeight: 0.5 });
  });
});
