import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "@jest/globals";
import { locatePackage } from "../../../src/core/plugins/package-location.js";
import { withTemporaryFolder, writeTree } from "../../support/temporary-folder.js";

const files = {
  "config/plugins/parser.mjs": "export default 1;",
  "config/plugins/parser.cjs": "module.exports = 1;",
  "config/with-main/package.json": '{ "name": "with-main", "main": "lib/start.js" }',
  "config/with-main/lib/start.js": "",
  "config/with-index/index.js": "",
  "config/with-exports/package.json":
    '{ "name": "with-exports", "main": "wrong.js", "exports": { "import": "./right.mjs" } }',
  "config/with-exports/right.mjs": "",
  "config/node_modules/import-only/package.json":
    '{ "name": "import-only", "exports": { ".": { "import": "./esm.mjs" }, "./second": "./second.mjs" } }',
  "config/node_modules/import-only/esm.mjs": "",
  "config/node_modules/import-only/second.mjs": "",
  "config/node_modules/common/package.json": '{ "name": "common", "main": "./main.cjs" }',
  "config/node_modules/common/main.cjs": "",
  "config/node_modules/@scope/parser/package.json": '{ "name": "@scope/parser", "exports": "./index.mjs" }',
  "config/node_modules/@scope/parser/index.mjs": "",
  "node_modules/above/package.json": '{ "name": "above", "main": "index.js" }',
  "node_modules/above/index.js": "",
};

/** Where an entry leads, relative to the folder that holds `config`; what the refusal says otherwise. */
async function located(name: string): Promise<string> {
  return withTemporaryFolder(async (folder) => {
    await writeTree(folder, files);
    const path = /^[./]/u.test(name) && { path: resolve(folder, "config", name) };
    const named = {
      name,
      ...path,
      folder: join(folder, "config"),
      key: "KEY",
    };
    return locatePackage(named).then(
      (url) => fileURLToPath(url).slice(folder.length + 1),
      (error: unknown) => {
        const { code, message, cause } = error as { code: string; message: string; cause: unknown };
        expect(cause).toBeDefined();
        return `${code} ${message.replaceAll(folder, "FOLDER")}`;
      },
    );
  });
}

describe("a package", () => {
  it.each([
    ["./plugins/parser.mjs", "config/plugins/parser.mjs"],
    ["./plugins/parser.cjs", "config/plugins/parser.cjs"],
    ["../config/plugins/parser.mjs", "config/plugins/parser.mjs"],
    ["./with-main", "config/with-main/lib/start.js"],
    ["./with-index", "config/with-index/index.js"],
    ["./with-exports", "config/with-exports/right.mjs"],
    ["import-only", "config/node_modules/import-only/esm.mjs"],
    ["import-only/second", "config/node_modules/import-only/second.mjs"],
    ["common", "config/node_modules/common/main.cjs"],
    ["@scope/parser", "config/node_modules/@scope/parser/index.mjs"],
    ["above", "node_modules/above/index.js"],
  ])("%s is found from the folder of the configuration", async (name, file) => {
    expect(await located(name)).toBe(file);
  });

  it.each([
    ["./missing.mjs", "Cannot find module"],
    ["not-installed", "Cannot find package 'not-installed'"],
    ["import-only/third", "is not defined by"],
    ["fs", "node:fs is no file"],
    ["parser.mjs", "Cannot find package 'parser.mjs'"],
  ])("%s is refused with its name, the key and the reason", async (name, reason) => {
    const message = await located(name);
    expect(message).toContain(`KB_PLUGIN_NOT_FOUND KEY: "${name}" was not found`);
    expect(message).toContain(reason);
    expect(message).not.toContain("\n");
  });
});
