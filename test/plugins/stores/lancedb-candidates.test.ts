import { describe, expect, it } from "@jest/globals";
import { bestOf, lowestFound, type Candidate } from "../../../src/plugins/stores/lancedb/candidates.js";

/** Chunks in LanceDB's order, of which every third meets the conditions. */
const all = Array.from({ length: 15_000 }, (_, position): Candidate => ({
  path: "a.md",
  position,
  score: 15_000 - position,
  found: 15_000 - position,
  passes: position % 3 === 0,
}));
/** As the searches of the store: the first rounds are not asked for all of the conditions. */
const fetchAfter =
  (firstRounds: number) =>
  (count: number, round: number): Promise<Candidate[]> =>
    Promise.resolve((round < firstRounds ? all : all.filter(({ passes }) => passes)).slice(0, count));

describe.each([0, 1, 2])(
  "the best of LanceDB's candidates, after %d rounds without all conditions",
  (rounds) => {
    it.each([1, 100, 4000, 4100, 4999])("are all %d that were asked for, if so many pass", async (k) => {
      const best = await bestOf(k, fetchAfter(rounds), lowestFound, rounds);
      expect(best.map(({ position }) => position)).toEqual(
        Array.from({ length: k }, (_, index) => index * 3),
      );
    });

    it("are those that pass, if fewer do", async () => {
      expect(await bestOf(14_000, fetchAfter(rounds), lowestFound, rounds)).toHaveLength(5000);
    });
  },
);
