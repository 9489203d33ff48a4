// What the openai embedder makes of answers that no embedding server should give: nothing of them is trusted.
import { afterEach, describe, expect, it } from "@jest/globals";
import { answering, answerWell, embeddings, inTurn } from "./support/embedding-server.js";
import { never, Workbench } from "./support/openai-embedder.js";

const bench = new Workbench();

afterEach(() => bench.close());

describe("openai embedder, not believing an answer", () => {
  const one = ({ data }: ReturnType<typeof embeddings>): Record<string, unknown> => data[0]!;

  it.each<[string, unknown, string]>([
    ["an HTML page", "<!doctype html><title>Sign in</title>", "something other than JSON"],
    ["half an answer", '{"data": [', "something other than JSON"],
    ["an empty answer", "", "something other than JSON"],
    ["null", "null", "without data"],
    ["an error with status 200", { error: { message: "no" } }, "without data"],
    ["no vector", { data: [] }, "0 vectors for 1 texts"],
    ["too many vectors", embeddings(["one", "two"]), "2 vectors for 1 texts"],
    [
      "the vector of a text it was not given",
      { data: [{ ...one(embeddings(["x"])), index: 1 }] },
      "texts it was not given",
    ],
    ["null for a vector", { data: [null] }, "no vector"],
    [
      "a vector in base64",
      { data: [{ index: 0, embedding: "AACAPwAAAEAAAEBAAACAQA==" }] },
      "no lists of numbers",
    ],
    ["words", { data: [{ index: 0, embedding: Array(8).fill("1") }] }, "no numbers in them"],
    ["null for numbers", { data: [{ index: 0, embedding: Array(8).fill(null) }] }, "no numbers in them"],
  ])("refuses %s", async (_what, body, words) => {
    const { embedder, server } = await bench.pair(answering(200, body));
    await expect(embedder.embedDocuments(["one"], never)).rejects.toMatchObject({
      code: "KB_EMBED_SERVER",
      message: expect.stringMatching(
        new RegExp(`answers .*${words}.*does not look like an embedding server`),
      ) as unknown,
      hint: expect.stringContaining("base_url") as unknown,
    });
    expect(server.asked).toHaveLength(1);
  });

  it("refuses two vectors for the same text", async () => {
    const first = one(embeddings(["one"]));
    const { embedder } = await bench.pair(answering(200, { data: [first, first] }));
    await expect(embedder.embedDocuments(["one", "two"], never)).rejects.toMatchObject({
      code: "KB_EMBED_SERVER",
      message: expect.stringContaining("vectors for texts it was not given") as unknown,
    });
  });

  it("refuses vectors of another length than configured, and says what to do", async () => {
    const { embedder, server } = await bench.pair(
      inTurn(answerWell, answering(200, { data: [{ index: 0, embedding: [1, 2, 3] }] })),
    );
    await embedder.embedDocuments(["one"], never);
    await expect(embedder.embedDocuments(["two"], never)).rejects.toMatchObject({
      code: "KB_EMBED_DIMENSIONS",
      message: "m answers vectors of 3 dimensions, and 8 are configured",
      hint: expect.stringMatching(/dimensions.*kb-mcp index --force/) as unknown,
    });
    expect(server.asked).toHaveLength(2);
  });

  it("refuses a vector of zeros as the text's own failure", async () => {
    const { embedder } = await bench.pair(
      answering(200, { data: [{ index: 0, embedding: Array(8).fill(0) }] }),
    );
    await expect(embedder.embedDocuments(["one"], never)).rejects.toMatchObject({ code: "KB_EMBED_FAILED" });
  });

  it("stops reading an answer that is longer than its vectors can be", async () => {
    let sent = 0;
    const { embedder, server } = await bench.pair(
      (_asked, response) => {
        response.writeHead(200);
        const more = (): void => {
          sent += 65_536;
          if (!response.destroyed) response.write(" ".repeat(65_536), more);
        };
        more();
      },
      { options: { batch_size: 1 } },
    );
    await expect(embedder.embedDocuments(["one"], never)).rejects.toMatchObject({
      code: "KB_EMBED_SERVER",
      message: `${server.origin}/v1 answers more than its vectors can be`,
    });
    expect(sent).toBeLessThan(32 * 1024 * 1024);
    expect(server.asked).toHaveLength(1);
  });

  it("repeats one printable line of an error, and none of a page", async () => {
    const { embedder } = await bench.pair(
      inTurn(
        answering(404, `\n first \u001b[31mline${"e".repeat(1000)}\nsecond line`),
        answering(404, "<html>\n<body>a page for people</body></html>"),
      ),
    );
    const [text, page] = await Promise.allSettled([
      embedder.embedDocuments(["one"], never),
      embedder.embedDocuments(["one"], never),
    ]);
    const messages = [text, page].map((result) => String((result as PromiseRejectedResult).reason)).sort();
    expect(messages.join()).not.toMatch(/second|people|\p{C}/u);
    for (const message of messages) expect(message.length).toBeLessThan(400);
  });

  it("follows no redirect", async () => {
    const elsewhere = await bench.server();
    bench.environment({ KB_TEST_KEY: "a-secret-key" });
    const { embedder, server } = await bench.pair(
      (asked, response, number) =>
        answering(307, "", { location: `${elsewhere.origin}/v1/embeddings` })(asked, response, number),
      { options: { api_key_env: "KB_TEST_KEY" } },
    );
    await expect(embedder.embedDocuments(["one"], never)).rejects.toMatchObject({
      code: "KB_EMBED_SERVER",
      message: `${server.origin}/v1 sends elsewhere (307), to ${elsewhere.origin}`,
      hint: expect.stringContaining("base_url") as unknown,
    });
    expect(server.asked).toHaveLength(1);
    expect(elsewhere.asked).toEqual([]);
  });
});
