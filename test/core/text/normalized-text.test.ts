import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { normalizeWithOffsets } from "../../../src/core/text/normalized-text.js";

/** Characters that NFKC splits, joins or swaps, among others that it leaves alone. */
const tricky = fc.constantFrom(
  ...Array.from(
    "aé漢字かガㇷ゚ｶﾞﾊﾟ㌀ﬁ①가각ᄀ\u1161\u11a8ㄱㅏㅋﾡￂ\u0301\u3099\u309A\u{1F600}\u{2F800}\u{16D67}\u{16D69}½…’ \n",
  ),
);
const text = fc.oneof(
  fc.array(tricky).map((parts) => parts.join("")),
  fc.string({ unit: "binary" }),
);

describe("normalizeWithOffsets", () => {
  it("gives what normalising the whole text gives", () => {
    fc.assert(
      fc.property(text, (original) => {
        expect(normalizeWithOffsets(original).text).toBe(original.normalize("NFKC"));
      }),
      { numRuns: 1000 },
    );
  });

  it("leads every position back to the part of the original that became it", () => {
    fc.assert(
      fc.property(text, (original) => {
        const normalized = normalizeWithOffsets(original);
        let position = 0;
        while (position < normalized.text.length) {
          const start = normalized.originalStart(position);
          const end = normalized.originalEnd(position);
          const became = original.slice(start, end).normalize("NFKC");
          expect(normalized.text.slice(position, position + became.length)).toBe(became);
          expect(end).toBeGreaterThan(start);
          position += became.length;
        }
      }),
      { numRuns: 1000 },
    );
  });

  it("maps a character that becomes several and several that become one", () => {
    const { text: normal, originalStart, originalEnd } = normalizeWithOffsets("x㌀ｶﾞy");
    expect(normal).toBe("xアパートガy");
    expect([originalStart(1), originalEnd(4)]).toEqual([1, 2]);
    expect([originalStart(5), originalEnd(5)]).toEqual([2, 4]);
    expect([originalStart(6), originalEnd(6)]).toEqual([4, 5]);
  });
});
