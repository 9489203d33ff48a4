import { symlink } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "@jest/globals";
import { builtInPlugins, createApplication, knownPlugins } from "../src/container.js";
import { loadConfig, type Config } from "../src/core/config/load-config.js";
import { createLogger } from "../src/core/logger.js";
import { withTemporaryFolder, writeTree } from "./support/temporary-folder.js";

const rerankers = {
  "longest-first": pathToFileURL(resolve("test/fixtures/plugins/longest-first-reranker.mjs")).href,
};
const modules = { ...builtInPlugins, rerankers };

async function configOf(folder: string, environment: Record<string, string> = {}): Promise<Config> {
  const { config } = await loadConfig({
    flags: { kbPath: "notes" },
    environment: { KB_MCP_DATA_DIR: join(folder, "data"), ...environment },
    workingDirectory: folder,
    userConfigDirectory: folder,
    knownPlugins: { ...knownPlugins, rerankers: Object.keys(rerankers) },
  });
  return config;
}

describe("an application", () => {
  it("has the reranker that is configured, and none otherwise", async () => {
    await withTemporaryFolder(async (folder) => {
      await writeTree(folder, {
        "notes/short.md": "# Thyme\n\nThyme likes a dry and sunny place.\n",
        "notes/long.md":
          "# Garden\n\nSome herbs need water every day, and some do not. Among many other herbs of the garden there is also some thyme by the wall.\n",
      });
      const log: string[] = [];
      const logger = createLogger("info", (line) => log.push(line));
      const pathsWith = async (environment: Record<string, string>): Promise<string[]> => {
        const application = await createApplication(await configOf(folder, environment), logger, {
          builtIn: modules,
        });
        try {
          await application.knowledgeBase.index();
          const { results, notes } = await application.knowledgeBase.search({ query: "thyme" });
          expect(notes).toEqual([]);
          return results.map(({ path }) => path);
        } finally {
          await application.close();
        }
      };
      expect(await pathsWith({})).toEqual(["short.md", "long.md"]);
      expect(log).toEqual([]);
      expect(await pathsWith({ KB_MCP_SEARCH_RERANKER: "longest-first" })).toEqual(["long.md", "short.md"]);
      expect(log).toEqual(["kb-mcp info: longest-first was disposed of"]);
    });
  });

  it("is refused with an index inside the knowledge base, whatever links lead there", async () => {
    await withTemporaryFolder(async (folder) => {
      await writeTree(folder, { "notes/inner/": "" });
      await symlink(join(folder, "notes"), join(folder, "link"));
      for (const uri of [join(folder, "notes", "index"), join(folder, "link", "inner", "index")]) {
        const config = { ...(await configOf(folder)), store: { use: "lancedb", options: { uri } } };
        await expect(createApplication(config, createLogger("error"))).rejects.toMatchObject({
          code: "KB_CONFIG_DATA_DIRECTORY",
          message: expect.stringContaining(uri),
        });
      }
    });
  });

  it("is refused with a reranker that no plugin offers", async () => {
    await withTemporaryFolder(async (folder) => {
      await writeTree(folder, { "notes/": "" });
      const config = { ...(await configOf(folder)), reranker: { use: "cross-encoder", options: {} } };
      await expect(createApplication(config, createLogger("error"))).rejects.toMatchObject({
        code: "KB_PLUGIN_UNKNOWN",
        message: '[reranker.cross-encoder]: there is no reranker "cross-encoder"; there is transformers',
      });
    });
  });
});
