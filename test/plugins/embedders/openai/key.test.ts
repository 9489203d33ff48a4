// Where the key goes, and that nothing shows it.
import { inspect } from "node:util";
import { afterEach, describe, expect, it } from "@jest/globals";
import { answering, answerWell, inTurn } from "./support/embedding-server.js";
import { never, Workbench } from "./support/openai-embedder.js";

const bench = new Workbench();

afterEach(() => bench.close());

const key = "sq-Abc123+/secret=";
const withKey = { options: { api_key_env: "KB_TEST_KEY" } };

async function errorOf(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new Error("It did not fail");
}

/** Everything that could be written of an error. */
function allOf(error: unknown): string {
  return [String(error), JSON.stringify(error), inspect(error, { depth: 10, showHidden: true })].join("\n");
}

describe("the key of the openai embedder", () => {
  it("goes to the server from the variable that api_key_env names", async () => {
    bench.environment({ KB_TEST_KEY: ` ${key}\n` });
    const { embedder, server } = await bench.pair(answerWell, withKey);
    await embedder.embedQuery("one", never);
    expect(server.asked[0]!.headers.authorization).toBe(`Bearer ${key}`);
  });

  it("is the one of the variable, whatever OPENAI_CUSTOM_HEADERS says", async () => {
    bench.environment({ KB_TEST_KEY: key, OPENAI_CUSTOM_HEADERS: "Authorization: Bearer another" });
    const { embedder, server } = await bench.pair(answerWell, withKey);
    await embedder.embedQuery("one", never);
    expect(server.asked[0]!.headers.authorization).toBe(`Bearer ${key}`);
  });

  it("of OpenAI does not go to an http address that no key was named for", async () => {
    bench.environment({ OPENAI_API_KEY: key });
    const { embedder, server } = await bench.pair(answerWell);
    await embedder.embedQuery("one", never);
    expect(server.asked[0]!.headers.authorization).toBeUndefined();
  });

  it("is not needed on this machine", async () => {
    bench.environment({ KB_TEST_KEY: undefined });
    const { embedder, server } = await bench.pair(answerWell, withKey);
    await embedder.embedQuery("one", never);
    expect(server.asked[0]!.headers.authorization).toBeUndefined();
  });

  it.each([
    ["https://embeddings.invalid", {}, "OPENAI_API_KEY"],
    ["https://embeddings.invalid", withKey.options, "KB_TEST_KEY"],
    ["http://embeddings.invalid", withKey.options, "KB_TEST_KEY"],
  ])("is missed before anything is sent to %s %j", async (origin, options, variable) => {
    bench.environment({ OPENAI_API_KEY: undefined, KB_TEST_KEY: "" });
    const embedder = await bench.embedder(origin, { options });
    await expect(embedder.embedDocuments(["one"], never)).rejects.toMatchObject({
      code: "KB_EMBED_KEY",
      message: `The environment variable ${variable} holds no key for ${origin}/v1`,
      hint: expect.stringContaining("api_key_env") as unknown,
    });
  });

  it("is looked for again after it was missing", async () => {
    bench.environment({ KB_TEST_KEY: "two words" });
    const { embedder } = await bench.pair(answerWell, withKey);
    const error = await errorOf(embedder.embedQuery("one", never));
    expect(error).toMatchObject({ code: "KB_EMBED_KEY" });
    expect(allOf(error)).not.toContain("two words");
    bench.environment({ KB_TEST_KEY: key });
    expect(await embedder.embedQuery("one", never)).not.toBeNull();
  });

  it.each([
    ["JSON", { error: { message: `Incorrect API key provided: ${key}.` } }],
    ["a text", `no such key: Bearer ${key}`],
    ["JSON of another form", { status: { echoed: key } }],
  ])("is in no message, error or log when a server repeats it in %s", async (_form, body) => {
    bench.environment({ KB_TEST_KEY: key });
    const { embedder, server } = await bench.pair(
      inTurn(answering(503, body), answering(401, body)),
      withKey,
    );
    const error = await errorOf(embedder.embedDocuments(["one"], never));
    expect(error).toMatchObject({
      code: "KB_EMBED_KEY",
      message: expect.stringMatching(/^The key is refused; .* answers 401: .*\[key\]/) as unknown,
    });
    expect(bench.logged).toHaveLength(1);
    expect(`${allOf(error)}\n${bench.logged.join("\n")}`).not.toContain("Abc123");
    expect(server.asked).toHaveLength(2);
  });

  it("is in no message when it comes back shortened or in the address of a redirect", async () => {
    bench.environment({ KB_TEST_KEY: key });
    const { embedder } = await bench.pair(
      inTurn(
        answering(401, {
          error: { message: "Incorrect API key provided: sk-abcde***********wxyz. See the site." },
        }),
        answering(302, "", { location: `https://elsewhere.invalid/?key=${encodeURIComponent(key)}` }),
        answering(302, "", { location: `https://elsewhere.invalid/?key=${key}` }),
      ),
      withKey,
    );
    for (let time = 0; time < 3; time++) {
      const error = await errorOf(embedder.embedQuery("one", never));
      expect(allOf(error)).not.toMatch(/Abc123|abcde|wxyz/);
    }
  });

  it("is asked for where a server wants one and none was sent", async () => {
    const { embedder } = await bench.pair(answering(401, { error: "who are you" }));
    await expect(embedder.embedDocuments(["one"], never)).rejects.toMatchObject({
      code: "KB_EMBED_KEY",
      message: expect.stringMatching(/^A key is needed; .* answers 401: who are you$/) as unknown,
    });
  });

  it("stays out of the failure of a connection", async () => {
    bench.environment({ KB_TEST_KEY: key });
    const { embedder } = await bench.pair((_asked, response) => void response.destroy(), {
      options: { ...withKey.options, max_retries: 0 },
    });
    const error = await errorOf(embedder.embedDocuments(["one"], never));
    expect(error).toMatchObject({ code: "KB_EMBED_SERVER" });
    expect(allOf(error)).not.toContain("Abc123");
  });
});
