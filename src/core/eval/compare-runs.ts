// Compares a run with an earlier one that is comparable, or says why none is. Pure.
import type { Comparison, EvalReport } from "./eval-report.js";
import { differences } from "./fingerprint.js";
import type { FingerprintPart } from "./fingerprint-parts.js";
import type { GoldenQuery } from "./golden-set.js";
import type { EvalRun } from "./history.js";
import { measureNames, type Measures } from "./metrics.js";

/** Differences below it are noise of floating-point sums. */
const noise = 1e-9;

/**
 * The run compared with is the last one that differs in some of the parts crossed and in no other; where there is
 * none, the last that differs in nothing. So a change is not hidden by an earlier run of the same state. Failed runs
 * count as if they had not been.
 *
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
    .filter(({ failed }) => failed !== true)
    .map((one) => ({ ...one, differs: differences(one.fingerprint, run.fingerprint) }))
    .filter(({ differs, ranks }) => !differs.includes("questions") && ranks.length === judged.length);
  const comparable = earlier.filter(({ differs }) => differs.every((part) => across.includes(part)));
  const last = comparable.findLast(({ differs }) => differs.length > 0) ?? comparable.at(-1);
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
