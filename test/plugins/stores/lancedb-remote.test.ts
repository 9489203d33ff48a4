import { createServer, type Server } from "node:http";
import { once } from "node:events";
import { access, mkdtemp, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import type { VectorStore } from "../../../src/core/plugin-api.js";
import plugin from "../../../src/plugins/stores/lancedb/index.js";
import { pluginHost } from "../../support/plugin-host.js";
import { assertSame } from "../../../src/testing/store-contract/assert-same.js";
import {
  everywhere,
  randomDocuments,
  randomFrom,
  randomVector,
} from "../../../src/testing/store-contract/corpus.js";

const factory = plugin.stores![0]!;

async function validated(options: unknown): Promise<unknown> {
  const result = await factory.optionsSchema!["~standard"].validate(options);
  return result.issues === undefined
    ? result.value
    : result.issues.map(({ path, message }) => [path?.map(String).join("."), message]);
}

async function open(options: unknown, folder = "/nowhere"): Promise<VectorStore> {
  const result = await factory.optionsSchema!["~standard"].validate(options);
  if (result.issues !== undefined) throw new Error(result.issues.map(({ message }) => message).join("; "));
  return factory.create(result.value, pluginHost(folder));
}

describe("the option uri of the lancedb store", () => {
  let folder: string;
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), "kb-mcp-uri-"))));
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it("takes a file URI, with its spaces and its Japanese, for an index from beginning to end", async () => {
    const place = join(folder, "my 索引");
    const uri = pathToFileURL(place).href;
    const documents = randomDocuments(71, 20);
    const store = await open({ uri });
    await store.reset({ dimensions: 8, meta: { a: "1" } });
    await store.write({ put: documents });
    await store.maintain(new AbortController().signal);
    await store.close();
    await expect(access(place)).resolves.toBeUndefined();
    const again = await open({ uri: place });
    expect(await again.readMeta()).toEqual({ a: "1" });
    await assertSame(again, documents);
    const query = { clauses: [{ field: "text", terms: [everywhere], weight: 1 }] } as const;
    expect(await again.textSearch(query, 5)).toHaveLength(5);
    expect(await again.vectorSearch(randomVector(randomFrom(1)), 5)).toHaveLength(5);
    await again.write({ delete: [documents[0]!.document.path] });
    await assertSame(again, documents.slice(1));
    await again.close();
  });

  it("takes folders and the URIs of object stores and servers", async () => {
    expect(await validated({ uri: "/data/index" })).toEqual({ uri: "/data/index" });
    expect(await validated({ uri: "~/index" })).toEqual({ uri: join(homedir(), "index") });
    expect(await validated({ uri: "gs://bucket/kb" })).toEqual({ uri: "gs://bucket/kb" });
    const storage = { aws_endpoint: "http://127.0.0.1:9000", allow_http: "true" };
    expect(await validated({ uri: "s3://bucket/kb", storage_options: storage })).toEqual({
      uri: "s3://bucket/kb",
      storageOptions: storage,
    });
    expect(
      await validated({
        uri: "db://team",
        region: "eu-west-1",
        host_override: "https://a.example/",
        api_key_env: "K",
      }),
    ).toEqual({ uri: "db://team", region: "eu-west-1", hostOverride: "https://a.example", apiKeyEnv: "K" });
  });

  it.each([
    [{ uri: "index" }, "uri"],
    [{ uri: "./index" }, "uri"],
    [{ uri: "memory://" }, "uri"],
    [{ uri: "https://a.example/index" }, "uri"],
    [{ uri: "file://elsewhere/index" }, "uri"],
    [{ uri: "s3://" }, "uri"],
    [{ uri: "s3://bucket/kb?region=x" }, "uri"],
    [{ uri: "s3://bucket", storage_options: "aws" }, "storage_options"],
    [{ uri: "s3://bucket", storage_options: { allow_http: true } }, "storage_options.allow_http"],
    [{ uri: "/data", storage_options: {} }, "storage_options"],
    [{ storage_options: {} }, "storage_options"],
    [{ uri: "s3://bucket", region: "eu" }, "region"],
    [{ uri: "db://team", region: 3 }, "region"],
    [{ uri: "db://team", host_override: "http://a.example" }, "host_override"],
    [{ uri: "db://team", host_override: "https://me:pass@a.example" }, "host_override"],
    [{ uri: "db://team", url: "x" }, "url"],
  ])("refuses %j", async (options, path) => {
    expect(await validated(options)).toEqual([[path, expect.any(String)]]);
  });

  it.each([
    { uri: "s3://user:hidden-7f3a@bucket/kb" },
    { uri: "db://team", api_key_env: "sk_hidden-7f3a" },
    { uri: "db://team", api_key: "hidden-7f3a" },
    { uri: "s3://bucket", storage_options: { aws_secret_access_key: ["hidden-7f3a"] } },
  ])("refuses a key in the wrong place and does not repeat it: %j", async (options) => {
    const issues = await validated(options);
    expect(issues).toHaveLength(1);
    expect(JSON.stringify(issues)).not.toContain("hidden");
  });
});

