import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import plugin from "kb-mcp-parser-org";
import { optionsSchema } from "../src/options.js";

const validate = (options) => optionsSchema["~standard"].validate(options);

describe("the plugin", () => {
  it("has the version of its package", () => {
    const manifest = JSON.parse(readFileSync(join(import.meta.dirname, "../package.json"), "utf8"));
    assert.deepEqual([plugin.name, plugin.version], [manifest.name, manifest.version]);
  });

  it("has defaults for its options", () => {
    assert.deepEqual(validate({}), { value: { todoKeywords: ["TODO", "DONE"], headingTags: true } });
  });

  it("takes options as they are written in kb-mcp.toml", () => {
    assert.deepEqual(validate({ todo_keywords: ["LATER"], heading_tags: false }), {
      value: { todoKeywords: ["LATER"], headingTags: false },
    });
  });

  it("refuses options that it does not know, and values of another kind, by name", () => {
    const refused = (options) => validate(options).issues?.map(({ path }) => path?.join("."));
    assert.deepEqual(refused({ keywords: [] }), ["keywords"]);
    assert.deepEqual(refused({ todo_keywords: "TODO" }), ["todo_keywords"]);
    assert.deepEqual(refused({ todo_keywords: ["TO DO"] }), ["todo_keywords"]);
    assert.deepEqual(refused({ heading_tags: "yes" }), ["heading_tags"]);
  });
});
