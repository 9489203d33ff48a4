// What a client hears while documents change: the real command line over stdio, real files, a real index.
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import {
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { connectClient, runCli } from "../support/kb-mcp-process.js";
import { writeTree } from "../support/temporary-folder.js";

let folder: string;
let data: string;
let client: Client;
let heard: string[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "kb-mcp-changes-"));
  data = await mkdtemp(join(tmpdir(), "kb-mcp-changes-data-"));
  await writeTree(folder, {
    "ops/backup.md": "# Backup\n\nWe back up every night.\n",
    "ops/第1回 打合せ.md": "# 打合せ\n\n議事録。\n",
    "home.md": "# Home\n\nWelcome.\n",
  });
  await runCli(["index", "--kb-path", folder], data);
  ({ client } = await connectClient(["--kb-path", folder], data));
  heard = [];
  client.setNotificationHandler(
    ResourceUpdatedNotificationSchema,
    ({ params }) => void heard.push(params.uri),
  );
  client.setNotificationHandler(ResourceListChangedNotificationSchema, () => void heard.push("list"));
  // The server's own first run may be under way.
  while ((await rebuild()).isError === true) await new Promise((resolve) => setTimeout(resolve, 50));
}, 60_000);

afterEach(async () => {
  await client.close();
  await rm(folder, { recursive: true });
  await rm(data, { recursive: true });
});

const rebuild = () => client.callTool({ name: "rebuild_index", arguments: {} });
/** What was heard once the run's own notifications are through. */
const heardAfterRebuild = async (): Promise<string[]> => {
  heard.length = 0;
  expect((await rebuild()).isError ?? false).toBe(false);
  await new Promise((resolve) => setTimeout(resolve, 500));
  return [...heard].sort();
};
const backup = "kb://doc/ops/backup.md";

describe("a client that subscribed", () => {
  it("hears of a document that was indexed again, and of a topic whose list of documents changed", async () => {
    await client.subscribeResource({ uri: backup });
    await client.subscribeResource({ uri: "kb://topic/ops" });
    await writeFile(join(folder, "ops/backup.md"), "# Backup\n\nWe back up twice a night now.\n");
    expect(await heardAfterRebuild()).toEqual([backup]);
    await writeFile(join(folder, "home.md"), "# Home\n\nAnother welcome.\n");
    expect(await heardAfterRebuild()).toEqual([]);
    await writeFile(join(folder, "ops/restore.md"), "# Restore\n\nFrom last night.\n");
    expect(await heardAfterRebuild()).toEqual(["kb://topic/ops"]);
  }, 60_000);

  it("hears of a document that is gone, in the spelling it used", async () => {
    const plain = "kb://doc/ops/第1回 打合せ.md";
    await client.subscribeResource({ uri: plain });
    await client.subscribeResource({ uri: backup });
    await rm(join(folder, "ops/第1回 打合せ.md"));
    expect(await heardAfterRebuild()).toEqual([plain]);
  }, 60_000);

  it("hears that the list changed only when a topic came or went", async () => {
    await mkdir(join(folder, "ops/night"));
    await rename(join(folder, "ops/backup.md"), join(folder, "ops/night/backup.md"));
    expect(await heardAfterRebuild()).toEqual(["list"]);
    expect((await client.listResources()).resources.map(({ uri }) => uri)).toContain("kb://topic/ops/night");
    await writeFile(join(folder, "ops/night/backup.md"), "# Backup\n\nAnother text.\n");
    expect(await heardAfterRebuild()).toEqual([]);
  }, 60_000);
});
