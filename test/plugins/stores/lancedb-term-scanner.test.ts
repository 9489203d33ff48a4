import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { termScanner } from "../../../src/plugins/stores/lancedb/term-scanner.js";

const term = fc.oneof(
  fc.constantFrom("a", "ab", "b", "日本", "日", "é", "e\u0301", "🎉"),
  fc.string({ unit: "grapheme", minLength: 1 }).filter((text) => !text.includes(" ")),
);

describe("the term scanner", () => {
  it("counts what splitting the text would count, wherever the cell lies in the buffer", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(term, { maxLength: 8 }),
        fc.array(term, { maxLength: 40 }),
        (wanted, stored) => {
          const cell = Buffer.from(stored.join(" "));
          const bytes = Buffer.concat([Buffer.from("a ab"), cell, Buffer.from("b 日本")]);
          const { length, counts } = termScanner(wanted)({ bytes, start: 4, end: 4 + cell.length });
          expect(length).toBe(stored.length);
          expect([...counts]).toEqual(wanted.map((one) => stored.filter((other) => other === one).length));
        },
      ),
    );
  });
});
