import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { locateModel } from "../../../../src/plugins/transformers/models/locate-model.js";
import { asOrdinaryUser } from "../../../support/ordinary-user.js";
import { withTemporaryFolder } from "../../../support/temporary-folder.js";
import { digestOf, files, model, onnx, sendBytes, withHub, type Hub, type Misbehave } from "./support/hub.js";
import { contentOf, contextFor, request, sha256, type TestContext } from "./support/model-requests.js";

const large = "onnx/model_quantized.onnx";
const whole = Object.fromEntries(Object.entries(files).map(([name, content]) => [name, sha256(content)]));

/** Runs a download from a server that does not behave. */
async function download(
  misbehave: (hub: Hub) => Misbehave,
  use: (run: () => Promise<string>, hub: Hub, context: TestContext) => Promise<void>,
): Promise<void> {
  await withTemporaryFolder((cache) =>
    withHub(async (hub) => {
      hub.misbehave = misbehave(hub);
      const context = contextFor(cache, hub.url);
      await use(() => locateModel(request, context), hub, context);
    }),
  );
}

/** A GET of the bytes of the large file. */
const isBytes = ({
  file,
  method,
  redirected,
}: {
  file: string;
  method: string;
  redirected: boolean;
}): boolean => file === large && method === "GET" && redirected;

describe("a download that is cut", () => {
  const cutAt = 100_000;
  // After a while: a reset takes bytes along that are still on their way.
  const cut =
    (hub: Hub): Misbehave =>
    (asked, response) => {
      if (!isBytes(asked) || hub.gets(large).length > 1) return false;
      response.writeHead(200, { "content-length": onnx.byteLength, etag: '"etag-of-the-bytes"' });
      response.write(onnx.subarray(0, cutAt), () => setTimeout(() => response.destroy(), 150));
      return true;
    };

  it("goes on where it stopped, and only the rest is sent", async () => {
    await download(cut, async (run, hub, context) => {
      expect(await contentOf(await run())).toMatchObject(whole);
      const [, second, ...more] = hub.gets(large);
      expect(more).toEqual([]);
      expect(second?.headers).toMatchObject({ range: `bytes=${cutAt}-`, "if-range": '"etag-of-the-bytes"' });
      expect(second?.sent).toBe(onnx.byteLength - cutAt);
      expect(context.messages).toEqual([expect.stringContaining("trying again")]);
    });
  });

  it("begins anew where the server ignores what was asked for", async () => {
    await download(
      (hub) => (asked, response, content) => {
        if (cut(hub)(asked, response, content) === true) return true;
        if (!isBytes(asked)) return false;
        sendBytes({ ...asked, headers: {} }, response, onnx, '"another"');
        return true;
      },
      async (run) => expect(await contentOf(await run())).toMatchObject(whole),
    );
  });

  it("begins anew where the server has nothing from there on", async () => {
    await download(
      (hub) => (asked, response, content) => {
        if (cut(hub)(asked, response, content) === true) return true;
        if (!isBytes(asked) || asked.headers.range === undefined) return false;
        response.writeHead(416).end();
        return true;
      },
      async (run, hub) => {
        expect(await contentOf(await run())).toMatchObject(whole);
        expect(hub.gets(large)).toHaveLength(3);
      },
    );
  });

  it("does not mix two versions of a file", async () => {
    await download(
      (hub) => (asked, response, content) => {
        if (cut(hub)(asked, response, content) === true) return true;
        if (!isBytes(asked) || asked.headers.range === undefined) return false;
        // A part of something else, as if it continued.
        response.writeHead(206, {
          "content-range": `bytes ${cutAt}-${onnx.byteLength - 1}/${onnx.byteLength}`,
        });
        response.end(Buffer.alloc(onnx.byteLength - cutAt, "other"));
        return true;
      },
      async (run) => expect(await contentOf(await run())).toMatchObject(whole),
    );
  });

  it("that stalls is given up and goes on", async () => {
    await download(
      (hub) => (asked, response) => {
        if (!isBytes(asked) || hub.gets(large).length > 1) return false;
        response.writeHead(200, { "content-length": onnx.byteLength, etag: '"etag-of-the-bytes"' });
        response.write(onnx.subarray(0, cutAt));
        return true;
      },
      async (run, hub, context) => {
        expect(await contentOf(await run())).toMatchObject(whole);
        expect(hub.gets(large)[1]?.headers.range).toBe(`bytes=${cutAt}-`);
        expect(context.messages[0]).toContain("sends nothing any more");
      },
    );
  });

  it("again and again ends after a few tries, and the next run goes on", async () => {
    let broken = true;
    await download(
      () => (asked, response) => {
        if (!broken || !isBytes(asked)) return false;
        response.writeHead(200, { "content-length": onnx.byteLength, etag: '"etag-of-the-bytes"' });
        response.write(onnx.subarray(0, cutAt), () => setTimeout(() => response.destroy(), 150));
        return true;
      },
      async (run, hub) => {
        await expect(run()).rejects.toMatchObject({
          code: "KB_MODEL_DOWNLOAD",
          hint: expect.stringContaining("goes on"),
        });
        expect(hub.gets(large)).toHaveLength(4);
        broken = false;
        expect(await contentOf(await run())).toMatchObject(whole);
        expect(hub.gets(large).at(-1)?.sent).toBeLessThan(onnx.byteLength);
      },
    );
  });
});

