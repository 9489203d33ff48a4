import { describe, expect, it } from "@jest/globals";
import { shortened } from "../../../src/core/text/shortened.js";

describe("a shortened text", () => {
  it.each([
    ["moss", 4, "moss"],
    ["mosses", 4, "mos…"],
    ["冬の凍結", 3, "冬の…"],
    ["\u{1F600}\u{1F600}\u{1F600}", 3, "\u{1F600}\u{1F600}\u{1F600}"],
    ["\u{1F600}\u{1F600}\u{1F600}", 2, "\u{1F600}…"],
    ["moss", 1, "…"],
    ["moss", 0, "…"],
    ["", 0, ""],
    ["moss", Infinity, "moss"],
  ])("of %j at most %d is %j", (text, most, expected) => {
    expect(shortened(text, most)).toBe(expected);
  });

  it("is measured as asked", () => {
    const columns = (character: string): number => (character === "冬" ? 2 : 1);
    expect(shortened("冬冬冬", 6, columns)).toBe("冬冬冬");
    expect(shortened("冬冬冬", 5, columns)).toBe("冬冬…");
    expect(shortened("冬冬冬", 4, columns)).toBe("冬…");
  });
});
