import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { globToRegExp } from "../../../src/core/search/glob.js";
import { wholeMatcher } from "../../../src/plugins/stores/memory/whole-matcher.js";

describe("matching a whole path", () => {
  it.each([
    ["*?*?*?*?*?*?*?*?*?*?*?*?*?*?*?#", "notes/2024/a long name of a meeting about the new kitchen.md"],
    ["*a*a*a*a*a*a*a*a*a*b", "a".repeat(4000)],
    ["{a,b}*".repeat(30) + "c", "ab".repeat(2000)],
    ["**/x*/".repeat(30) + "y", "x1/".repeat(1300)],
    ["[a-y]*".repeat(200) + "z", "abc".repeat(1300)],
  ])("answers at once where a RegExp would not, for %.40s", (glob, path) => {
    const matches = wholeMatcher(globToRegExp(glob));
    expect(matches(path)).toBe(false);
  });

  it("agrees with RegExp on globs", () => {
    const piece = fc.constantFrom(
      "*", "?", "**/", "/", "a", "b", "日", "🎉", ".md", "[ab]", "[!a]", "{a,b*}", "\\*", "+", "(", "|", "$", "^", "é",
    ); // prettier-ignore
    const glob = fc.array(piece, { minLength: 1, maxLength: 7 }).map((pieces) => pieces.join(""));
    const letter = fc.constantFrom("a", "b", "/", "日", "🎉", ".md", "*", "+", "(", "|", "$", "^", "é", "\n");
    const path = fc.array(letter, { maxLength: 8 }).map((letters) => letters.join(""));
    const seen = { yes: 0, no: 0 };
    fc.assert(
      fc.property(glob, path, (written, text) => {
        let source: string;
        try {
          source = globToRegExp(written);
        } catch {
          return;
        }
        const expected = new RegExp(`^(?:${source})$`, "u").test(text);
        seen[expected ? "yes" : "no"]++;
        expect(wholeMatcher(source)(text)).toBe(expected);
      }),
      { numRuns: 4000 },
    );
    expect(Math.min(seen.yes, seen.no)).toBeGreaterThan(50);
  });

  it("agrees with RegExp on other expressions", () => {
    const atom = fc.constantFrom(
      "a", "b", ".", "[^a]", "\\p{L}", "\\s", "\\x61", "(?:a|b)", "(a*)", "(?:(?:a*|b+)*)", "^", "$", "(?:^a|b$)", "(?:)", "a{2}", "\\b",
    ); // prettier-ignore
    const sign = fc.constantFrom("", "", "*", "+", "?", "*?");
    const part = fc
      .tuple(atom, sign)
      .map(([one, times]) => (/^[\^$]$|\\b|\{2/.test(one) ? one : one + times));
    const expression = fc.array(part, { maxLength: 6 }).map((parts) => parts.join(""));
    const text = fc.string({ unit: fc.constantFrom("a", "b", " ", "日"), maxLength: 6 });
    fc.assert(
      fc.property(expression, fc.array(text, { minLength: 1, maxLength: 4 }), (source, texts) => {
        const matches = wholeMatcher(source);
        const whole = new RegExp(`^(?:${source})$`, "u");
        for (const one of texts) expect(matches(one)).toBe(whole.test(one));
      }),
      { numRuns: 4000 },
    );
  });

  it("refuses what is no expression", () => {
    expect(() => wholeMatcher("(")).toThrow(SyntaxError);
  });

  it("forgets what it worked out before it holds too much, and goes on", () => {
    const matches = wholeMatcher("[^/]*a[^/]".repeat(12));
    const letters = "ab";
    for (let number = 0; number < 3000; number++) {
      const text = Array.from({ length: 14 }, (_, bit) => letters[(number >> bit) & 1]).join("");
      const long = `${text}${"ab".repeat(12)}`;
      expect(matches(long)).toBe(true);
      expect(matches(`${long}/`)).toBe(false);
    }
  });
});
