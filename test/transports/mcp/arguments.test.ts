import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { isKbError } from "../../../src/core/errors.js";
import { readArguments } from "../../../src/transports/mcp/arguments.js";
import type { InputSchema } from "../../../src/transports/mcp/input-schema.js";

const schema = {
  type: "object",
  properties: {
    text: { type: "string", description: "", examples: ["backup"] },
    count: { type: "integer", description: "", minimum: 1, maximum: 100, examples: [5] },
    line: { type: "integer", description: "", minimum: 1, examples: [1] },
    share: { type: "number", description: "", minimum: 0, maximum: 1, examples: [0.5] },
    flag: { type: "boolean", description: "", examples: [true] },
    path_globs: {
      type: "array",
      items: { type: "string" },
      description: "",
      maxItems: 3,
      examples: [["a/**"]],
    },
  },
  required: ["text"],
  additionalProperties: false,
} as const satisfies InputSchema;

const read = (given: Record<string, unknown>): object => readArguments("tool", schema, given);

function refusal(given: Record<string, unknown>): { code: string; message: string; hint: string } {
  try {
    read(given);
  } catch (error) {
    if (isKbError(error)) return { code: error.code, message: error.message, hint: error.hint };
    throw error;
  }
  throw new Error("was accepted");
}

describe("arguments are read with sense", () => {
  it.each([
    ["a number sent as text", { count: "5" }, { count: 5 }],
    ["a number sent as text with white space", { count: " 5 " }, { count: 5 }],
    ["a whole number written with a fraction", { count: 5.0 }, { count: 5 }],
    ["a fraction sent as text", { share: "0.5" }, { share: 0.5 }],
    ["a fraction without its zero", { share: ".5" }, { share: 0.5 }],
    ["zero", { share: 0 }, { share: 0 }],
    ['"false"', { flag: "false" }, { flag: false }],
    ['"True"', { flag: "True" }, { flag: true }],
    ["false", { flag: false }, { flag: false }],
    ["a list", { path_globs: ["a", "b"] }, { path_globs: ["a", "b"] }],
    ["a list sent as JSON text", { path_globs: '["a", "b"]' }, { path_globs: ["a", "b"] }],
    ["one entry sent as text", { path_globs: "ops/**" }, { path_globs: ["ops/**"] }],
    ["one entry that holds a comma", { path_globs: "a, b" }, { path_globs: ["a, b"] }],
    ["a glob that begins with a bracket", { path_globs: "[ab]*.md" }, { path_globs: ["[ab]*.md"] }],
    ["absent entries in a list", { path_globs: ["a", null, ""] }, { path_globs: ["a"] }],
    ["an empty list", { path_globs: [] }, {}],
    ["an empty list sent as text", { path_globs: "[]" }, {}],
    ["null", { count: null, flag: null, path_globs: null }, {}],
    ['""', { count: "", flag: "", path_globs: "" }, {}],
  ])("takes %s", (_name, given, expected) => {
    expect(read({ text: "x", ...given })).toEqual({ text: "x", ...expected });
  });

  it.each([
    ["a word for a number", { count: "many" }, 'a whole number from 1 to 100, not "many"', '{"count":5}'],
    ["a fraction for a whole number", { count: "5.5" }, "a whole number from 1 to 100", '{"count":5}'],
    ["a number below the range", { count: 0 }, "a whole number from 1 to 100, not 0", '{"count":5}'],
    ["a number above the range", { count: "101" }, "a whole number from 1 to 100", '{"count":5}'],
    ["a number below an open range", { line: 0 }, "a whole number of 1 or more, not 0", '{"line":1}'],
    ["a number too large to be exact", { line: 1e300 }, "a whole number of 1 or more", '{"line":1}'],
    ["no number at all", { share: Number.NaN }, "a number from 0 to 1", '{"share":0.5}'],
    ["hexadecimal", { count: "0x5" }, "a whole number", '{"count":5}'],
    ["a number for a boolean", { flag: 1 }, "true or false, not 1", '{"flag":true}'],
    ["a word for a boolean", { flag: "yes" }, 'true or false, not "yes"', '{"flag":true}'],
    ["a number for a text", { text: 5 }, "a text, not 5", '{"text":"backup"}'],
    ["a list for a text", { text: ["a"] }, 'a text, not ["a"]', '{"text":"backup"}'],
    [
      "an object for a list",
      { path_globs: { a: 1 } },
      "a list of at most 3 texts",
      '{"path_globs":["a/**"]}',
    ],
    ["a list of numbers", { path_globs: [1] }, "a list of at most 3 texts", '{"path_globs":["a/**"]}'],
    ["a list of numbers as text", { path_globs: "[1]" }, "a list of at most 3", '{"path_globs":["a/**"]}'],
    ["too long a list", { path_globs: ["a", "b", "c", "d"] }, "at most 3", '{"path_globs":["a/**"]}'],
  ])("refuses %s with an example", (_name, given, message, example) => {
    const refused = refusal({ text: "x", ...given });
    expect(refused.code).toBe("KB_TOOL_ARGUMENT");
    expect(refused.message).toContain(message);
    expect(refused.hint).toContain(example);
  });

  it.each([
    ["qeury", undefined],
    ["path_glob", "path_globs"],
    ["pathGlobs", "path_globs"],
    ["Count", "count"],
    ["flags", "flag"],
    ["__proto__", undefined],
    ["toString", undefined],
    ["x".repeat(100_000), undefined],
  ])("refuses an unknown argument (%#) and names the nearest", (name, nearest) => {
    const given = Object.defineProperty({ text: "x" }, name, { value: "y", enumerable: true });
    const refused = refusal(given);
    expect(refused.message).toContain(`has no argument "${name.slice(0, 40)}`);
    expect(refused.hint).toContain("tool takes: text, count, line, share, flag, path_globs");
    expect(refused.hint.includes("Did you mean")).toBe(nearest !== undefined);
    if (nearest !== undefined) expect(refused.hint).toContain(`Did you mean "${nearest}"?`);
    expect(refused.message.length).toBeLessThan(200);
  });

  it.each([{}, { text: null }, { text: "" }])("asks for what is required when given %j", (given) => {
    expect(refusal(given)).toMatchObject({
      message: 'tool needs the argument "text"',
      hint: 'For example: {"text":"backup"}',
    });
  });

  it("accepts or refuses whatever comes, and never hands on a value of another type", () => {
    const names = fc.constantFrom(...Object.keys(schema.properties));
    const types: Record<string, (value: unknown) => boolean> = {
      text: (value) => typeof value === "string",
      count: (value) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 100,
      line: (value) => Number.isInteger(value) && Number(value) >= 1,
      share: (value) => typeof value === "number" && value >= 0 && value <= 1,
      flag: (value) => typeof value === "boolean",
      path_globs: (value) => Array.isArray(value) && value.every((entry) => typeof entry === "string"),
    };
    fc.assert(
      fc.property(fc.dictionary(names, fc.jsonValue()), (given) => {
        try {
          for (const [name, value] of Object.entries(read({ text: "x", ...given })))
            expect(types[name]!(value)).toBe(true);
        } catch (error) {
          if (!isKbError(error)) throw error;
        }
      }),
    );
  });
});
