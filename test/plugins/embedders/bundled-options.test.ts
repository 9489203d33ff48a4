import { availableParallelism } from "node:os";
import { describe, expect, it } from "@jest/globals";
import { bundledOptions } from "../../../src/plugins/embedders/bundled/options.js";

const validate = (value: unknown) => bundledOptions["~standard"].validate(value);

describe("options of the bundled embedder", () => {
  it("default to the processor's threads, four at most", () => {
    const value = { threads: Math.min(4, availableParallelism()) };
    expect(validate({})).toEqual({ value });
  });

  it.each([1, 8])("accept %d threads", (threads) => {
    expect(validate({ threads })).toEqual({ value: { threads } });
  });

  it.each([0, 9, 1.5, NaN, "2", null, true])("refuse %p threads, and say which numbers fit", (threads) => {
    expect(validate({ threads })).toEqual({
      issues: [{ message: "expected a whole number from 1 to 8", path: ["threads"] }],
    });
  });

  it("refuse an unknown key by name", () => {
    expect(validate({ threads: 2, thread: 2 })).toMatchObject({ issues: [{ path: ["thread"] }] });
  });

  it.each([undefined, null, 3, []])("refuse %p, which is not a table", (value) => {
    expect(validate(value)).toMatchObject({ issues: [{ message: "expected a table of options" }] });
  });
});
