import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import type { ModelLibrary } from "../../../../src/core/plugin-api.js";
import { createModelLibrary } from "../../../../src/plugins/transformers/models/model-library.js";
import { withTemporaryFolder, writeTree } from "../../../support/temporary-folder.js";
import { files, model, onnx, withHub, type Hub } from "./support/hub.js";
import { contentOf, contextFor, request } from "./support/model-requests.js";

const { signal } = new AbortController();
const large = "onnx/model_quantized.onnx";
const known = [
  { model: "Known/one", description: "8 dimensions" },
  { model, description: "tiny" },
];

function library(cache: string, mirror: string, chosen = model): ModelLibrary {
  const requestFor = (name: string) => ({ ...request, model: name });
  return createModelLibrary({
    chosen: requestFor(chosen),
    known,
    requestFor,
    context: contextFor(cache, mirror),
  });
}

async function withLibrary(
  use: (parts: { models: ModelLibrary; cache: string; hub: Hub }) => Promise<void>,
): Promise<void> {
  await withTemporaryFolder((cache) =>
    withHub((hub) => use({ models: library(cache, hub.url), cache, hub })),
  );
}

describe("the list of models", () => {
  it("begins with the chosen one and shows what is known and what is here, with its bytes and its folder", async () => {
    await withLibrary(async ({ models, cache, hub }) => {
      expect(await models.list()).toEqual([
        { model, description: "tiny", present: false },
        { model: "Known/one", description: "8 dimensions", present: false },
      ]);
      await models.pull(undefined, signal);
      const folder = join(cache, "models", model, "main");
      const bytes = Object.values(files).reduce((sum, { byteLength }) => sum + byteLength, 0);
      const manifest = await readFile(join(folder, "files.json"));
      const here = { model, description: "tiny", present: true, bytes: bytes + manifest.byteLength, folder };
      expect((await models.list())[0]).toEqual(here);
      // The same folder, found where another model is the chosen one; and one that no table knows.
      await writeTree(join(cache, "models"), {
        "Other/model/v1/files.json": JSON.stringify({
          model: "Other/model",
          revision: "v1",
          source: "",
          files: { "config.json": { size: 2, sha256: "" } },
          absent: [],
        }),
        "Other/model/v1/config.json": "{}",
        "Other/model/v2/notes.txt": "not a model",
      });
      expect(await library(cache, hub.url, "Known/one").list()).toEqual([
        expect.objectContaining({ model: "Known/one", present: false }),
        here,
        expect.objectContaining({
          model: "Other/model",
          present: true,
          folder: join(cache, "models", "Other", "model", "v1"),
        }),
      ]);
    });
  });

  it("does not follow names in a manifest out of its folder", async () => {
    await withLibrary(async ({ models, cache }) => {
      await writeTree(join(cache, "models"), {
        "Other/model/v1/files.json": JSON.stringify({
          model: "Other/model",
          revision: "v1",
          source: "",
          files: { "../../../../secret": { size: 6, sha256: "" } },
          absent: [],
        }),
      });
      expect((await models.list()).map((entry) => entry.model)).not.toContain("Other/model");
    });
  });
});

describe("pull", () => {
  it("fetches again what was changed, and nothing else", async () => {
    await withLibrary(async ({ models, hub }) => {
      const { folder } = await models.pull(model, signal);
      const path = join(folder!, large);
      const bytes = await readFile(path);
      bytes[1234]! ^= 1;
      await writeFile(path, bytes);
      await rm(join(folder!, "tokenizer.json"));
      expect(await models.pull(undefined, signal)).toMatchObject({ model, present: true });
      expect((await readFile(path)).equals(onnx)).toBe(true);
      expect([
        hub.gets(large).length,
        hub.gets("tokenizer.json").length,
        hub.gets("config.json").length,
      ]).toEqual([2, 2, 1]);
      const asked = hub.asked.length;
      await models.pull(undefined, signal);
      expect(hub.asked).toHaveLength(asked);
    });
  });

  it("keeps what is here where the damaged file cannot be fetched again", async () => {
    await withLibrary(async ({ models, cache, hub }) => {
      const { folder } = await models.pull(model, signal);
      await writeFile(join(folder!, large), "cut");
      await expect(library(cache, "http://127.0.0.1:9").pull(model, signal)).rejects.toMatchObject({
        code: "KB_MODEL_DOWNLOAD",
      });
      await models.pull(model, signal);
      expect(hub.gets("config.json")).toHaveLength(1);
      expect(await models.verify(model, signal)).toMatchObject([{ problems: [] }]);
    });
  });

  it("refuses a model that nobody has", async () => {
    await withLibrary(async ({ models, cache }) => {
      await expect(models.pull("Nobody/has-this", signal)).rejects.toMatchObject({
        code: "KB_MODEL_UNKNOWN",
      });
      expect(await contentOf(cache)).toEqual({});
    });
  });
});

describe("verify", () => {
  it("finds a byte that was changed though the size is the same", async () => {
    await withLibrary(async ({ models }) => {
      const { folder } = await models.pull(model, signal);
      expect(await models.verify(undefined, signal)).toEqual([
        { entry: expect.objectContaining({ model, present: true }), problems: [] },
      ]);
      const path = join(folder!, large);
      const bytes = await readFile(path);
      bytes[4321]! ^= 1;
      await writeFile(path, bytes);
      expect(await models.verify(undefined, signal)).toEqual([
        {
          entry: expect.objectContaining({ model }),
          problems: [`${large} is damaged: it holds something else than what was fetched`],
        },
      ]);
    });
  });

  it("names what is missing, and a model that is not here only if it is asked for", async () => {
    await withLibrary(async ({ models }) => {
      expect(await models.verify(undefined, signal)).toEqual([]);
      expect(await models.verify("Known/one", signal)).toMatchObject([
        {
          entry: { model: "Known/one", present: false },
          problems: [expect.stringContaining("kb-mcp models pull Known/one")],
        },
      ]);
      const { folder } = await models.pull(model, signal);
      await rm(join(folder!, "config.json"));
      expect(await models.verify(model, signal)).toMatchObject([{ problems: ["config.json is missing"] }]);
    });
  });

  it("looks at the content of a folder that it has no digests of", async () => {
    await withTemporaryFolder(async (folder) => {
      await writeTree(folder, {
        "config.json": "{",
        "tokenizer.json": "{}",
        [large]: "version https://git-lfs.github.com/spec/v1\n",
      });
      const models = library(join(folder, "cache"), "http://127.0.0.1:9", folder);
      const [check] = await models.verify(undefined, signal);
      expect(check).toMatchObject({
        entry: { model: folder, present: true, folder },
        problems: ["config.json is not valid JSON", `${large} is a pointer of Git LFS, not the file itself`],
      });
    });
  });

  it("ends when it is cancelled", async () => {
    await withLibrary(async ({ models }) => {
      await models.pull(model, signal);
      await expect(models.verify(undefined, AbortSignal.abort())).rejects.toMatchObject({
        code: "KB_CANCELLED",
      });
    });
  });
});
