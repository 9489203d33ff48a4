// The files of a model from a mirror to an index, by the command line: pull, list, verify, and no download behind it.
import { readdirSync, readFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { writeTinyEmbedder } from "../../scripts/tiny-models.mjs";
import type { IndexSummary, SearchReply } from "../../src/core/index.js";
import { model, withHub } from "../plugins/transformers/models/support/hub.js";
import { KnowledgeBaseFolder } from "../support/knowledge-base-folder.js";
import { withTemporaryFolder } from "../support/temporary-folder.js";
import { bilingualNotes, english, japanese } from "./support/bilingual-notes.js";

/** The files of a model that really runs. */
function tinyModel(folder: string): Readonly<Record<string, Buffer>> {
  writeTinyEmbedder(folder);
  return Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((place) => [place.slice(folder.length + 1), readFileSync(place)]),
  );
}

async function flipByte(place: string, at: number): Promise<void> {
  const file = await open(place, "r+");
  const byte = Buffer.alloc(1);
  await file.read(byte, 0, 1, at);
  await file.write(Buffer.from([byte[0]! ^ 1]), 0, 1, at);
  await file.close();
}

it(
  "a model is pulled, listed, found damaged, mended, and used without a download",
  () =>
    withTemporaryFolder(async (made) => {
      const content = tinyModel(made);
      const bytes = Object.values(content).reduce((sum, { byteLength }) => sum + byteLength, 0);
      await withHub(async (hub) => {
        const folder = await KnowledgeBaseFolder.make(bilingualNotes);
        const models = (...args: readonly string[]) => folder.run("models", ...args);
        const settings = (download: boolean): string =>
          `[embedder]\nuse = "transformers"\nmodel = "${model}"\nmirror = "${hub.url}"\nthreads = 1\ndownload = ${download}\n`;
        try {
          await folder.configure(settings(false));
          const early = await folder.run("index");
          expect([early.code, early.stderr]).toEqual([1, expect.stringContaining("kb-mcp models pull")]);
          expect(early.stderr).toContain("KB_MODEL_MISSING");
          expect(hub.asked).toEqual([]);

          await folder.configure(settings(true));
          const pulled = await models("pull");
          expect([pulled.code, pulled.stdout]).toEqual([
            0,
            expect.stringContaining(`${model} is here, whole`),
          ]);
          expect(pulled.stderr).toMatch(/^(?:Downloading Some\/tiny-model: [\d.]+ k?B of [\d.]+ kB\n)+$/u);
          for (const file of Object.keys(content)) expect([file, hub.gets(file).length]).toEqual([file, 1]);

          const place = join(folder.data, "cache", "transformers", "models", model, "main");
          const listed = JSON.parse((await models("list", "--format", "json")).stdout) as {
            kind: string;
            models: Record<string, unknown>[];
          }[];
          expect(listed).toMatchObject([{ kind: "embedder", id: "transformers" }]);
          expect(listed[0]?.models[0]).toMatchObject({ model, present: true, folder: place });
          expect(listed[0]?.models[0]?.["bytes"]).toBeGreaterThanOrEqual(bytes);
          expect(await models("verify")).toEqual({ code: 0, stdout: `${model}: whole\n`, stderr: "" });

          await flipByte(join(place, "onnx/model_quantized.onnx"), 5000);
          const damaged = await models("verify");
          expect([damaged.code, damaged.stdout]).toEqual([
            1,
            expect.stringContaining("onnx/model_quantized.onnx is damaged"),
          ]);
          expect(damaged.stdout).toContain(`kb-mcp models pull ${model}`);

          expect((await models("pull", model, "--quiet")).stderr).toBe("");
          expect((await models("verify", model)).code).toBe(0);
          expect(hub.gets("onnx/model_quantized.onnx")).toHaveLength(2);
          expect(hub.gets("tokenizer.json")).toHaveLength(1);

          await folder.configure(settings(false));
          const asked = hub.asked.length;
          expect(await folder.read<IndexSummary>("index")).toMatchObject({ added: 4, embedded: 4 });
          for (const { query, answer } of [english, japanese]) {
            const { mode, notes, results }: SearchReply = await folder.search(query);
            expect({ mode, notes, path: results[0]?.path }).toEqual({
              mode: "hybrid",
              notes: [],
              path: answer,
            });
          }
          expect(hub.asked).toHaveLength(asked);
        } finally {
          await folder.remove();
        }
      }, content);
    }),
  60_000,
);
