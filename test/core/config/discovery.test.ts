import fs from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { limits } from "../../../src/core/limits.js";
import { makeFifos } from "../../support/temporary-folder.js";
import { ConfigWorkspace, refusal } from "./support/config-workspace.js";

let workspace: ConfigWorkspace;
beforeEach(async () => {
  workspace = await ConfigWorkspace.create();
});
afterEach(() => workspace.remove());

const limit = (value: number): string => `kb_path = "notes"\n[search]\nlimit = ${value}\n`;

describe("the file that counts", () => {
  it("is, in this order: the named one, the working directory's, the git root's, the user's", async () => {
    const deep = path.join(workspace.project, "a", "b");
    await fs.mkdir(deep, { recursive: true });
    const at = async (): Promise<[number, string | undefined, boolean]> => {
      const { config, file, trusted } = await workspace.load({
        workingDirectory: deep,
        flags: { kbPath: "." },
      });
      return [config.search.limit, file, trusted];
    };
    expect(await at()).toEqual([5, undefined, true]);

    const user = await workspace.write("home/reader/.config/kb-mcp/kb-mcp.toml", limit(11));
    expect(await at()).toEqual([11, user, true]);

    const gitRoot = await workspace.write("home/reader/project/kb-mcp.toml", limit(12));
    expect(await at()).toEqual([11, user, true]);
    await fs.mkdir(path.join(workspace.project, ".git"));
    expect(await at()).toEqual([12, gitRoot, false]);

    const here = await workspace.write("home/reader/project/a/b/kb-mcp.toml", limit(13));
    expect(await at()).toEqual([13, here, false]);

    const named = await workspace.write("elsewhere/my.toml", limit(14));
    const environment = { KB_MCP_CONFIG: named };
    expect(await workspace.load({ workingDirectory: deep, environment })).toMatchObject({
      file: named,
      trusted: true,
    });

    const flagged = await workspace.write("elsewhere/other.toml", limit(15));
    expect(await workspace.load({ environment, flags: { config: flagged } })).toMatchObject({
      file: flagged,
    });
  });

  it("is not looked for beyond the nearest folder that holds .git, where .git may be a file", async () => {
    await workspace.write("home/reader/kb-mcp.toml", limit(12));
    await workspace.write("home/reader/.git/HEAD", "");
    await workspace.write("home/reader/project/.git", "gitdir: elsewhere\n");
    expect((await workspace.load({ flags: { kbPath: "." } })).file).toBeUndefined();
  });

  it(`is not looked for more than ${limits.configAncestors} folders up`, async () => {
    await workspace.write("home/reader/project/.git/HEAD", "");
    await workspace.write("home/reader/project/kb-mcp.toml", limit(12));
    const below = (levels: number): string =>
      path.join(workspace.project, ...Array<string>(levels).fill("d"));
    await fs.mkdir(below(limits.configAncestors + 1), { recursive: true });
    const fileFrom = async (levels: number): Promise<string | undefined> =>
      (await workspace.load({ workingDirectory: below(levels), flags: { kbPath: "." } })).file;
    expect(await fileFrom(limits.configAncestors)).toBe(path.join(workspace.project, "kb-mcp.toml"));
    expect(await fileFrom(limits.configAncestors + 1)).toBeUndefined();
  });

  it("is trusted in the user's config directory even when that is the working directory", async () => {
    await workspace.write(
      "home/reader/.config/kb-mcp/kb-mcp.toml",
      'kb_path = "."\n[store]\nuse = "memory"\n',
    );
    const link = path.join(workspace.root, "link");
    await fs.symlink(workspace.userConfig, link);
    for (const workingDirectory of [workspace.userConfig, link]) {
      const { trusted, config } = await workspace.load({ workingDirectory });
      expect([trusted, config.store.use]).toEqual([true, "memory"]);
    }
  });

  it("is not trusted because it links to the user's own file: its relative paths count from its own folder", async () => {
    const own = await workspace.write("home/reader/.config/kb-mcp/kb-mcp.toml", '[store]\nuse = "memory"\n');
    await fs.symlink(own, path.join(workspace.project, "kb-mcp.toml"));
    const { trusted, config } = await workspace.load({ flags: { kbPath: "notes" } });
    expect([trusted, config.store.use]).toEqual([false, "lancedb"]);
  });
});

describe("a file that cannot be used", () => {
  it("is an error when it is named and absent", async () => {
    const error = await refusal(workspace.load({ flags: { config: "absent.toml" } }));
    expect(error.code).toBe("KB_CONFIG_NOT_FOUND");
    expect(error.message).toContain(path.join(workspace.project, "absent.toml"));
    const environment = { KB_MCP_CONFIG: "absent.toml" };
    expect((await refusal(workspace.load({ environment }))).code).toBe("KB_CONFIG_NOT_FOUND");
  });

  it("is an error when it is a directory, a FIFO, or too large", async () => {
    const file = path.join(workspace.project, "kb-mcp.toml");
    await fs.mkdir(file);
    const directory = await refusal(workspace.load());
    expect([directory.code, directory.message]).toEqual([
      "KB_CONFIG_UNREADABLE",
      `the configuration file ${file} cannot be read: it is a directory`,
    ]);

    await fs.rmdir(file);
    makeFifos(file);
    expect((await refusal(workspace.load())).message).toContain("it is not a regular file");

    await fs.rm(file);
    await workspace.write("home/reader/project/kb-mcp.toml", "#".repeat(limits.configFileBytes + 1));
    expect((await refusal(workspace.load())).message).toContain("it is larger than 64 KiB");
    await workspace.write("home/reader/project/kb-mcp.toml", "#".repeat(limits.configFileBytes));
    expect((await workspace.load({ flags: { kbPath: "notes" } })).file).toBe(file);
  });

  it("is an error when it is not UTF-8, and none when it starts with a byte-order mark", async () => {
    const bytes = Buffer.from('kb_path = "caf\u00e9"\n', "latin1");
    await workspace.write("home/reader/project/kb-mcp.toml", bytes);
    const error = await refusal(workspace.load());
    expect([error.code, error.hint]).toEqual(["KB_CONFIG_SYNTAX", "Save the file as UTF-8."]);

    await workspace.write("home/reader/project/kb-mcp.toml", `\uFEFF${limit(7).replaceAll("\n", "\r\n")}`);
    expect((await workspace.load()).config.search.limit).toBe(7);
  });

  const asOtherUser = process.getuid?.() === 0 ? it.skip : it;
  asOtherUser("is an error when it may not be read", async () => {
    await fs.chmod(await workspace.write("home/reader/project/kb-mcp.toml", limit(7)), 0);
    expect((await refusal(workspace.load())).code).toBe("KB_CONFIG_UNREADABLE");
  });
});