describe("a server that is not well", () => {
  it("is asked again after an error of its own", async () => {
    let failures = 2;
    await download(
      () =>
        ({ method }, response) => {
          if (method !== "GET" || failures-- <= 0) return false;
          response.writeHead(503, { "retry-after": "0" }).end("<html>busy</html>");
          return true;
        },
      async (run) => expect(await contentOf(await run())).toMatchObject(whole),
    );
  });

  it.each([
    [404, {}, "KB_MODEL_UNKNOWN", /no file .* of the model Some\/tiny-model in its revision main/u],
    [404, { "x-error-code": "RevisionNotFound" }, "KB_MODEL_UNKNOWN", /has no revision main/u],
    [404, { "x-error-code": "RepoNotFound" }, "KB_MODEL_UNKNOWN", /has no model Some\/tiny-model/u],
    [401, {}, "KB_MODEL_UNKNOWN", /no model Some\/tiny-model, or gives it only to/u],
    [403, { "x-error-code": "GatedRepo" }, "KB_MODEL_UNKNOWN", /only to those whom it lets in/u],
    [400, {}, "KB_MODEL_DOWNLOAD", /answers 400/u],
  ])("that answers %i %j is not asked again, and no trace stays", async (status, headers, code, message) => {
    await download(
      () => (_, response) => {
        response.writeHead(status, headers).end("no");
        return true;
      },
      async (run, hub, context) => {
        await expect(run()).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
        expect(hub.asked.filter(({ method }) => method === "GET").length).toBeLessThan(3);
        expect(await contentOf(context.cacheDirectory)).toEqual({});
      },
    );
  });

  it.each([
    ["a foreign host", "http://models.example.org/x"],
    ["a file", "file:///etc/passwd"],
    ["nowhere", "http://"],
  ])("is not followed to %s", async (_, location) => {
    await download(
      () =>
        ({ file }, response) => {
          if (file !== large) return false;
          response.writeHead(302, { location }).end();
          return true;
        },
      async (run) => {
        await expect(run()).rejects.toMatchObject({
          code: "KB_MODEL_DOWNLOAD",
          message: expect.stringContaining("sends"),
        });
      },
    );
  });

  it("is not followed in a circle", async () => {
    await download(
      () =>
        ({ file }, response) => {
          if (file !== large) return false;
          response.writeHead(302, { location: `/${model}/resolve/main/${large}` }).end();
          return true;
        },
      async (run, hub) => {
        await expect(run()).rejects.toMatchObject({ message: expect.stringContaining("without an end") });
        expect(hub.asked.length).toBeLessThan(30);
      },
    );
  });

  it("that offers more than the bound is refused before anything is fetched", async () => {
    await withTemporaryFolder((cache) =>
      withHub(async (hub) => {
        const context = contextFor(cache, hub.url, { limits: { modelBytes: 200_000 } });
        await expect(locateModel(request, context)).rejects.toMatchObject({
          code: "KB_MODEL_DOWNLOAD",
          message: expect.stringContaining("larger than"),
        });
        expect(hub.asked.filter(({ method }) => method === "GET")).toEqual([]);
      }),
    );
  });
});

