// The plugin in processes of its own: what they print, how they end, and an installation without the library.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { runModule } from "../../support/run-module.js";
import { TinyPlugin } from "./support/tiny-plugin.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));

let tiny: TinyPlugin;
beforeAll(() => {
  tiny = new TinyPlugin();
});
afterAll(() => tiny.remove());

/** A script that has `embedder`, `never` and `log`, which prints to stderr. */
function script(body: string, installation = root): string {
  const plugin = pathToFileURL(join(installation, "dist/plugins/transformers/index.js")).href;
  return `
    import plugin from ${JSON.stringify(plugin)};
    const never = new AbortController().signal;
    const log = (message) => process.stderr.write(message + "\\n");
    const quiet = () => undefined;
    let debug = quiet;
    const logger = { debug: (message) => debug(message), info: log, warn: log, error: log };
    const factory = plugin.embedders[0];
    const { value } = factory.optionsSchema["~standard"].validate({ model: ${JSON.stringify(tiny.embedderFolder)} });
    const host = { logger, signal: never, dataDirectory: ".", cacheDirectory: ".", progress: quiet };
    const embedder = await factory.create(value, host);
    ${body}`;
}

it("a process ends by itself although nobody disposed of the idle embedder, with nothing on stdout or stderr", async () => {
  const { stdout, stderr } = await runModule(
    script(`
      const vectors = await embedder.embedDocuments(["a cat", "日本語 ".repeat(500)], never);
      if (vectors.some((vector) => vector === null)) process.exitCode = 1;`),
  );
  expect(stdout).toBe("");
  expect(stderr).toBe("");
});

it("a process stays alive until waiting texts are embedded", async () => {
  const { stderr } = await runModule(
    script(`void embedder.embedDocuments(["a note"], never).then(([vector]) => log(vector.length));`),
  );
  expect(stderr).toBe("32\n");
});

it("what a library prints to stdout goes to the log", async () => {
  const { stdout, stderr } = await runModule(
    script(`
      process.env.NODE_OPTIONS = "--import=data:text/javascript,console.log('printed')";
      debug = (message) => message.includes("printed") && log(message);
      await embedder.embedQuery("a note", never);`),
  );
  expect(stdout).toBe("");
  expect(stderr).toContain("process of the folder tiny-embedder: printed");
});

it("the process of the model ends when kb-mcp is killed", async () => {
  const parent = spawn(process.execPath, ["--input-type=module", "-"], { cwd: root });
  parent.stdin.end(
    script(`
      debug = (message) => message.includes("has loaded") && log(message);
      await embedder.embedQuery("a note", never);
      setInterval(quiet, 1000);`),
  );
  const [line] = (await once(parent.stderr, "data")) as [Buffer];
  const pid = Number(/process (\d+) has loaded/.exec(line.toString())?.[1]);
  expect(isAlive(pid)).toBe(true);
  parent.kill("SIGKILL");
  await once(parent, "exit");
  while (isAlive(pid)) await wait(20);
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

it("says KB_MODEL_LIBRARY where @xenova/transformers is not installed", async () => {
  const installation = join(tiny.folder, "installation");
  await mkdir(join(installation, "node_modules"), { recursive: true });
  await writeFile(join(installation, "package.json"), '{"type":"module"}');
  for (const part of ["dist/core", "dist/plugins/transformers"])
    await cp(join(root, part), join(installation, part), { recursive: true });
  for (const name of ["undici", "fastest-levenshtein"])
    await symlink(join(root, "node_modules", name), join(installation, "node_modules", name), "junction");
  const { stderr } = await runModule(
    script(
      `await embedder.embedQuery("a note", never).catch(({ code, hint }) => log(code + " " + hint));`,
      installation,
    ),
  );
  expect(stderr).toContain("KB_MODEL_LIBRARY Install it next to kb-mcp: npm install @xenova/transformers");
});
