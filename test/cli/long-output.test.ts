// Results that are longer than a pipe holds, with readers that take their time or go away.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, open, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { StatusReply } from "../../src/core/index.js";
import { runCli, startCli } from "../support/kb-mcp-process.js";
import { writeTree } from "../support/temporary-folder.js";

const count = 300;
/** Together about 1 MB; the pipes and socket pairs of Linux hold some 200 kB. */
const deep = `${"d".repeat(200)}/`.repeat(16);
/** Embeds nothing: it is the paths that count. */
const embedder = `export default {
  name: "quick", version: "1.0.0", apiVersion: 1,
  embedders: [{ id: "quick", create: () => ({
    model: "quick", dimensions: 2, chunkTokens: { target: 200, max: 400 }, fusionWeight: 0.5,
    embedDocuments: async (texts) => texts.map(() => null),
    embedQuery: async () => null,
    dispose: async () => {},
  }) }],
};`;

let folder: string;
let flags: string[];

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "kb-mcp-long-")));
  const names = Array.from({ length: count }, (_, index) => `notes/${deep}${index}.md`);
  await writeTree(folder, {
    ...Object.fromEntries(names.map((name) => [name, "# Note\n\nShort.\n"])),
    "quick.mjs": embedder,
    "kb-mcp.toml": 'kb_path = "./notes"\n[plugins]\npackages = ["./quick.mjs"]\n[embedder]\nuse = "quick"\n',
  });
  flags = ["--config", join(folder, "kb-mcp.toml")];
  expect(await runCli(["index", ...flags, "--quiet"], folder)).toMatchObject({ code: 0 });
});
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));

describe("a result that is longer than a pipe holds", () => {
  it("reaches a slow reader whole", async () => {
    const child = startCli(["status", "--paths", "--format", "json", ...flags], folder);
    await once(child.stdout!, "readable");
    // Time in which a process that does not wait for its reader is gone.
    await new Promise((resolve) => setTimeout(resolve, 1000));
    let text = "";
    child.stdout!.setEncoding("utf8");
    for await (const piece of child.stdout! as AsyncIterable<string>) {
      text += piece;
      await new Promise(setImmediate);
    }
    const { paths } = JSON.parse(text) as StatusReply;
    expect(paths).toHaveLength(count);
  });

  it("is no failure for a reader that goes away", async () => {
    const child = startCli(["status", "--paths", ...flags], folder);
    let log = "";
    child.stderr!.setEncoding("utf8").on("data", (text: string) => (log += text));
    child.stdout!.once("data", () => child.stdout!.destroy());
    const [code] = (await once(child, "close")) as [number | null];
    expect({ code, log }).toEqual({ code: 0, log: "" });
  });

  const onLinux = process.platform === "linux" ? it : it.skip;
  onLinux("is a failure told in one line where there is no room for it", async () => {
    const disk = await open("/dev/full", "w");
    const child = spawn(process.execPath, [resolve("dist/cli/main.js"), "status", "--paths", ...flags], {
      env: { PATH: process.env["PATH"], HOME: folder, KB_MCP_DATA_DIR: folder },
      stdio: ["ignore", disk.fd, "pipe"],
    });
    let log = "";
    child.stderr!.setEncoding("utf8").on("data", (text: string) => (log += text));
    const [code] = (await once(child, "close")) as [number | null];
    await disk.close();
    expect([code, log]).toEqual([
      1,
      expect.stringMatching(/^kb-mcp: the result could not be written: ENOSPC.*\n$/u),
    ]);
  });
});
