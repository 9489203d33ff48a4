import { readFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { builtInPlugins, knownPlugins } from "../../src/container.js";
import { loadConfig } from "../../src/core/config/load-config.js";
import { choosePlugin, findPlugin } from "../../src/core/plugins/choose-plugin.js";
import { PluginCatalogue } from "../../src/core/plugins/plugin-catalogue.js";
import { withTemporaryFolder, writeTree } from "../support/temporary-folder.js";

const page = readFileSync("docs/configuration.md", "utf8");
const part = /## Options of the plugins that come with kb-mcp\n(.*?)\n## /su.exec(page)?.[1] ?? "";
const catalogue = new PluginCatalogue(builtInPlugins);

/** Each section: what it is about, the options in its table, its example. */
const sections = part
  .split("\n### ")
  .slice(1)
  .map((text) => {
    const [, kind = "", id = ""] = /^(\w+) `([^`]+)`/u.exec(text) ?? [];
    return {
      name: `${kind.toLowerCase()} ${id}`,
      kind: `${kind.toLowerCase()}s` as "embedders" | "rerankers" | "stores",
      id,
      options: [...text.matchAll(/^\| `([^`]+)`/gmu)].map((match) => match[1] ?? ""),
      example: /```toml\n(.*?)```/su.exec(text)?.[1],
    };
  });

describe("the options that docs/configuration.md lists", () => {
  it("are those of every embedder, reranker and store that comes with kb-mcp", () => {
    const kinds = ["embedders", "rerankers", "stores"] as const;
    const all = kinds.flatMap((kind) => Object.keys(builtInPlugins[kind]).map((id) => `${kind} ${id}`));
    expect(sections.map(({ kind, id }) => `${kind} ${id}`).sort()).toEqual(all.sort());
  });

  it.each(sections)("are all that the $name takes, and no others", async ({ kind, id, options }) => {
    const { factory } = await findPlugin(catalogue, kind, id, "");
    const { optionsSchema } = factory;
    if (optionsSchema === undefined) {
      expect(options).toEqual([]);
      return;
    }
    const { issues = [] } = await optionsSchema["~standard"].validate({ nonsense: 1 });
    const refusal = issues.find(({ path }) => path?.[0] === "nonsense")?.message ?? "";
    const [, listed = ""] = /(?:the options are|the only option is) (.*)$/u.exec(refusal) ?? [];
    expect(options.toSorted()).toEqual(listed.split(", ").sort());
  });

  it.each(sections.filter(({ example }) => example !== undefined))(
    "make an example for the $name that is accepted",
    async ({ kind, id, example = "" }) => {
      await withTemporaryFolder(async (folder) => {
        await writeTree(folder, { "kb-mcp.toml": `kb_path = "notes"\n${example}`, "data/": "" });
        const { config, warnings } = await loadConfig({
          flags: { config: `${folder}/kb-mcp.toml` },
          environment: { KB_MCP_DATA_DIR: `${folder}/data` },
          workingDirectory: folder,
          userConfigDirectory: folder,
          knownPlugins,
        });
        expect(warnings).toEqual([]);
        const use = { embedders: config.embedder, rerankers: config.reranker, stores: config.store }[kind];
        expect(use?.use).toBe(id);
        if (use !== undefined) await choosePlugin(catalogue, kind, use, "");
      });
    },
  );
});
