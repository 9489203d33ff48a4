// The openai embedder behind a proxy, a real one on loopback.
import { createServer, request as ask, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { inspect } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { answerWell } from "./support/embedding-server.js";
import { never, Workbench } from "./support/openai-embedder.js";

const bench = new Workbench();

/** Where nothing answers: every way there leads through the proxy. */
const far = "embeddings.invalid";

interface Passed {
  readonly method: string;
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
}

let proxy: Server;
let passed: Passed[];
/** The server that the proxy takes for `far`. */
let behind: string;
let proxyHost: string;

beforeEach(async () => {
  passed = [];
  proxy = createServer((incoming, outgoing) => {
    const { method = "", url = "", headers } = incoming;
    passed.push({ method, target: url, headers });
    const onward = ask(behind + new URL(url).pathname, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(onward);
  });
  proxy.on("connect", ({ method = "", url = "", headers }, socket: Socket) => {
    passed.push({ method, target: url, headers });
    socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  proxyHost = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const none = ["http_proxy", "https_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"];
  bench.environment(Object.fromEntries(none.map((name) => [name, undefined])));
});

afterEach(async () => {
  await bench.close();
  proxy.closeAllConnections();
  await new Promise((resolve) => proxy.close(resolve));
});

describe("openai embedder, behind a proxy", () => {
  it.each(["HTTP_PROXY", "http_proxy"])("asks an http address through %s, without a tunnel", async (name) => {
    const server = await bench.server(answerWell);
    behind = server.origin;
    bench.environment({ [name]: `http://${proxyHost}` });
    const embedder = await bench.embedder(`http://${far}`);
    expect(await embedder.embedDocuments(["one", "two"], never)).toHaveLength(2);
    expect(await embedder.embedQuery("three", never)).not.toBeNull();
    expect(passed).toMatchObject([
      { method: "POST", target: `http://${far}/v1/embeddings`, headers: { host: far } },
      { method: "POST", target: `http://${far}/v1/embeddings` },
    ]);
    expect(server.asked.map(({ input }) => input)).toEqual([["one", "two"], ["three"]]);
  });

  it("takes an address without http:// before it", async () => {
    behind = (await bench.server(answerWell)).origin;
    bench.environment({ HTTP_PROXY: proxyHost });
    const embedder = await bench.embedder(`http://${far}`);
    expect(await embedder.embedQuery("one", never)).not.toBeNull();
    expect(passed).toHaveLength(1);
  });

  it.each(["HTTPS_PROXY", "HTTP_PROXY"])("asks an https address through a tunnel of %s", async (name) => {
    bench.environment({ [name]: `http://user:proxy-pass@${proxyHost}`, OPENAI_API_KEY: "a-secret-key" });
    const embedder = await bench.embedder(`https://${far}`, { options: { max_retries: 0 } });
    const error: unknown = await embedder.embedDocuments(["one"], never).catch((thrown: unknown) => thrown);
    expect(passed).toMatchObject([{ method: "CONNECT", target: `${far}:443` }]);
    const { headers } = passed[0]!;
    expect(headers["proxy-authorization"]).toBe(`Basic ${Buffer.from("user:proxy-pass").toString("base64")}`);
    expect(headers.authorization).toBeUndefined();
    expect(error).toMatchObject({
      code: "KB_EMBED_SERVER",
      message: expect.stringContaining(`No whole answer from https://${far}/v1`) as unknown,
      hint: expect.stringMatching(new RegExp(`proxy in ${name}; NO_PROXY`)) as unknown,
    });
    expect(inspect(error, { depth: 10, showHidden: true })).not.toMatch(/proxy-pass|a-secret-key/);
  });

  it.each([
    ["NO_PROXY names it", { NO_PROXY: `other.invalid,${far}` }],
    ["NO_PROXY names its domain", { NO_PROXY: ".invalid" }],
  ])("asks an address directly where %s", async (_why, variables) => {
    bench.environment({ HTTP_PROXY: `http://${proxyHost}`, ...variables });
    const embedder = await bench.embedder(`http://${far}`, { options: { max_retries: 0 } });
    await expect(embedder.embedQuery("one", never)).rejects.toMatchObject({ code: "KB_EMBED_SERVER" });
    expect(passed).toEqual([]);
  });

  it("asks this machine directly, whatever the variables say", async () => {
    bench.environment({ HTTP_PROXY: `http://${proxyHost}`, HTTPS_PROXY: `http://${proxyHost}` });
    const { embedder, server } = await bench.pair(answerWell);
    expect(await embedder.embedQuery("one", never)).not.toBeNull();
    expect(server.asked).toHaveLength(1);
    expect(passed).toEqual([]);
  });

  it.each(["socks5://user:proxy-pass@127.0.0.1:1", "http://user:proxy-pass@"])(
    "refuses a variable that holds no http proxy, without repeating it: %s",
    async (value) => {
      bench.environment({ HTTPS_PROXY: value, OPENAI_API_KEY: "a-secret-key" });
      const embedder = await bench.embedder(`https://${far}`);
      const error: unknown = await embedder.embedQuery("one", never).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({
        code: "KB_EMBED_SERVER",
        message: "The environment variable HTTPS_PROXY holds no address of an http proxy",
      });
      expect(inspect(error, { depth: 10, showHidden: true })).not.toContain("proxy-pass");
    },
  );
});
