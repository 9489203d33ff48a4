import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import type { ScoredChunk } from "../../../src/core/plugin-api.js";
import { fuse } from "../../../src/core/search/fusion.js";

const hit = (path: string, score: number, position = 0): ScoredChunk => ({ path, position, score });
const paths = (hits: readonly ScoredChunk[]): string[] => hits.map(({ path }) => path);

const leg = fc
  .uniqueArray(
    fc.record({
      path: fc.constantFrom("a.md", "b.md", "c/d.md", "é.md"),
      position: fc.nat({ max: 5 }),
      score: fc.double({ min: -1, max: 30, noNaN: true }),
    }),
    { selector: ({ path, position }) => `${path} ${position}`, maxLength: 20 },
  )
  .map((hits) => hits.sort((a, b) => b.score - a.score));
const weight = fc.double({ min: 0, max: 1, noNaN: true });

describe("fuse", () => {
  it("adds the min-max scores of the legs by weight, words from half of their lowest", () => {
    const lexical = [hit("a", 10), hit("b", 6), hit("c", 4)];
    const vector = [hit("c", 0.9), hit("b", 0.7), hit("d", 0.5)];
    expect(fuse({ lexical, vector }, 0.3)).toEqual([
      hit("a", 0.7), // 0.7 * 1
      hit("b", 0.5), // 0.7 * (6 - 2) / (10 - 2) + 0.3 * 0.5
      hit("c", 0.475), // 0.7 * (4 - 2) / (10 - 2) + 0.3 * 1
      hit("d", 0),
    ]);
  });

  it("leaves the last passage with a rare word before those without", () => {
    const lexical = [hit("a", 3), hit("b", 2.9), hit("c", 2.5)];
    const vector = [hit("x", 0.6), hit("y", 0.5), hit("a", 0.4), hit("z", 0.2)];
    expect(paths(fuse({ lexical, vector }, 0.3)).slice(0, 3)).toEqual(["a", "b", "c"]);
  });

  it("uses one leg alone if the other found nothing, whatever the weight", () => {
    const hits = [hit("a", 8), hit("b", 4), hit("c", 0)];
    const alone = [hit("a", 1), hit("b", 0.5), hit("c", 0)];
    // The lowest is 0, and so is its half.
    expect(fuse({ lexical: hits, vector: [] }, 0.9)).toEqual(alone);
    expect(fuse({ lexical: [], vector: hits }, 0.1)).toEqual(alone);
    expect(fuse({ lexical: [], vector: [] }, 0.5)).toEqual([]);
  });

  it("gives full marks to a single hit and to hits of equal score, in order of path and position", () => {
    expect(fuse({ lexical: [hit("a", 0.01)], vector: [] }, 0.3)).toEqual([hit("a", 1)]);
    const equal = [hit("b", 3), hit("a", 3, 10), hit("a", 3, 9)];
    expect(fuse({ lexical: equal, vector: [] }, 0.3)).toEqual([hit("a", 1, 9), hit("a", 1, 10), hit("b", 1)]);
  });

  it("does not let noise far behind the decimal point decide the order", () => {
    const lexical = [hit("b", 5.0000001), hit("a", 5), hit("c", 1)];
    expect(paths(fuse({ lexical, vector: [] }, 0.3))).toEqual(["a", "b", "c"]);
  });

  it("finds what a leg found, once, with a score of 0 to 1, best first", () => {
    fc.assert(
      fc.property(leg, leg, weight, (lexical, vector, w) => {
        const fused = fuse({ lexical, vector }, w);
        const id = ({ path, position }: ScoredChunk): string => `${path} ${position}`;
        expect(new Set(fused.map(id))).toEqual(new Set([...lexical, ...vector].map(id)));
        expect(fused.length).toBe(new Set(fused.map(id)).size);
        for (const { score } of fused) {
          expect(score).toBeGreaterThanOrEqual(0);
          expect(score).toBeLessThanOrEqual(1);
        }
        expect(fused.map(({ score }) => score)).toEqual(
          fused.map(({ score }) => score).sort((a, b) => b - a),
        );
      }),
    );
  });

  it("does not depend on the scale of a leg's scores or the order of its hits", () => {
    fc.assert(
      fc.property(leg, leg, weight, (lexical, vector, w) => {
        const fused = fuse({ lexical, vector }, w);
        expect(fuse({ lexical: [...lexical].reverse(), vector: [...vector].reverse() }, w)).toEqual(fused);
        const scaled = vector.map((each) => ({ ...each, score: each.score * 4 }));
        expect(fuse({ lexical, vector: scaled }, w)).toEqual(fused);
      }),
    );
  });

  it("never ranks a chunk lower for being better in one leg", () => {
    fc.assert(
      fc.property(leg, leg, weight, (lexical, vector, w) => {
        const first = lexical[0];
        fc.pre(first !== undefined && lexical.length > 1);
        const rank = (hits: readonly ScoredChunk[]): number =>
          hits.findIndex(({ path, position }) => path === first.path && position === first.position);
        const raised = [{ ...first, score: first.score + 5 }, ...lexical.slice(1)];
        expect(rank(fuse({ lexical: raised, vector }, w))).toBeLessThanOrEqual(
          rank(fuse({ lexical, vector }, w)),
        );
      }),
    );
  });
});
