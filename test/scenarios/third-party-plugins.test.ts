// Third-party packages as an operator meets them: named in kb-mcp.toml, installed or lying beside it, good and bad.
import { existsSync } from "node:fs";
import { cp } from "node:fs/promises";
import { join, resolve } from "node:path";
import { describe, expect, it } from "@jest/globals";
import type { IndexSummary, SearchReply } from "../../src/core/index.js";
import type { PluginsReply } from "../../src/core/plugins/list-plugins.js";
import { connectClient, runCli, type CliResult } from "../support/kb-mcp-process.js";
import { withTemporaryFolder, writeTree } from "../support/temporary-folder.js";

/** A parser of `.log` files in CommonJS, as a compiler writes it; each line is a section. */
const logParser = (version: string): string => `
Object.defineProperty(exports, "__esModule", { value: true });
exports.default = {
  name: "kb-mcp-parser-log", version: ${JSON.stringify(version)}, apiVersion: 1,
  parsers: [{
    id: "log", extensions: ["log"], mediaType: "text/plain", binary: false,
    optionsSchema: { "~standard": { version: 1, vendor: "own", validate: (value) =>
      Object.keys(value).every((key) => key === "prefix")
        ? { value: { prefix: "", ...value } }
        : { issues: [{ message: "takes prefix only", path: ["log"] }] } } },
    create: ({ prefix }) => ({ parse: ({ text }) => {
      const lines = text.trimEnd().split("\\n");
      return { frontmatter: {}, title: prefix + "log", text,
        sections: lines.map((line, at) => ({ level: 0, text: line, startLine: at + 1, endLine: at + 1 })) };
    } }),
  }],
};`;

interface Operator {
  readonly folder: string;
  readonly run: (...args: string[]) => Promise<CliResult>;
  readonly index: () => Promise<IndexSummary>;
}

/** A folder of notes with a configuration that names packages. */
async function withOperator(
  config: string,
  tree: Readonly<Record<string, string>>,
  use: (operator: Operator) => Promise<void>,
): Promise<void> {
  await withTemporaryFolder(async (folder) => {
    await writeTree(folder, {
      "config/kb-mcp.toml": `kb_path = "../notes"\n${config}`,
      "notes/garden.md": "# Garden\n\nTulips in spring.\n",
      "data/": "",
      ...tree,
    });
    const run = (...args: string[]): Promise<CliResult> =>
      runCli([...args, "--config", join(folder, "config", "kb-mcp.toml")], join(folder, "data"));
    await use({
      folder,
      run,
      index: async () => {
        const result = await run("index", "--format", "json");
        expect(result).toMatchObject({ code: 0 });
        return JSON.parse(result.stdout) as IndexSummary;
      },
    });
  });
}

const enabled = (...ids: string[]): string => `[parsers]\nenabled = ${JSON.stringify(["md", ...ids])}\n`;

describe("a parser in an installed package", () => {
  const config = `[plugins]\npackages = ["kb-mcp-parser-log"]\n${enabled("log")}`;
  const tree = {
    "config/node_modules/kb-mcp-parser-log/package.json":
      '{ "name": "kb-mcp-parser-log", "main": "index.cjs" }',
    "config/node_modules/kb-mcp-parser-log/index.cjs": logParser("1.0.0"),
    "notes/server.log": "started\nthe disk is full of zeppelins\nstopped\n",
  };

  it("reads its files, which are searched and read over MCP like any other", async () => {
    await withOperator(config, tree, async ({ folder, run, index }) => {
      expect(await index()).toMatchObject({ documents: 2, skipped: [] });
      const { stdout } = await run("search", "zeppelins", "--format", "json");
      expect((JSON.parse(stdout) as SearchReply).results[0]).toMatchObject({
        path: "server.log",
        uri: "kb://doc/server.log",
        content: expect.stringContaining("zeppelins"),
      });
      const { client, stderr } = await connectClient(
        ["--config", join(folder, "config", "kb-mcp.toml")],
        join(folder, "data"),
      );
      try {
        const { contents } = await client.readResource({ uri: "kb://doc/server.log" });
        expect(contents).toMatchObject([{ mimeType: "text/plain", text: tree["notes/server.log"] }]);
        expect(stderr()).not.toContain("error");
      } finally {
        await client.close();
      }
    });
  });

  it("re-reads its own files and no others when its version or its options change", async () => {
    await withOperator(config, tree, async ({ folder, index }) => {
      await index();
      expect(await index()).toMatchObject({ updated: 0, unchanged: 2 });
      await writeTree(folder, { "config/node_modules/kb-mcp-parser-log/index.cjs": logParser("1.0.1") });
      expect(await index()).toMatchObject({ updated: 1, unchanged: 1 });
      await writeTree(folder, {
        "config/kb-mcp.toml": `kb_path = "../notes"\n${config}[parsers.options.log]\nprefix = "My "\n`,
      });
      expect(await index()).toMatchObject({ updated: 1, unchanged: 1 });
      expect(await index()).toMatchObject({ updated: 0, unchanged: 2 });
    });
  });

  it("checks its options itself, and is refused with the table that holds them", async () => {
    const wrong = `${config}[parsers.options.log]\nprefx = "My "\n`;
    await withOperator(wrong, tree, async ({ run }) => {
      const { code, stderr } = await run("index");
      expect(code).toBe(2);
      expect(stderr).toContain('"kb-mcp-parser-log": [parsers.options.log]: log: takes prefix only');
      expect(stderr).toContain("[KB_PLUGIN_OPTIONS]");
    });
  });
});

