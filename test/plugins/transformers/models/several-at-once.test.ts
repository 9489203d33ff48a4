import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "@jest/globals";
import { locateModel } from "../../../../src/plugins/transformers/models/locate-model.js";
import { withTemporaryFolder, writeTree } from "../../../support/temporary-folder.js";
import { files, model, onnx, withHub, type Hub } from "./support/hub.js";
import { contentOf, contextFor, request, sha256 } from "./support/model-requests.js";

const large = "onnx/model_quantized.onnx";
const whole = Object.fromEntries(Object.entries(files).map(([name, content]) => [name, sha256(content)]));
const script = fileURLToPath(new URL("./support/download-process.mjs", import.meta.url));

function start(cache: string, mirror: string): ChildProcess {
  return spawn(process.execPath, [script, cache, mirror], { stdio: ["ignore", "pipe", "pipe"] });
}

async function ended(child: ChildProcess): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const [stdout, stderr] = await Promise.all([
    text(child.stdout!),
    text(child.stderr!),
    child.exitCode === null ? once(child, "exit") : undefined,
  ]);
  return { code: child.exitCode, stdout, stderr };
}

/** Holds the bytes of the large file back; resolves when a part of them was asked for and sent. */
function holdBack(hub: Hub, bytes: number): { reached: Promise<void>; release: () => void } {
  let release = (): void => undefined;
  const reached = new Promise<void>((resolve) => {
    hub.misbehave = ({ file, method, redirected }, response) => {
      if (file !== large || method !== "GET" || !redirected) return false;
      hub.misbehave = undefined;
      response.writeHead(200, { "content-length": onnx.byteLength, etag: '"etag-of-the-bytes"' });
      response.write(onnx.subarray(0, bytes), () => setTimeout(resolve, 200));
      release = () => response.end(onnx.subarray(bytes));
      return true;
    };
  });
  return { reached, release: () => release() };
}

describe("processes", () => {
  it("that are killed leave a download that the next one goes on with", async () => {
    await withTemporaryFolder((cache) =>
      withHub(async (hub) => {
        const { reached } = holdBack(hub, 120_000);
        const killed = start(cache, hub.url);
        await reached;
        killed.kill("SIGKILL");
        await ended(killed);
        const left = Object.keys(await contentOf(join(cache, "models", model, "main")));
        expect(left).toEqual(expect.arrayContaining([`${large}.part`, "download.lock", "files.json"]));
        expect(left).not.toContain(large);

        const folder = await locateModel(request, contextFor(cache, hub.url));
        const content = await contentOf(folder);
        expect(content).toMatchObject(whole);
        expect(Object.keys(content).sort()).toEqual([...Object.keys(whole), "files.json"].sort());
        expect(hub.gets(large)[1]?.sent).toBe(onnx.byteLength - 120_000);
        expect(hub.gets("config.json")).toHaveLength(1);
      }),
    );
  });

  it("that download the same model at once wait for one another, and both have it", async () => {
    await withTemporaryFolder((cache) =>
      withHub(async (hub) => {
        const { reached, release } = holdBack(hub, 1000);
        const first = start(cache, hub.url);
        await reached;
        const second = start(cache, hub.url);
        await once(second.stderr!, "readable");
        release();
        const [one, two] = await Promise.all([ended(first), ended(second)]);
        expect(one).toMatchObject({ code: 0, stdout: join(cache, "models", "Some", "tiny-model", "main") });
        expect(two).toMatchObject({ code: 0, stdout: one.stdout });
        expect(two.stderr).toContain("waiting for another process");
        expect(await contentOf(one.stdout)).toMatchObject(whole);
        for (const file of Object.keys(files)) expect(hub.gets(file)).toHaveLength(1);
      }),
    );
  });

  // The shell's bound on files stands for a disk without room: both end a write in the middle of a file.
  const itOnPosix = process.platform === "win32" ? it.skip : it;
  itOnPosix("that find no room for a file say so, and keep what they have", async () => {
    await withTemporaryFolder((cache) =>
      withHub(async (hub) => {
        const bounded = spawn(
          "/bin/sh",
          ["-c", 'ulimit -f 100; exec "$0" "$@"', process.execPath, script, cache, hub.url],
          { stdio: ["ignore", "pipe", "pipe"] },
        );
        const { code, stderr } = await ended(bounded);
        expect(code).toBe(1);
        expect(stderr).toContain("There is no room left on the disk for the model");
        expect(stderr).not.toContain("trying again");
        expect(await contentOf(await locateModel(request, contextFor(cache, hub.url)))).toMatchObject(whole);
        expect(hub.gets(large)[1]?.sent).toBeLessThan(onnx.byteLength);
      }),
    );
  });

  it("take over a lock that nobody renews, whoever left it", async () => {
    await withTemporaryFolder((cache) =>
      withHub(async (hub) => {
        const folder = join(cache, "models", model, "main");
        for (const content of [
          "",
          JSON.stringify({ token: "x", pid: process.pid, host: hostname() }),
          JSON.stringify({ token: "x", pid: 1, host: "another" }),
        ]) {
          await writeTree(folder, { "download.lock": content });
          // A clock that is ahead does not make it live for ever.
          await utimes(join(folder, "download.lock"), new Date(), new Date(Date.now() + 3_600_000));
          const context = contextFor(cache, hub.url, {
            limits: { lock: { beatMs: 50, goneMs: 100, silentMs: 500 } },
          });
          await locateModel(request, context);
          await writeFile(join(folder, "files.json"), "{}");
        }
        expect(Object.keys(await contentOf(folder))).not.toContain("download.lock");
      }),
    );
  });
});

describe("callers of one process", () => {
  it("share a download, and each is told how far it is", async () => {
    await withTemporaryFolder((cache) =>
      withHub(async (hub) => {
        const contexts = [1, 2, 3].map(() => contextFor(cache, hub.url));
        const folders = await Promise.all(contexts.map((context) => locateModel(request, context)));
        expect(new Set(folders).size).toBe(1);
        for (const file of Object.keys(files)) expect(hub.gets(file)).toHaveLength(1);
        const total = Object.values(files).reduce((sum, { byteLength }) => sum + byteLength, 0);
        for (const { events } of contexts) expect(events.at(-1)).toMatchObject({ done: total, total });
      }),
    );
  });

  it("may leave without ending the download of the others", async () => {
    await withTemporaryFolder((cache) =>
      withHub(async (hub) => {
        const { reached, release } = holdBack(hub, 1000);
        const leaving = new AbortController();
        const left = locateModel(request, contextFor(cache, hub.url, { signal: leaving.signal }));
        const staying = locateModel(request, contextFor(cache, hub.url));
        await reached;
        leaving.abort();
        await expect(left).rejects.toMatchObject({ code: "KB_CANCELLED" });
        release();
        expect(await contentOf(await staying)).toMatchObject(whole);
        expect(hub.gets(large)).toHaveLength(1);
      }),
    );
  });

  it("that have all left end it; who comes later goes on where it stopped", async () => {
    await withTemporaryFolder((cache) =>
      withHub(async (hub) => {
        const { reached } = holdBack(hub, 50_000);
        const leaving = new AbortController();
        const left = locateModel(
          request,
          contextFor(cache, hub.url, { signal: leaving.signal, limits: { stallMs: 60_000 } }),
        );
        await reached;
        leaving.abort();
        await expect(left).rejects.toMatchObject({ code: "KB_CANCELLED" });
        await locateModel(request, contextFor(cache, hub.url));
        expect(hub.gets(large)[1]?.sent).toBe(onnx.byteLength - 50_000);
      }),
    );
  });
});
