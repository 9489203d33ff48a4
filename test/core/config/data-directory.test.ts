import fs from "node:fs/promises";
import path from "node:path";
import envPaths from "env-paths";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { indexDirectory, loadConfig } from "../../../src/core/config/load-config.js";
import { ConfigWorkspace, knownPlugins, refusal } from "./support/config-workspace.js";

let workspace: ConfigWorkspace;
beforeEach(async () => {
  workspace = await ConfigWorkspace.create();
});
afterEach(() => workspace.remove());

describe("the data directory", () => {
  it("is the one the platform prescribes unless KB_MCP_DATA_DIR names another", async () => {
    const { config, origins } = await loadConfig({
      flags: { kbPath: "notes" },
      environment: {},
      workingDirectory: workspace.project,
      userConfigDirectory: workspace.userConfig,
      knownPlugins,
    });
    expect(config.dataDirectory).toBe(envPaths("kb-mcp", { suffix: "" }).data);
    expect(origins["data_dir"]).toBe("default");
    const environment = { KB_MCP_DATA_DIR: "mine" };
    expect((await workspace.load({ environment, flags: { kbPath: "notes" } })).config.dataDirectory).toBe(
      path.join(workspace.project, "mine"),
    );
  });

  it("is refused inside the knowledge base, under every path that leads there", async () => {
    const notes = path.join(workspace.root, "notes");
    await fs.mkdir(path.join(notes, "deep"), { recursive: true });
    await fs.symlink(notes, path.join(workspace.root, "link"));
    await fs.symlink(path.join(notes, "deep"), path.join(workspace.root, "data-link"));
    const refused = async (kbPath: string, data: string): Promise<string | undefined> =>
      workspace
        .load({
          workingDirectory: workspace.root,
          flags: { kbPath },
          environment: { KB_MCP_DATA_DIR: data },
        })
        .then(
          () => undefined,
          (error: unknown) => (error as { code: string }).code,
        );
    for (const kbPath of ["notes", "link", "notes/", "notes/../notes"]) {
      for (const data of ["notes", "notes/deep/new/data", "link/new", "data-link", "data-link/new"]) {
        expect([kbPath, data, await refused(kbPath, data)]).toEqual([
          kbPath,
          data,
          "KB_CONFIG_DATA_DIRECTORY",
        ]);
      }
      for (const data of ["notes-data", "data", ".", "not"]) {
        expect([kbPath, data, await refused(kbPath, data)]).toEqual([kbPath, data, undefined]);
      }
    }
    expect(await refused("not-yet", "not-yet/data")).toBe("KB_CONFIG_DATA_DIRECTORY");
    const error = await refusal(workspace.load({ flags: { kbPath: "/" } }));
    expect(error.code).toBe("KB_CONFIG_DATA_DIRECTORY");
  });
});

describe("the directory of an index", () => {
  it("is named after the folder and told apart by the hash of its real path", () => {
    // sha256 of the text, as `printf %s /home/me/my notes | sha256sum` gives it
    expect(indexDirectory("/data", "/home/me/my notes")).toBe(
      path.join("/data", "indexes", "my-notes-6f1102d9e8ecdab1"),
    );
    expect(path.basename(indexDirectory("/data", "/家/ノート"))).toMatch(/^ノート-[0-9a-f]{16}$/);
    const longName = path.basename(indexDirectory("/data", `/${"𠮷".repeat(300)}`));
    expect(longName).toMatch(/^𠮷{40}-[0-9a-f]{16}$/u);
    expect(path.basename(indexDirectory("/data", "/"))).toMatch(/^kb-[0-9a-f]{16}$/);
    expect(path.basename(indexDirectory("/data", "/x/.hidden"))).toMatch(/^hidden-[0-9a-f]{16}$/);
  });

  it("is one plain folder name for every path, and differs between paths", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (one, other) => {
        const [first, second] = [indexDirectory("/data", `/${one}`), indexDirectory("/data", `/${other}`)];
        expect(path.dirname(first)).toBe(path.join("/data", "indexes"));
        expect(path.basename(first)).toMatch(/^[\p{L}\p{M}\p{N}._-]{0,40}-[0-9a-f]{16}$/u);
        expect(Buffer.byteLength(path.basename(first))).toBeLessThan(256);
        expect(path.basename(first)).not.toMatch(/^[.-]/);
        expect(first === second).toBe(one === other);
      }),
    );
  });
});
