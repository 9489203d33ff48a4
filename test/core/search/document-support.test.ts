import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { supportedByDocuments } from "../../../src/core/search/document-support.js";

const hit = (path: string, position: number, score: number) => ({ path, position, score });

describe("the support of a document's other passages", () => {
  it("puts the document that answers in several passages before one that does in one", () => {
    const ranking = [
      hit("single.md", 0, 0.6),
      hit("guide.md", 2, 0.55),
      hit("guide.md", 0, 0.5),
      hit("guide.md", 1, 0.4),
    ];
    expect(supportedByDocuments(ranking)).toEqual([
      hit("guide.md", 2, 0.706), // 0.55 + 0.2 * (0.5 + 0.7 * 0.4)
      hit("single.md", 0, 0.6),
      hit("guide.md", 0, 0.5),
      hit("guide.md", 1, 0.4),
    ]);
  });

  it("keeps scores at most 1 in their proportions", () => {
    expect(supportedByDocuments([hit("a.md", 0, 1), hit("a.md", 1, 0.5), hit("b.md", 0, 0.44)])).toEqual([
      hit("a.md", 0, 1),
      hit("a.md", 1, 0.4545),
      hit("b.md", 0, 0.4),
    ]);
  });

  it("changes nothing where each document has one passage", () => {
    const ranking = [hit("a.md", 3, 1), hit("b.md", 0, 0.2), hit("c.md", 0, 0)];
    expect(supportedByDocuments(ranking)).toEqual(ranking);
    expect(supportedByDocuments([])).toEqual([]);
  });

  it("leaves the best passage of a document its best, and loses none", () => {
    const ranking = fc
      .array(
        fc.record({
          path: fc.constantFrom("a", "b", "c"),
          position: fc.nat(30),
          score: fc.integer({ min: 0, max: 10_000 }).map((score) => score / 10_000),
        }),
        { maxLength: 60 },
      )
      .map((hits) =>
        [...new Map(hits.map((one) => [`${one.path}:${one.position}`, one])).values()].sort(
          (a, b) =>
            b.score - a.score || (a.path < b.path ? -1 : a.path > b.path ? 1 : a.position - b.position),
        ),
      );
    fc.assert(
      fc.property(ranking, (hits) => {
        const supported = supportedByDocuments(hits);
        for (const path of ["a", "b", "c"]) {
          const before = hits.filter((one) => one.path === path);
          const after = supported.filter((one) => one.path === path);
          const best = after.find(({ position }) => position === before[0]?.position);
          expect(best?.score).toBe(after[0]?.score);
          expect(after.map(({ position }) => position).sort()).toEqual(
            before.map(({ position }) => position).sort(),
          );
        }
        for (const { score } of supported) expect(score).toBeLessThanOrEqual(1);
      }),
    );
  });
});
