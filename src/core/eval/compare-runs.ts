// Compares a run with the last one that is comparable, or says why none is. Pure.
import type { Comparison, EvalReport } from "./eval-report.js";
import { differences } from "./fingerprint.js";
import type { FingerprintPart } from "./fingerprint-parts.js";
import type { GoldenQuery } from "./golden-set.js";
import type { EvalRun } from "./history.js";
import { measureNames, type Measures } from "./metrics.js";

/** Differences below it are noise of floating-point sums. */
const noise = 1e-9;

/**
 * @param history earlier runs, oldest first
 * @param across parts in which the run compared with may differ
 * @param tolerance how much a measure may fall
 * @param judged the answerable questions, in the order of `run.ranks`
 */
export function compareRuns(
  history: readonly EvalRun[],
  run: Pick<EvalRun, "fingerprint" | "measures" | "ranks">,
  across: readonly FingerprintPart[],
  tolerance: number,
  judged: readonly GoldenQuery[],
): Pick<EvalReport, "comparison" | "incomparable"> {
  const earlier = history
    .map((one) => ({ ...one, differs: differences(one.fingerprint, run.fingerprint) }))
    .filter(({ differs, ranks }) => !differs.includes("questions") && ranks.length === judged.length);
  const last = earlier.findLast(({ differs }) => differs.every((part) => across.includes(part)));
  if (last === undefined) {
    const nearest = earlier.at(-1);
    return nearest === undefined ? {} : { incomparable: { at: nearest.at, differs: nearest.differs } };
  }

  const names = Object.keys(measureNames) as (keyof Measures)[];
  const moved = judged.flatMap(({ query, line }, index) => {
    const [before = 0, after = 0] = [last.ranks[index], run.ranks[index]];
    return before === after ? [] : [{ query, line, before, after }];
  });
  const place = (rank: number): number => (rank === 0 ? Infinity : rank);
  const comparison: Comparison = {
    at: last.at,
    differs: last.differs,
    before: last.measures,
    regressions: names.filter((name) => run.measures[name] < last.measures[name] - tolerance - noise),
    worse: moved.filter(({ before, after }) => place(after) > place(before)),
    better: moved.filter(({ before, after }) => place(after) < place(before)),
  };
  return { comparison };
}
