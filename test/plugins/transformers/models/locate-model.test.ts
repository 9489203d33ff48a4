import { readFile, truncate } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { locateModel } from "../../../../src/plugins/transformers/models/locate-model.js";
import { withTemporaryFolder, writeTree } from "../../../support/temporary-folder.js";
import { commit, files, model, onnx, withHub } from "./support/hub.js";
import { contentOf, contextFor, request, sha256 } from "./support/model-requests.js";

const whole = Object.fromEntries(Object.entries(files).map(([name, content]) => [name, sha256(content)]));

describe("a model that is not here", () => {
  it("is fetched whole, with a manifest of what it holds, and found again without the network", async () => {
    await withTemporaryFolder(async (cache) => {
      const folder = await withHub(async (hub) => {
        const found = await locateModel(request, contextFor(cache, `${hub.url}/`));
        expect(hub.asked.every(({ headers }) => headers.authorization === undefined)).toBe(true);
        return found;
      });
      expect(folder).toBe(join(cache, "models", "Some", "tiny-model", "main"));
      expect(await contentOf(folder)).toEqual({ ...whole, "files.json": expect.any(String) });
      expect(JSON.parse(await readFile(join(folder, "files.json"), "utf8"))).toMatchObject({
        model,
        revision: "main",
        absent: ["special_tokens_map.json"],
        files: { "onnx/model_quantized.onnx": { size: onnx.byteLength, sha256: sha256(onnx), commit } },
      });
      const offline = contextFor(cache, "http://127.0.0.1:9", { allowDownload: false });
      expect(await locateModel(request, offline)).toBe(folder);
    });
  });

  it("tells how far it is over all files together, to the end", async () => {
    await withTemporaryFolder((cache) =>
      withHub(async (hub) => {
        const context = contextFor(cache, hub.url);
        await locateModel(request, context);
        const total = Object.values(files).reduce((sum, { byteLength }) => sum + byteLength, 0);
        expect(new Set(context.events.map((event) => event.total))).toEqual(new Set([total]));
        expect(context.events.at(-1)).toEqual({
          what: `Downloading ${model}`,
          done: total,
          total,
          unit: "bytes",
        });
        const done = context.events.map((event) => event.done);
        expect(done).toEqual(done.toSorted((a, b) => a - b));
      }),
    );
  });

  it("is told from a folder of that name beside the configuration", async () => {
    await withTemporaryFolder(async (folder) => {
      await writeTree(folder, { "Some/tiny-model/": "", "cache/": "" });
      const context = { ...contextFor(join(folder, "cache"), undefined), configDirectory: folder };
      await expect(locateModel(request, context)).rejects.toMatchObject({
        code: "KB_MODEL_UNKNOWN",
        hint: `Write "./${model}" as model in kb-mcp.toml to use the folder.`,
      });
    });
  });

  it("is said to be no folder where it is named as one that is not there", async () => {
    await withTemporaryFolder(async (folder) => {
      const context = { ...contextFor(folder, undefined), configDirectory: folder };
      await expect(locateModel({ ...request, model: "./tinny" }, context)).rejects.toMatchObject({
        code: "KB_MODEL_MISSING",
        message: "There is no folder ./tinny",
      });
    });
  });

  it("is said to be missing, with every way out, where nothing may be downloaded", async () => {
    await withTemporaryFolder(async (cache) => {
      await expect(
        locateModel(request, contextFor(cache, undefined, { allowDownload: false })),
      ).rejects.toMatchObject({
        code: "KB_MODEL_MISSING",
        message: expect.stringContaining(model),
        hint: expect.stringMatching(/kb-mcp models pull.*mirror.*HTTPS_PROXY.*path as model.*bundled/u),
      });
      expect(await contentOf(cache)).toEqual({});
    });
  });

  it.each([
    ["nobody listens", "http://127.0.0.1:9"],
    ["the name is unknown", "http://models.invalid"],
  ])("is given up at once where %s", async (_, mirror) => {
    await withTemporaryFolder(async (cache) => {
      const context = contextFor(cache, mirror, { limits: { firstWaitMs: 600_000 } });
      await expect(locateModel(request, context)).rejects.toMatchObject({
        code: "KB_MODEL_DOWNLOAD",
        message: expect.stringMatching(/^(?:127\.0\.0\.1:9|models\.invalid) cannot be reached/u),
        hint: expect.stringMatching(/kb-mcp models pull.*mirror.*HTTPS_PROXY.*path as model.*bundled/u),
      });
      expect(context.messages).toEqual([]);
    });
  });
});