describe("a parser that goes wrong with a file", () => {
  it("costs that file only, and the summary names the parser", async () => {
    const files = ["throw", "end", "rubbish", "memory", "fine"];
    const tree = Object.fromEntries(files.map((what) => [`notes/${what}.moody`, `${what}\nand more\n`]));
    const config = `[plugins]\npackages = ["./moody-parser.mjs"]\n${enabled("moody")}`;
    await withOperator(config, tree, async ({ folder, index }) => {
      await cp(resolve("test/fixtures/plugins/moody-parser.mjs"), join(folder, "config/moody-parser.mjs"));
      const { documents, skipped } = await index();
      expect(documents).toBe(2);
      const reasons = Object.fromEntries(
        skipped.map(({ path, code, reason }) => [path, `${code} ${reason}`]),
      );
      expect(reasons).toEqual({
        "throw.moody": expect.stringMatching(/^KB_PARSE_FAILED .*parser moody .*upside down/u),
        "end.moody": expect.stringMatching(/^KB_PARSE_FAILED .*parser moody .*exit code 9/u),
        "rubbish.moody": expect.stringMatching(/^KB_PARSE_RESULT .*parser moody /u),
        "memory.moody": expect.stringMatching(/^KB_PARSE_MEMORY .*parser moody .*512 MiB/u),
      });
    });
  });
});

describe("kb-mcp plugins", () => {
  it("lists what is in use, from where and what it reads, and what else there is", async () => {
    const config = `[plugins]\npackages = ["./log.cjs"]\n${enabled("log")}[embedder]\nuse = "openai"\nmodel = "text-embedding-3-small"\n`;
    await withOperator(config, { "config/log.cjs": logParser("1.2.3") }, async ({ run }) => {
      const { code, stdout } = await run("plugins", "--format", "json");
      expect(code).toBe(0);
      const { plugins, refused } = JSON.parse(stdout) as PluginsReply;
      expect(refused).toEqual([]);
      expect(plugins.find(({ id }) => id === "log")).toEqual({
        kind: "parser",
        id: "log",
        active: true,
        package: "kb-mcp-parser-log",
        named: "./log.cjs",
        version: "1.2.3",
        extensions: ["log"],
        media_type: "text/plain",
      });
      const active = plugins.filter((plugin) => plugin.active).map(({ kind, id }) => `${kind} ${id}`);
      expect(active).toEqual([
        "parser md",
        "embedder openai",
        "store lancedb",
        "transport stdio",
        "parser log",
      ]);
      expect(plugins.find(({ id }) => id === "txt")).toMatchObject({ active: false, package: "kb-mcp" });
      const { stdout: text } = await run("plugins");
      expect(text).toMatch(
        /^In use\n.*parser +log +kb-mcp-parser-log 1\.2\.3, from \.\/log\.cjs +\.log as text\/plain\n/su,
      );
    });
  });

  it("says why a package or a plugin cannot be used, and ends with 1", async () => {
    const config = '[plugins]\npackages = ["./gone.mjs", "./log.cjs"]\n[embedder]\nuse = "openai"\n';
    await withOperator(config, { "config/log.cjs": logParser("1.2.3") }, async ({ run }) => {
      const { code, stdout } = await run("plugins", "--format", "json");
      expect(code).toBe(1);
      const { plugins, refused } = JSON.parse(stdout) as PluginsReply;
      expect(refused).toMatchObject([{ named: "./gone.mjs", code: "KB_PLUGIN_NOT_FOUND" }]);
      expect(plugins.find(({ id }) => id === "openai")?.refused).toMatchObject({
        code: "KB_PLUGIN_OPTIONS",
        message: expect.stringContaining("model"),
      });
      expect(plugins.some(({ id }) => id === "log")).toBe(true);
      expect((await run("plugins")).stdout).toMatch(
        /Cannot be used\n {2}embedder openai: .*\n.*\n {2}\.\/gone\.mjs: /u,
      );
      // What kb-mcp plugins only lists stops everything else, before a file is read.
      expect(await run("index")).toMatchObject({
        code: 2,
        stdout: "",
        stderr: expect.stringContaining("[KB_PLUGIN_NOT_FOUND]"),
      });
    });
  });
});

