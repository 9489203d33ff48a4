import { createServer, type IncomingMessage } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { locateModel } from "../../../../src/plugins/transformers/models/locate-model.js";
import { withTemporaryFolder } from "../../../support/temporary-folder.js";
import { files, withHub } from "./support/hub.js";
import { contentOf, contextFor, request, sha256 } from "./support/model-requests.js";

const names = [
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "NO_PROXY",
  "http_proxy",
  "https_proxy",
  "no_proxy",
  "HF_ENDPOINT",
];
const before = new Map(names.map((name) => [name, process.env[name]]));
beforeEach(() => {
  for (const name of names) process.env[name] = undefined;
  for (const name of names) Reflect.deleteProperty(process.env, name);
});
afterEach(() => {
  for (const [name, value] of before)
    if (value === undefined) Reflect.deleteProperty(process.env, name);
    else process.env[name] = value;
});

/** A real proxy that tunnels every name to a server on loopback, and notes what it was asked. */
async function withProxy<T>(
  target: number,
  use: (proxy: { url: string; asked: { target: string; authorization: string | undefined }[] }) => Promise<T>,
): Promise<T> {
  const asked: { target: string; authorization: string | undefined }[] = [];
  const sockets = new Set<Socket>();
  const server = createServer();
  server.on("connect", (incoming: IncomingMessage, socket: Socket) => {
    const authorization = incoming.headers["proxy-authorization"];
    asked.push({ target: incoming.url ?? "", authorization });
    if (authorization === undefined) {
      socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
      return;
    }
    const upstream = connect(target, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      socket.pipe(upstream).pipe(socket);
    });
    for (const one of [socket, upstream]) {
      sockets.add(one);
      one.on("error", () => undefined);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  try {
    return await use({ url: `http://reader:s3cret@127.0.0.1:${port}`, asked });
  } finally {
    for (const socket of sockets) socket.destroy();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

describe("a proxy named in the environment", () => {
  it("carries a download from a server that is not this machine, with its user and password", async () => {
    await withTemporaryFolder((cache) =>
      withHub((hub) =>
        withProxy(hub.port, async (proxy) => {
          process.env["HTTP_PROXY"] = proxy.url;
          const folder = await locateModel(request, contextFor(cache, "http://models.invalid"));
          expect(await contentOf(folder)).toMatchObject(
            Object.fromEntries(Object.entries(files).map(([name, content]) => [name, sha256(content)])),
          );
          expect(proxy.asked[0]).toEqual({
            target: "models.invalid:80",
            authorization: `Basic ${Buffer.from("reader:s3cret").toString("base64")}`,
          });
        }),
      ),
    );
  });

  it("is left out for this machine and for names in NO_PROXY", async () => {
    await withTemporaryFolder((cache) =>
      withHub((hub) =>
        withProxy(hub.port, async (proxy) => {
          process.env["HTTP_PROXY"] = proxy.url;
          await locateModel(request, contextFor(cache, hub.url));
          process.env["NO_PROXY"] = "example.org, models.invalid";
          await expect(
            locateModel({ ...request, revision: "v2" }, contextFor(cache, "http://models.invalid")),
          ).rejects.toMatchObject({ message: expect.stringContaining("cannot be reached") });
          expect(proxy.asked).toEqual([]);
        }),
      ),
    );
  });

  it("that refuses is named as the reason, without its password", async () => {
    await withTemporaryFolder((cache) =>
      withHub((hub) =>
        withProxy(hub.port, async (proxy) => {
          process.env["HTTP_PROXY"] = proxy.url.replace("reader:s3cret@", "");
          await expect(
            locateModel(request, contextFor(cache, "http://models.invalid")),
          ).rejects.toMatchObject({
            code: "KB_MODEL_DOWNLOAD",
            message: "The proxy refuses to connect to models.invalid (407)",
            hint: expect.stringContaining("HTTPS_PROXY"),
          });
        }),
      ),
    );
  });

  it("that is no address is said to be none, without repeating it", async () => {
    await withTemporaryFolder(async (cache) => {
      process.env["HTTPS_PROXY"] = "s3cret:3128";
      await expect(locateModel(request, contextFor(cache, undefined))).rejects.toMatchObject({
        code: "KB_MODEL_DOWNLOAD",
        message: "HTTPS_PROXY or HTTP_PROXY is not the address of a proxy",
      });
    });
  });
});

describe("HF_ENDPOINT", () => {
  it("names the mirror where the options name none", async () => {
    await withTemporaryFolder((cache) =>
      withHub(async (hub) => {
        process.env["HF_ENDPOINT"] = hub.url;
        await locateModel(request, contextFor(cache, undefined));
        expect(hub.gets("config.json")).toHaveLength(1);
        await expect(
          locateModel({ ...request, revision: "v2" }, contextFor(cache, "http://127.0.0.1:9")),
        ).rejects.toMatchObject({ message: expect.stringContaining("127.0.0.1:9") });
      }),
    );
  });
});