describe("a lancedb store on a server", () => {
  const variable = "KB_MCP_TEST_LANCEDB_KEY";
  const key = "hidden-7f3a-key";
  let server: Server | undefined;
  beforeEach(() => {
    process.env[variable] = key;
  });
  afterEach(async () => {
    Reflect.deleteProperty(process.env, variable);
    server?.closeAllConnections();
    await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
    server = undefined;
  });

  /** A server that answers each request with a status and, unless a text is given, the key that it was sent. */
  async function answering(status: number, text?: string): Promise<string> {
    server = createServer((request, response) => {
      request.resume();
      response.statusCode = status;
      response.end(text ?? `you sent ${String(request.headers["x-api-key"])}`);
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  async function failure(
    options: object,
  ): Promise<{ code: string; message: string; hint: string; cause: unknown }> {
    const store = await open(options);
    try {
      await store.readMeta();
    } catch (error) {
      return error as never;
    } finally {
      await store.close();
    }
    throw new Error("it did not fail");
  }

  it("says that nobody answers, and not the key", async () => {
    const address = await answering(200);
    server!.closeAllConnections();
    await new Promise((resolve) => server!.close(resolve));
    const error = await failure({ uri: "db://team", host_override: address, api_key_env: variable });
    expect(error.code).toBe("KB_STORE_FAILED");
    expect(error.message).toBe("db://team cannot be reached: reading the metadata failed");
    expect(error.hint).toMatch(/network/);
    expect(error.cause).toBeDefined();
    expect(`${error.message} ${String(error.cause)}`).not.toContain(key);
  });

  it("says that the key is refused, and hides it where the server repeats it", async () => {
    const address = await answering(401);
    const error = await failure({ uri: "db://team", host_override: address, api_key_env: variable });
    expect(error.message).toBe("db://team refuses the key, or there is none: reading the metadata failed");
    expect(String(error.cause)).toContain("[key]");
    expect(String(error.cause)).not.toContain(key);
  });

  it("names the variable that holds no key", async () => {
    Reflect.deleteProperty(process.env, variable);
    const error = await failure({
      uri: "db://team",
      host_override: "http://127.0.0.1:9",
      api_key_env: variable,
    });
    expect(error.code).toBe("KB_STORE_FAILED");
    expect(error.message).toBe(`The environment variable ${variable} holds no key for db://team`);
  });

  it("says that an object store cannot be reached, and not its keys", async () => {
    const address = await answering(200);
    server!.closeAllConnections();
    await new Promise((resolve) => server!.close(resolve));
    const storage = {
      aws_endpoint: address,
      allow_http: "true",
      aws_access_key_id: "AKIA7F3A",
      aws_region: "eu",
    };
    const error = await failure({
      uri: "s3://bucket/kb",
      storage_options: { ...storage, aws_secret_access_key: key },
    });
    expect(error.code).toBe("KB_STORE_FAILED");
    expect(error.message).toBe("s3://bucket/kb cannot be reached: reading the metadata failed");
    expect(String(error.cause)).not.toContain(key);
  });

  it.each([
    [403, "AccessDenied", "s3://bucket/kb refuses the key, or there is none: reading the metadata failed"],
    [404, "NoSuchBucket", "There is no bucket for s3://bucket/kb: reading the metadata failed"],
  ])("says what an object store means by %i %s", async (status, code, message) => {
    const address = await answering(
      status,
      `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}, ${key}</Message></Error>`,
    );
    const storage = {
      aws_endpoint: address,
      allow_http: "true",
      aws_access_key_id: "AKIA7F3A",
      aws_region: "eu",
    };
    const options = { uri: "s3://bucket/kb", storage_options: { ...storage, aws_secret_access_key: key } };
    const error = await failure(options);
    expect(error.message).toBe(message);
    expect(String(error.cause)).not.toContain(key);
  });
});
