import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { diversify, type ComparedChunk } from "../../../src/core/search/mmr.js";
import type { ScoredChunk } from "../../../src/core/plugin-api.js";

const unit = (...values: number[]): Float32Array => {
  const length = Math.hypot(...values);
  return Float32Array.from(values, (value) => value / length);
};
const chunk = (path: string, vector: Float32Array | null, words = ""): ComparedChunk => ({
  path,
  position: 0,
  vector,
  terms: { text: words.split(" ").filter(Boolean), title: [], bigrams: [] },
});
const ranked = (path: string, score: number, position = 0): ScoredChunk => ({ path, position, score });
const paths = (ranking: readonly ScoredChunk[]): string[] => ranking.map(({ path }) => path);

const ranking = [ranked("a", 1), ranked("copy-of-a", 0.95), ranked("b", 0.6)];
const chunks = [chunk("a", unit(1, 0)), chunk("copy-of-a", unit(1, 0.01)), chunk("b", unit(0, 1))];

describe("maximal marginal relevance", () => {
  it("puts what says something new before what repeats a better one", () => {
    expect(paths(diversify(ranking, chunks, 50, { lambda: 0.5, sameDocPenalty: 0 }))).toEqual([
      "a",
      "b",
      "copy-of-a",
    ]);
  });

  it("is the order by score with a lambda of 1", () => {
    expect(diversify(ranking, chunks, 50, { lambda: 1, sameDocPenalty: 1 })).toEqual(ranking);
  });

  it("compares by words where a chunk has no vector", () => {
    const words = [
      chunk("a", null, "moss garden"),
      chunk("copy-of-a", unit(1), "moss garden"),
      chunk("b", null, "tax"),
    ];
    expect(paths(diversify(ranking, words, 50, { lambda: 0.5, sameDocPenalty: 0 }))).toEqual([
      "a",
      "b",
      "copy-of-a",
    ]);
  });

  it("prefers another document by the penalty", () => {
    const two = [ranked("a", 1), ranked("a", 0.9, 1), ranked("b", 0.8)];
    const apart = [
      chunk("a", unit(1, 0, 0)),
      { ...chunk("a", unit(0, 1, 0)), position: 1 },
      chunk("b", unit(0, 0, 1)),
    ];
    expect(paths(diversify(two, apart, 50, { lambda: 0.5, sameDocPenalty: 0 }))).toEqual(["a", "a", "b"]);
    expect(paths(diversify(two, apart, 50, { lambda: 0.5, sameDocPenalty: 0.5 }))).toEqual(["a", "b", "a"]);
  });

  it("leaves what is behind its depth where it is, and loses and repeats nothing", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(
            fc.integer({ min: 0, max: 100 }),
            fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 3, maxLength: 3 }),
          ),
          {
            maxLength: 20,
          },
        ),
        fc.integer({ min: 0, max: 25 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (made, depth, lambda, sameDocPenalty) => {
          const scored = made
            .map(([score], index) => ranked(`${index % 4}`, score / 100, index))
            .sort((x, y) => y.score - x.score);
          const compared = made.map(([, vector], index) => ({
            ...chunk(`${index % 4}`, vector.some((x) => x !== 0) ? unit(...vector) : null),
            position: index,
          }));
          const result = diversify(scored, compared, depth, { lambda, sameDocPenalty });
          expect(result.slice(depth)).toEqual(scored.slice(depth));
          expect(new Set(result)).toEqual(new Set(scored));
          expect(result).toHaveLength(scored.length);
          if (depth > 0) expect(result[0]).toEqual(scored[0]);
        },
      ),
    );
  });
});
