import { describe, expect, it } from "@jest/globals";
import plugin from "../../../../src/plugins/embedders/openai/index.js";
import { openAiOptions } from "../../../../src/plugins/embedders/openai/options.js";
import { pluginApiVersion } from "../../../../src/core/plugin-api.js";

const validate = (value: unknown) => openAiOptions["~standard"].validate(value);
const small = { model: "text-embedding-3-small" };
const local = { model: "nomic-embed-text", dimensions: 768, base_url: "http://127.0.0.1:11434/v1" };

/** The first words of each issue under the name of its option. */
const refused = (path: string, message: string) =>
  expect.objectContaining({
    issues: expect.arrayContaining([
      { path: [path], message: expect.stringContaining(message) as unknown },
    ]) as unknown,
  }) as unknown;

describe("options of the openai embedder", () => {
  it("belong to a plugin of this version of the interface", () => {
    expect(plugin).toMatchObject({
      name: "openai",
      apiVersion: pluginApiVersion,
      embedders: [{ id: "openai", optionsSchema: openAiOptions }],
    });
  });

  it("default to OpenAI's server", () => {
    expect(validate(small)).toEqual({
      value: {
        model: "text-embedding-3-small",
        baseUrl: "https://api.openai.com/v1",
        apiKeyEnv: "OPENAI_API_KEY",
        dimensions: 1536,
        sendDimensions: false,
        maxTokens: 8191,
        chunkTokens: 400,
        batchSize: 64,
        batchTokens: 100_000,
        queryPrefix: "",
        documentPrefix: "",
        fusionWeight: 0.5,
        timeoutSeconds: 60,
        maxRetries: 5,
      },
    });
  });

  it.each([
    [
      { ...small, dimensions: 512 },
      { dimensions: 512, sendDimensions: true },
    ],
    [
      { ...small, dimensions: 512, send_dimensions: false },
      { dimensions: 512, sendDimensions: false },
    ],
    [{ model: "text-embedding-3-large" }, { dimensions: 3072, sendDimensions: false }],
    [
      { model: "text-embedding-ada-002", dimensions: 1536 },
      { dimensions: 1536, sendDimensions: false },
    ],
    [local, { dimensions: 768, sendDimensions: true, apiKeyEnv: undefined }],
    [{ ...local, api_key_env: "LOCAL_KEY" }, { apiKeyEnv: "LOCAL_KEY" }],
    [
      { ...local, base_url: "https://e.example.org/v1/" },
      { baseUrl: "https://e.example.org/v1", apiKeyEnv: "OPENAI_API_KEY" },
    ],
    [
      { ...local, max_tokens: 256 },
      { maxTokens: 256, chunkTokens: 256 },
    ],
  ])("are read: %j", (given, value) => {
    expect(validate(given)).toMatchObject({ value });
  });

  it.each<[unknown, string, string]>([
    [{}, "model", "expected the name of a model"],
    [{ model: " " }, "model", "expected the name of a model"],
    [{ model: 3 }, "model", "expected a text"],
    [{ model: "own-model" }, "dimensions", "set it, for example dimensions = 768"],
    [{ ...small, dimensions: 1537 }, "dimensions", "at most 1536 dimensions"],
    [{ model: "text-embedding-ada-002", dimensions: 512 }, "dimensions", "answers 1536 dimensions"],
    [{ ...local, dimensions: 0 }, "dimensions", "a whole number from 1 to 8192"],
    [{ ...local, dimensions: 8193 }, "dimensions", "a whole number from 1 to 8192"],
    [{ ...small, batch_size: 2049 }, "batch_size", "a whole number from 1 to 2048"],
    [{ ...small, batch_size: 1.5 }, "batch_size", "a whole number from 1 to 2048"],
    [{ ...small, fusion_weight: 1.1 }, "fusion_weight", "a number from 0 to 1"],
    [{ ...small, timeout_seconds: Number.NaN }, "timeout_seconds", "a number from 0.1 to 300"],
    [{ ...small, max_retries: "5" }, "max_retries", "a whole number from 0 to 20"],
    [{ ...small, send_dimensions: "no" }, "send_dimensions", "true or false"],
    [{ ...small, chunk_tokens: 9000 }, "chunk_tokens", "at most max_tokens"],
    [{ ...small, max_tokens: 16, query_prefix: "x".repeat(40) }, "query_prefix", "half of max_tokens"],
    [{ ...small, max_tokens: 16, document_prefix: "x".repeat(40) }, "document_prefix", "half of max_tokens"],
    [{ ...small, base_url: "api.openai.com" }, "base_url", "an http or https address"],
    [{ ...small, base_url: "file:///etc/passwd" }, "base_url", "an http or https address"],
    [{ ...small, base_url: "https://me:secret@e.example.org" }, "base_url", "without a user name"],
    [{ ...small, base_url: "https://e.example.org/v1?key=1" }, "base_url", "without a user name"],
    [{ ...small, api_key: "sk-1" }, "api_key", "name that as api_key_env"],
    [{ ...small, batchsize: 3 }, "batchsize", "unknown option; the options are"],
  ])("are refused with the option's name: %j", (given, option, message) => {
    expect(validate(given)).toEqual(refused(option, message));
  });

  it.each([
    "sk-proj-AbCd1234",
    "sk_live_1",
    "hf_abcdefgh",
    "0123456789abcdef0123456789abcdef",
    "a1b2c3d4e5f6a7b8c9d0e1f2",
  ])("refuse a key where the name of its variable belongs, without repeating it: %s", (value) => {
    const result = validate({ ...small, api_key_env: value });
    expect(result).toEqual(refused("api_key_env", "not the key"));
    expect(JSON.stringify(result)).not.toContain(value);
  });

  it.each([undefined, null, 3, []])("refuse %p, which is not a table", (value) => {
    expect(validate(value)).toMatchObject({ issues: [{ message: "expected a table of options" }] });
  });
});
