import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { isKbError } from "../../../src/core/errors.js";
import { limits } from "../../../src/core/limits.js";
import { ConfigWorkspace, refusal } from "./support/config-workspace.js";

let workspace: ConfigWorkspace;
beforeAll(async () => {
  workspace = await ConfigWorkspace.create();
});
afterAll(() => workspace.remove());

const namesOfEveryObject = Reflect.ownKeys(Object.prototype);
afterEach(() => {
  expect(Reflect.ownKeys(Object.prototype)).toEqual(namesOfEveryObject);
});

describe("a hostile file", () => {
  it.each([
    "[__proto__]\npolluted = 1",
    "[__proto__.polluted]\nx = 1",
    "__proto__.polluted = 1",
    "[[__proto__]]\npolluted = 1",
    "[constructor.prototype]\npolluted = 1",
    "[embedder.__proto__]\npolluted = 1",
    "[embedder]\n__proto__ = { polluted = 1 }",
    "[embedder]\nx.__proto__.polluted = 1",
    "[embedder]\nx = [{ __proto__ = { polluted = 1 } }]",
    "[parsers.options.__proto__]\npolluted = 1",
    "[transport.__proto__]\npolluted = 1",
    "[transport.constructor]\npolluted = 1",
    "[parsers.options.md.__proto__]\npolluted = 1",
  ])("changes no prototype and is refused: %j", async (content) => {
    expect(isKbError(await refusal(workspace.loadTrusted(content)))).toBe(true);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it("may use the names of built-in properties as names of options", async () => {
    const { config } = await workspace.loadTrusted(
      "[embedder]\nconstructor = 1\ntoString = { prototype = 2 }\nhasOwnProperty = 3\n",
    );
    expect(Object.entries(config.embedder.options)).toEqual([
      ["constructor", 1],
      ["toString", { prototype: 2 }],
      ["hasOwnProperty", 3],
    ]);
  });

  const half = limits.configFileBytes / 2 - 20;
  it.each([
    ["lists in lists", `exclude_dirs = ${"[".repeat(half)}${"]".repeat(half)}`],
    ["unclosed lists", `exclude_dirs = ${"[".repeat(half)}`],
    ["tables in tables", `embedder = ${"{ a = ".repeat(half / 4)}1${" }".repeat(half / 4)}`],
    ["a long dotted key", `[embedder${".a".repeat(half)}]`],
    ["a long dotted key of an unknown table", `x${".a".repeat(half)} = 1`],
  ])("with deep nesting is refused: %s", async (_, content) => {
    const error = await refusal(workspace.loadTrusted(content));
    expect(["KB_CONFIG_SYNTAX", "KB_CONFIG_INVALID_VALUE", "KB_CONFIG_UNKNOWN_KEY"]).toContain(error.code);
    expect(error.message.length).toBeLessThan(2000);
  });

  it("has options as deep as the limit and no deeper", async () => {
    const nested = (levels: number): string => `[embedder]\na = ${"[".repeat(levels)}${"]".repeat(levels)}`;
    await expect(workspace.loadTrusted(nested(limits.configDepth))).resolves.toBeDefined();
    expect((await refusal(workspace.loadTrusted(nested(limits.configDepth + 1)))).message).toContain(
      `is nested more than ${limits.configDepth} levels deep`,
    );
  });

  it("either loads or is refused with a KbError, whatever it holds", async () => {
    const fragment = fc.constantFrom(
      ..."[ ] [[ ]] { } = . , # \n \n \n ' \" ''' \"\"\" 1 -1 1.5 1e400 inf nan true 1979-05-27 07:32:00 0x1F \\ \\u0000".split(
        " ",
      ),
      ..."kb_path search limit embedder use store transport http bind parsers options md enabled __proto__ a b".split(
        " ",
      ),
      " = 1\n",
      " = [",
      "]\n",
    );
    const texts = fc.oneof(
      fc.array(fragment, { maxLength: 25 }).map((parts) => parts.join("")),
      fc.array(fragment, { maxLength: 25 }).map((parts) => parts.join(" ")),
      fc.string({ unit: "binary", maxLength: 60 }),
    );
    let loaded = 0;
    await fc.assert(
      fc.asyncProperty(texts, fc.boolean(), async (content, trusted) => {
        try {
          await (trusted ? workspace.loadTrusted(content) : workspace.loadFound(content));
          loaded++;
        } catch (error) {
          if (!isKbError(error)) throw error;
        }
      }),
      { numRuns: 700 },
    );
    expect(loaded).toBeGreaterThan(0);
  });

  it("either loads or is refused with a KbError, whatever its bytes", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 80 }), async (bytes) => {
        await workspace.write("home/reader/project/kb-mcp.toml", bytes);
        try {
          await workspace.load({ flags: { kbPath: "notes" } });
        } catch (error) {
          if (!isKbError(error)) throw error;
        }
      }),
      { numRuns: 300 },
    );
  });
});
