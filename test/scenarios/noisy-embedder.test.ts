// An embedder of a third party that prints, makes progress, logs and leaves a timer open, in kb-mcp's own process: results
// stay whole, progress stays off them, and every command ends.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { IndexSummary, SearchReply } from "../../src/core/index.js";
import { runCli, startCli, type CliResult } from "../support/kb-mcp-process.js";
import { writeTree } from "../support/temporary-folder.js";

const noisyEmbedder = `
console.log("hello from its module");
const vector = () => Float32Array.of(1, 0);
export default {
  name: "noisy", version: "1.0.0", apiVersion: 1,
  embedders: [{ id: "noisy", create: async (_options, { progress, logger }) => {
    setInterval(() => console.log("still here"), 1000);
    console.log("hello from console.log");
    console.info("hello from console.info");
    console.debug("hello from console.debug");
    process.stdout.write("hello from process.stdout");
    for (let done = 0; done < 3; done++) {
      progress({ what: "Downloading a model", done, total: 100, unit: "items" });
      await new Promise((resolve) => setTimeout(resolve, 120));
      logger.warn("the model is large");
    }
    return {
      model: "noisy", dimensions: 2, chunkTokens: { target: 200, max: 400 }, fusionWeight: 0.5,
      embedDocuments: async (texts) => {
        console.log("hello from embedDocuments");
        return texts.map(vector);
      },
      embedQuery: async () => {
        console.log("hello from embedQuery");
        return vector();
      },
      dispose: async () => {},
    };
  } }],
};`;

let folder: string;
let flags: string[];
let indexed: CliResult;

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "kb-mcp-noisy-")));
  await writeTree(folder, {
    "noisy.mjs": noisyEmbedder,
    "kb-mcp.toml": 'kb_path = "./notes"\n[plugins]\npackages = ["./noisy.mjs"]\n[embedder]\nuse = "noisy"\n',
    "notes/tulips.md": "# Tulips\n\nTulips in spring.\n",
    "data/": "",
  });
  flags = ["--config", join(folder, "kb-mcp.toml")];
  indexed = await runCli(["index", ...flags, "--format", "json"], join(folder, "data"));
});
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));

/** What is left on a terminal of what was written to it: a line that is cleared shows what comes after. */
function visible(output: string): string[] {
  return output.split("\r\n").map((line) => line.split("\r\u001b[K").at(-1)!);
}

const onTerminal = existsSync("/usr/bin/script") && process.platform === "linux" ? it : it.skip;

describe("a command with an embedder that prints", () => {
  it("prints its result to stdout and nothing else, and leaves the rest to stderr", async () => {
    expect(indexed.code).toBe(0);
    expect(JSON.parse(indexed.stdout) as IndexSummary).toMatchObject({ documents: 1, skipped: [] });
    const { code, stdout, stderr } = await runCli(
      ["search", "tulips", ...flags, "--format", "json"],
      join(folder, "data"),
    );
    expect(code).toBe(0);
    expect((JSON.parse(stdout) as SearchReply).results).toMatchObject([{ path: "tulips.md" }]);
    for (const from of [
      "its module",
      "console.log",
      "console.info",
      "console.debug",
      "process.stdout",
      "embedQuery",
    ])
      expect(stderr).toContain(`hello from ${from}\n`);
    expect(stderr).toContain("Downloading a model: 0 of 100\n");
  });

  onTerminal("shows progress, log and result on lines of their own", async () => {
    const command = [process.execPath, resolve("dist/cli/main.js"), "search", "tulips", ...flags];
    const child = spawn("/usr/bin/script", ["-qec", command.join(" "), "/dev/null"], {
      env: { PATH: process.env["PATH"], HOME: folder, KB_MCP_DATA_DIR: join(folder, "data"), TERM: "xterm" },
    });
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
    await once(child, "close");
    expect(output).toContain("] Downloading a model: 1 of 100");
    const lines = visible(output);
    expect(lines.filter((line) => line.includes("Downloading"))).toEqual([]);
    expect(lines).toContain("kb-mcp warn: the model is large");
    expect(lines).toContain("hello from embedQuery");
    const result = lines.find((line) => line.includes("tulips.md"));
    expect(stripVTControlCharacters(result ?? "")).toMatch(/^1\. /u);
    // The result is the last thing that a terminal is told: nothing is cleared behind it.
    expect(output.slice(output.indexOf("tulips.md"))).not.toContain("\u001b[K");
  });
});

describe("a server with an embedder that leaves a timer open", () => {
  it("ends when its client goes, and so does the process that shields it", async () => {
    const child = startCli(["serve", ...flags], join(folder, "data"));
    let [answers, log] = ["", ""];
    child.stdout!.setEncoding("utf8").on("data", (text: string) => (answers += text));
    child.stderr!.setEncoding("utf8").on("data", (text: string) => (log += text));
    const ask = (id: number, method: string, params: object): void =>
      void child.stdin!.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    const clientInfo = { name: "test", version: "0" };
    ask(1, "initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
    ask(2, "tools/call", { name: "search", arguments: { query: "tulips" } });
    while (!log.includes("hello from embedQuery") || !answers.includes('"id":2'))
      await once(child.stderr!, "data");
    child.stdin!.end();
    const [code] = (await once(child, "close")) as [number | null];
    expect(code).toBe(0);
    for (const line of answers.trimEnd().split("\n"))
      expect(JSON.parse(line)).toMatchObject({ jsonrpc: "2.0" });
  });
});