describe("a plain server of files", () => {
  it("that tells neither sizes nor digests will do", async () => {
    await download(
      () =>
        ({ method }, response, content) => {
          if (method === "HEAD") response.writeHead(405).end();
          else if (content === undefined) response.writeHead(404).end();
          else {
            response.write(content.subarray(0, 10));
            response.end(content.subarray(10));
          }
          return true;
        },
      async (run, _, context) => {
        expect(await contentOf(await run())).toMatchObject(whole);
        expect(context.events[0]).not.toHaveProperty("total");
        expect(context.events.at(-1)?.done).toBe(context.events.at(-1)?.total);
      },
    );
  });

  it("that stalls on every question is asked a few times only", async () => {
    await download(
      () => () => true,
      async (run, hub) => {
        await expect(run()).rejects.toMatchObject({
          code: "KB_MODEL_DOWNLOAD",
          message: expect.stringContaining("sends nothing any more"),
        });
        expect(hub.asked.length).toBeLessThan(6);
      },
    );
  });
});

describe("what is not the file", () => {
  const html = Buffer.from("<!DOCTYPE html><title>Sign in</title>".padEnd(2000));
  const never = async (run: () => Promise<string>, context: TestContext, message: string): Promise<void> => {
    await expect(run()).rejects.toMatchObject({
      code: "KB_MODEL_DOWNLOAD",
      message: expect.stringContaining(message),
    });
    expect(
      Object.keys(await contentOf(context.cacheDirectory)).filter((path) => path.includes("onnx")),
    ).toEqual([]);
  };
  const instead =
    (content: Buffer, headers: Readonly<Record<string, string>> = {}): (() => Misbehave) =>
    () =>
    ({ file }, response) => {
      if (file !== large) return false;
      response.writeHead(200, { "content-length": content.byteLength, ...headers }).end(content);
      return true;
    };

  it.each([
    ["by its type", { "content-type": "text/html; charset=utf-8" }],
    ["by its beginning", { "content-type": "application/octet-stream" }],
  ])("is thrown away if it is a web page, told %s", async (_, headers) => {
    await download(instead(html, headers), async (run, hub, context) => {
      await never(run, context, `A web page came from 127.0.0.1:${hub.port} instead of ${large}`);
      expect(hub.asked.filter(({ file, method }) => file === large && method === "GET")).toHaveLength(1);
    });
  });

  it("is thrown away if it is a pointer of Git LFS", async () => {
    await download(instead(Buffer.from("version https://git-lfs.github.com/spec/v1\n")), (run, _, context) =>
      never(run, context, "pointer of Git LFS"),
    );
  });

  it("is thrown away if its SHA-256 is another, after one more try", async () => {
    await download(
      instead(Buffer.alloc(5000, "x"), { etag: `"${digestOf(large, onnx)}"` }),
      async (run, hub, context) => {
        await never(run, context, "is damaged");
        expect(hub.asked.filter(({ file, method }) => file === large && method === "GET")).toHaveLength(2);
      },
    );
  });

  it("is thrown away if it is shorter than announced, though the length of the answer fits", async () => {
    await download(
      instead(onnx.subarray(0, 5000), { "x-linked-size": String(onnx.byteLength) }),
      (run, _, context) => never(run, context, `has 5000 bytes instead of ${onnx.byteLength}`),
    );
  });

  it("is thrown away if it is longer than announced", async () => {
    await download(instead(onnx, { "x-linked-size": "5000" }), (run, _, context) =>
      never(run, context, "longer than announced"),
    );
  });

  it("is thrown away if it should be JSON and is not", async () => {
    await download(
      () =>
        ({ file }, response) => {
          if (file !== "tokenizer.json") return false;
          response.end('{"version": ');
          return true;
        },
      async (run, _, context) => {
        await expect(run()).rejects.toMatchObject({
          code: "KB_MODEL_DOWNLOAD",
          message: expect.stringContaining("is not valid JSON"),
        });
        expect(Object.keys(await contentOf(context.cacheDirectory)).join()).not.toContain("tokenizer.json");
      },
    );
  });

  it("is told by git's digest for a small file", async () => {
    await download(
      () =>
        ({ file }, response) => {
          if (file !== "config.json") return false;
          response
            .writeHead(200, { etag: `"${digestOf("config.json", Buffer.from("{}"))}"` })
            .end('{"a": 1}');
          return true;
        },
      async (run) => {
        await expect(run()).rejects.toMatchObject({ message: expect.stringContaining("is damaged") });
      },
    );
  });
});