describe("a model on this machine", () => {
  it("with a file of another size is refused, and nothing is asked of the network", async () => {
    await withTemporaryFolder((cache) =>
      withHub(async (hub) => {
        const folder = await locateModel(request, contextFor(cache, hub.url));
        await truncate(join(folder, "onnx", "model_quantized.onnx"), 1000);
        const before = hub.asked.length;
        await expect(locateModel(request, contextFor(cache, hub.url))).rejects.toMatchObject({
          code: "KB_MODEL_INVALID",
          message: expect.stringContaining("onnx/model_quantized.onnx"),
          hint: expect.stringContaining("kb-mcp models pull"),
        });
        expect(hub.asked).toHaveLength(before);
      }),
    );
  });

  it("is completed where another file of it is asked for", async () => {
    const more = { ...files, "onnx/model.onnx": Buffer.from("another") };
    await withTemporaryFolder((cache) =>
      withHub(async (hub) => {
        await locateModel(request, contextFor(cache, hub.url));
        const folder = await locateModel(
          { ...request, files: ["config.json", "onnx/model.onnx"] },
          contextFor(cache, hub.url),
        );
        expect(Object.keys(await contentOf(folder)).sort()).toEqual(
          ["files.json", ...Object.keys(more)].sort(),
        );
        expect(hub.gets("config.json")).toHaveLength(1);
        expect(await locateModel(request, contextFor(cache, undefined, { allowDownload: false }))).toBe(
          folder,
        );
      }, more),
    );
  });

  it("without a manifest is none: its files are fetched", async () => {
    await withTemporaryFolder((cache) =>
      withHub(async (hub) => {
        await writeTree(join(cache, "models", model, "main"), {
          "config.json": "{}",
          "tokenizer.json": "half",
        });
        const folder = await locateModel(request, contextFor(cache, hub.url));
        expect(await contentOf(folder)).toMatchObject(whole);
      }),
    );
  });

  it("of a branch that moved on meanwhile is fetched from one commit", async () => {
    await withTemporaryFolder((cache) =>
      withHub(async (hub) => {
        const later = commit.replace("0", "f");
        hub.misbehave = ({ file }, response) => {
          const isLater = hub.gets("config.json").length > 1 || file === "onnx/model_quantized.onnx";
          if (!isLater) return false;
          const setHeader = response.setHeader.bind(response);
          response.setHeader = (name, value) => setHeader(name, value === commit ? later : value);
          return false;
        };
        const folder = await locateModel(request, contextFor(cache, hub.url));
        const manifest = JSON.parse(await readFile(join(folder, "files.json"), "utf8")) as {
          files: Record<string, { commit: string }>;
        };
        expect(Object.values(manifest.files).at(-1)?.commit).toBe(later);
        expect(hub.gets("config.json")).toHaveLength(2);
        expect(await contentOf(folder)).toMatchObject(whole);
      }),
    );
  });
});

describe("a model that is a folder", () => {
  it("is used as it is, and only its files are looked for", async () => {
    await withTemporaryFolder(async (folder) => {
      await writeTree(folder, {
        "config.json": "{}",
        "tokenizer.json": "{}",
        "onnx/model_quantized.onnx": "x",
      });
      const context = contextFor(join(folder, "cache"), "http://127.0.0.1:9");
      expect(await locateModel({ ...request, model: folder }, context)).toBe(folder);
    });
  });

  it("counts from the folder of the configuration where its path is relative", async () => {
    await withTemporaryFolder(async (folder) => {
      await writeTree(folder, { "models/mine/config.json": "{}" });
      const context = contextFor(join(folder, "cache"), undefined, {
        configDirectory: join(folder, "notes"),
      });
      const mine = { ...request, model: "../models/mine", files: ["config.json"] };
      expect(await locateModel(mine, context)).toBe(join(folder, "models", "mine"));
    });
  });

  it("is refused by the name of a file it lacks, without the place of the machine", async () => {
    await withTemporaryFolder(async (folder) => {
      await writeTree(folder, { "my-model/config.json": "{}" });
      const failure = locateModel(
        { ...request, model: join(folder, "my-model") },
        contextFor(join(folder, "cache"), undefined),
      );
      await expect(failure).rejects.toMatchObject({
        code: "KB_MODEL_MISSING",
        message: "There is no file tokenizer.json in the folder my-model",
      });
    });
  });
});

describe("names that could lead elsewhere", () => {
  it.each([
    [{ model: "Some/.." }],
    [{ model: "Some/a/../../b" }],
    [{ model: "Some\\tiny" }],
    [{ model: "Some/ti\0ny" }],
    [{ model: "Some/nul" }],
    [{ model: "Some/CON.txt" }],
    [{ model: "Some/name." }],
    [{ model: "one" }],
    [{ model: "" }],
    [{ model: "Some/a?b" }],
    [{ revision: "../main" }],
    [{ revision: "refs/pr/1" }],
    [{ revision: "" }],
    [{ revision: ".." }],
    [{ files: ["../config.json"] }],
    [{ files: ["/etc/passwd"] }],
    [{ files: ["onnx\\model.onnx"] }],
    [{ files: ["onnx//model.onnx"] }],
    [{ files: ["files.json"] }],
    [{ files: ["config.json.part"] }],
    [{ optionalFiles: ["a/../../b"] }],
    [{ optionalFiles: ["c:model"] }],
  ])("are refused before anything is asked or written: %j", async (part) => {
    await withTemporaryFolder((cache) =>
      withHub(async (hub) => {
        await expect(locateModel({ ...request, ...part }, contextFor(cache, hub.url))).rejects.toMatchObject({
          code: "KB_MODEL_UNKNOWN",
        });
        expect(hub.asked).toEqual([]);
        expect(await contentOf(cache)).toEqual({});
      }),
    );
  });
});
