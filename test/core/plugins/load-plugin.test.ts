import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { loadPlugin } from "../../../src/core/plugins/load-plugin.js";

let folder = "";
let count = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "kb-mcp-load-plugin-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function moduleOf(source: string): Promise<string> {
  const file = join(folder, `plugin-${count++}.mjs`);
  await writeFile(file, source);
  return pathToFileURL(file).href;
}

/** A module that exports a good plugin with some of its fields replaced, in JavaScript. */
const pluginWith = (fields: string): Promise<string> =>
  moduleOf(`const parser = {
    id: "org", extensions: ["org"], mediaType: "text/plain", binary: false, create: () => ({ parse() {} }),
  };
  export default { name: "kb-mcp-parser-org", version: "1.0.0", apiVersion: 1, parsers: [parser], ${fields} };`);

async function failure(url: string): Promise<{ code: string; message: string; cause?: unknown }> {
  return loadPlugin(url).then(
    (plugin) => {
      throw new Error(`${plugin.name} was loaded`);
    },
    (error: unknown) => error as { code: string; message: string },
  );
}

describe("loading a plugin", () => {
  it("returns what the module exports", async () => {
    const plugin = await loadPlugin(await pluginWith("extra: 1"));
    expect(plugin).toMatchObject({ name: "kb-mcp-parser-org", version: "1.0.0", extra: 1 });
    expect(plugin.parsers?.[0]?.id).toBe("org");
  });

  it("accepts a schema that is a function with the standard's property", async () => {
    const schema = `Object.assign(() => {}, { "~standard": { version: 1, vendor: "x", validate: () => ({ value: 1 }) } })`;
    expect(
      await loadPlugin(await pluginWith(`parsers: [{ ...parser, optionsSchema: ${schema} }]`)),
    ).toBeDefined();
  });

  it("refuses a module that cannot be loaded, and keeps the cause", async () => {
    for (const url of [
      await moduleOf("export default {"),
      await moduleOf('throw new Error("no licence\\nand more");'),
      await moduleOf('import "a-package-that-is-not-there";'),
      pathToFileURL(join(folder, "missing.mjs")).href,
    ]) {
      const error = await failure(url);
      expect(error.code).toBe("KB_PLUGIN_LOAD");
      expect(error.message).toContain(url);
      expect(error.message).not.toContain("\n");
      expect(error.cause).toBeDefined();
    }
  });

  it("refuses a plugin for another version of the interface, whatever else it holds", async () => {
    for (const [version, said] of [
      ["2", "this is version 1"],
      ["0", "this is version 1"],
      ['"1"', "an apiVersion that is not a number"],
      ["undefined", "no apiVersion"],
    ] as const) {
      const error = await failure(await pluginWith(`apiVersion: ${version}, parsers: 7`));
      expect(error.code).toBe("KB_PLUGIN_API_VERSION");
      expect(error.message).toContain("kb-mcp-parser-org");
      expect(error.message).toContain(said);
    }
  });

  it.each([
    ["no default export", "export const plugin = {};", "no plugin"],
    ["a text as its default export", 'export default "plugin";', "no plugin"],
    ["null as its default export", "export default null;", "no plugin"],
  ])("refuses a module with %s", async (_, source, reason) => {
    const error = await failure(await moduleOf(source));
    expect(error.code).toBe("KB_PLUGIN_INVALID");
    expect(error.message).toContain(reason);
  });

  it.each([
    ["name: ''", '"name"'],
    ["version: 1", '"version"'],
    ["parsers: {}", '"parsers" is not a list'],
    ["parsers: undefined", "offers none"],
    ["parsers: [null]", "parsers[0]: it is not an object"],
    ["parsers: [parser, { ...parser, id: '' }]", 'parsers[1]: "id"'],
    ["parsers: [{ ...parser, create: {} }]", '"create"'],
    ["parsers: [{ ...parser, optionsSchema: {} }]", '"optionsSchema"'],
    ["parsers: [{ ...parser, extensions: [] }]", '"extensions"'],
    ["parsers: [{ ...parser, extensions: ['.org'] }]", '".org"'],
    ["parsers: [{ ...parser, extensions: ['ORG'] }]", '"ORG"'],
    ["parsers: [{ ...parser, extensions: ['tar.gz'] }]", '"tar.gz"'],
    ["parsers: [{ ...parser, mediaType: 'text/html' }]", '"mediaType"'],
    ["parsers: [{ ...parser, binary: undefined }]", '"binary"'],
    ["embedders: [{ id: 'x' }]", "embedders[0]"],
    ["stores: [{ id: 'x', create: 1 }]", "stores[0]"],
    ["rerankers: [1]", "rerankers[0]"],
    ["transports: [[]]", "transports[0]"],
  ])("refuses a plugin with %s", async (fields, reason) => {
    const error = await failure(await pluginWith(fields));
    expect(error.code).toBe("KB_PLUGIN_INVALID");
    expect(error.message).toContain(reason);
  });
});