describe("a mirror with a name and a password", () => {
  it("is given them, and nobody else is: no message, no manifest, no other server", async () => {
    await withTemporaryFolder((cache) =>
      withHub(async (hub) => {
        const other: (string | undefined)[] = [];
        const foreign = createServer((incoming, response) => {
          other.push(incoming.headers.authorization);
          response.end(onnx);
        });
        await new Promise<void>((resolve) => foreign.listen(0, "127.0.0.1", resolve));
        const { port } = foreign.address() as AddressInfo;
        hub.misbehave = ({ file, redirected }, response) => {
          if (file !== large || redirected) return false;
          response.writeHead(302, { location: `http://127.0.0.1:${port}/bytes` }).end();
          return true;
        };
        const mirror = hub.url.replace("http://", "http://reader:s3cret@");
        const folder = await locateModel(request, contextFor(cache, mirror));
        foreign.close();
        expect(new Set(hub.asked.map(({ headers }) => headers.authorization))).toEqual(
          new Set([`Basic ${Buffer.from("reader:s3cret").toString("base64")}`]),
        );
        expect(other.length).toBeGreaterThan(0);
        expect(new Set(other)).toEqual(new Set([undefined]));
        await expect(
          locateModel({ ...request, files: ["nothing.json"] }, contextFor(cache, mirror)),
        ).rejects.not.toMatchObject({ message: expect.stringContaining("s3cret") });
        expect(sha256(onnx)).toBe((await contentOf(folder))[large]);
        expect(await readFile(join(folder, "files.json"), "utf8")).not.toContain("s3cret");
      }),
    );
  });

  it("that is no address is not repeated", async () => {
    await withTemporaryFolder(async (cache) => {
      await expect(
        locateModel(request, contextFor(cache, "ftp://reader:s3cret@mirror")),
      ).rejects.toMatchObject({ code: "KB_MODEL_DOWNLOAD", message: expect.not.stringContaining("s3cret") });
    });
  });
});

describe("a cache that cannot be written", () => {
  it("is told apart from a network that fails", async () => {
    await withTemporaryFolder((folder) =>
      withHub(async (hub) => {
        const context = contextFor(join(folder, "cache"), hub.url);
        await asOrdinaryUser(folder, async () => {
          if (process.geteuid?.() === 0) return;
          await expect(locateModel(request, context)).rejects.toMatchObject({
            code: "KB_MODEL_DOWNLOAD",
            message: expect.stringContaining("may not be written (EACCES)"),
            hint: expect.stringContaining("KB_MCP_DATA_DIR"),
          });
        });
      }),
    );
  });

  it("because a file is in the way says so", async () => {
    await withTemporaryFolder((folder) =>
      withHub(async (hub) => {
        await writeFile(join(folder, "models"), "in the way");
        await expect(locateModel(request, contextFor(folder, hub.url))).rejects.toMatchObject({
          code: "KB_MODEL_DOWNLOAD",
          message: expect.stringMatching(/cannot be written \(E(?:NOTDIR|EXIST)\)/u),
        });
      }),
    );
  });

  it("is read all the same where the model is whole", async () => {
    await withTemporaryFolder((folder) =>
      withHub(async (hub) => {
        const found = await locateModel(request, contextFor(join(folder, "cache"), hub.url));
        await asOrdinaryUser(folder, async () => {
          expect(await locateModel(request, contextFor(join(folder, "cache"), hub.url))).toBe(found);
        });
      }),
    );
  });
});
