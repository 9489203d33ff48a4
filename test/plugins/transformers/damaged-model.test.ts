// Models whose files are damaged, missing or of another kind: what is said of them, and when.
import { readFile, truncate, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, expect, it } from "@jest/globals";
import { never, TinyPlugin } from "./support/tiny-plugin.js";

let tiny: TinyPlugin;
const made: TinyPlugin[] = [];
beforeEach(() => {
  tiny = new TinyPlugin();
  made.push(tiny);
});
afterEach(() => tiny.endAll());
afterAll(() => Promise.all(made.map((one) => one.remove())));

const onnx = "onnx/model_quantized.onnx";
const inFolder = (file: string): string => join(tiny.embedderFolder, file);

async function queryFailure(): Promise<{ code: string; message: string }> {
  const embedder = await tiny.embedder();
  return await embedder.embedQuery("a query", never).then(
    () => Promise.reject(new Error("the query was embedded")),
    (error: unknown) => error as { code: string; message: string },
  );
}

it.each([
  ["that is cut off", onnx, (path: string) => truncate(path, 20_000)],
  ["that is a web page", onnx, (path: string) => writeFile(path, "<html>Sign in</html>")],
  ["that is empty", onnx, (path: string) => writeFile(path, "")],
  ["that is cut off", "tokenizer.json", (path: string) => truncate(path, 2000)],
  ["of another shape", "tokenizer.json", (path: string) => writeFile(path, "{}")],
])("a file %s is KB_MODEL_INVALID, by its name: %s", async (_, file, damage) => {
  await damage(inFolder(file));
  const failure = await queryFailure();
  expect(failure).toMatchObject({
    code: "KB_MODEL_INVALID",
    message: expect.stringContaining(`${file} of the folder tiny-embedder cannot be used`),
  });
  expect(failure.message).not.toContain(tiny.folder);
});

it.each([
  ["no JSON", "{"],
  ["no table", "[]"],
  ["no length of vectors", "{}"],
])("a config.json that holds %s is KB_MODEL_INVALID before any text is embedded", async (_, content) => {
  await writeFile(inFolder("config.json"), content);
  await expect(tiny.embedder()).rejects.toMatchObject({
    code: "KB_MODEL_INVALID",
    message: expect.stringContaining("config.json of the folder tiny-embedder"),
  });
});

it("vectors of another length than config.json says are KB_MODEL_INVALID", async () => {
  const config = JSON.parse(await readFile(inFolder("config.json"), "utf8")) as object;
  await writeFile(inFolder("config.json"), JSON.stringify({ ...config, hidden_size: 16 }));
  expect(await queryFailure()).toMatchObject({
    code: "KB_MODEL_INVALID",
    message: expect.stringContaining("its vectors have 32 dimensions, not 16"),
  });
});

it("a folder without the model file is KB_MODEL_MISSING when a text is embedded", async () => {
  await unlink(inFolder(onnx));
  expect(await queryFailure()).toMatchObject({
    code: "KB_MODEL_MISSING",
    message: expect.stringContaining(onnx),
  });
});

it("a folder that is not there is KB_MODEL_MISSING at once", async () => {
  await expect(tiny.embedder({ model: join(tiny.folder, "nowhere") })).rejects.toMatchObject({
    code: "KB_MODEL_MISSING",
  });
});

it("an unknown model that may not be downloaded is KB_MODEL_MISSING at once", async () => {
  await expect(tiny.embedder({ model: "somebody/something", download: false })).rejects.toMatchObject({
    code: "KB_MODEL_MISSING",
    message: expect.stringContaining("somebody/something"),
  });
});

it("a known model that is not here fails only when a text is embedded", async () => {
  const embedder = await tiny.embedder({ model: "Xenova/all-MiniLM-L6-v2", download: false });
  expect(embedder.dimensions).toBe(384);
  await expect(embedder.embedQuery("a query", never)).rejects.toMatchObject({ code: "KB_MODEL_MISSING" });
});