describe("kb-mcp plugins and a configuration that cannot be used", () => {
  it.each([
    [enabled("logs"), '[parsers].enabled: there is no parser "logs"'],
    [`${enabled("log")}[parsers.options.lgo]\nx = 1\n`, '[parsers.options.lgo]: there is no parser "lgo"'],
    [`${enabled("log")}[embedder]\nuse = "far-away"\n`, '[embedder]: there is no embedder "far-away"'],
    [enabled("log", "log2"), "both claim .log files"],
  ])("says what stops an index run: %j", async (settings, message) => {
    const second = logParser("1.0.0")
      .replace('"log", ext', '"log2", ext')
      .replace("parser-log", "parser-log2");
    const config = `[plugins]\npackages = ["./log.cjs", "./log2.cjs"]\n${settings}`;
    const tree = { "config/log.cjs": logParser("1.0.0"), "config/log2.cjs": second };
    await withOperator(config, tree, async ({ run }) => {
      const { code, stdout } = await run("plugins");
      expect([code, stdout]).toEqual([1, expect.stringContaining(message)]);
      expect(await run("index")).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
    });
  });
});

describe("a package of which nothing is in use", () => {
  it("is named at the start, with what to do", async () => {
    const config = '[plugins]\npackages = ["~/log.cjs"]\n';
    await withOperator(config, { "data/log.cjs": logParser("1.0.0") }, async ({ run }) => {
      expect(await run("index")).toMatchObject({
        code: 0,
        stderr: expect.stringContaining(
          'the package "~/log.cjs" is loaded, but nothing of it is in use (parser "log"): add "log" to [parsers].enabled',
        ),
      });
    });
  });
});

describe("a configuration that was merely found", () => {
  it("loads nothing third-party, and says how to trust it", async () => {
    const evil =
      'import { writeFileSync } from "node:fs";\nwriteFileSync(new URL("ran", import.meta.url), "");\n';
    const config = `[plugins]\npackages = ["./evil.mjs"]\n${enabled("log")}`;
    await withOperator(config, { "config/evil.mjs": evil }, async ({ folder }) => {
      const found = join(folder, "config");
      for (const command of [["index"], ["plugins"], ["status"], ["search", "tulips"]]) {
        const { code, stderr } = await runCli(command, join(folder, "data"), found);
        expect(code).toBe(0);
        expect(stderr).toContain("ignored [plugins]");
        expect(stderr).toContain(`--config ${join(found, "kb-mcp.toml")}`);
      }
      expect(existsSync(join(found, "ran"))).toBe(false);
      // Trusted, the same file is loaded: the marker is a good one.
      await runCli(["plugins", "--config", join(found, "kb-mcp.toml")], join(folder, "data"));
      expect(existsSync(join(found, "ran"))).toBe(true);
    });
  });
});

describe("plugins that want the same", () => {
  it("are refused with both owners named where it is an extension", async () => {
    const config = `[plugins]\npackages = ["./other.mjs"]\n${enabled("x")}`;
    await withOperator(config, {}, async ({ folder, run }) => {
      const fixture = "takes-the-extension-of-another.mjs";
      await cp(resolve("test/fixtures/plugins/hostile", fixture), join(folder, "config/other.mjs"));
      const { code, stderr } = await run("index");
      expect(code).toBe(2);
      expect(stderr).toContain(
        'The parsers "md" (kb-mcp) and "x" (kb-mcp-parser-other 1.0.0) both claim .md files',
      );
      expect(stderr).toContain("[KB_PLUGIN_DUPLICATE_EXTENSION]");
    });
  });

  it("are refused with both owners named where it is an id", async () => {
    await withOperator('[plugins]\npackages = ["./thief.mjs"]\n', {}, async ({ folder, run }) => {
      const fixture = "takes-the-id-of-another.mjs";
      await cp(resolve("test/fixtures/plugins/hostile", fixture), join(folder, "config/thief.mjs"));
      const { code, stderr } = await run("status");
      expect(code).toBe(2);
      expect(stderr).toContain('the embedder "bundled" of thief 1.0.0 is offered by kb-mcp already');
      expect(stderr).toContain("[KB_PLUGIN_DUPLICATE_ID]");
    });
  });

  it("leave an id that none of them offers unknown, with those that there are", async () => {
    const config = `[plugins]\npackages = ["./log.cjs"]\n${enabled("logs")}`;
    await withOperator(config, { "config/log.cjs": logParser("1.0.0") }, async ({ run }) => {
      const { code, stderr } = await run("index");
      expect(code).toBe(2);
      expect(stderr).toContain('[parsers].enabled: there is no parser "logs"; there is md, txt, log');
      expect(stderr).toContain("[KB_PLUGIN_UNKNOWN]");
    });
  });
});
