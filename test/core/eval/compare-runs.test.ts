import { describe, expect, it } from "@jest/globals";
import { compareRuns } from "../../../src/core/eval/compare-runs.js";
import type { EvalRun } from "../../../src/core/eval/history.js";

const fingerprint = {
  questions: "q",
  settings: "s",
  model: "m",
  analyser: "a",
  chunker: "c",
  documents: "d",
};
const run = (fields: Partial<EvalRun> & { mrr?: number } = {}): EvalRun => ({
  at: "now",
  fingerprint,
  measures: { "ndcg@10": 0.5, mrr: fields.mrr ?? 0.5, "recall@1": 0.5, "recall@5": 0.5, "recall@10": 0.5 },
  ranks: [1, 2],
  ...fields,
});
const judged = ["one", "two"].map((query, index) => ({
  query,
  line: index + 1,
  expected: [],
  answerable: true,
  filters: {},
}));

describe("a comparison of runs", () => {
  it("is with the last run that has the same fingerprint", () => {
    const other = { ...fingerprint, settings: "t" };
    const history = [run({ at: "1" }), run({ at: "2", mrr: 0.4 }), run({ at: "3", fingerprint: other })];
    const { comparison } = compareRuns(history, run(), [], 0, judged);
    expect(comparison).toMatchObject({ at: "2", differs: [], regressions: [], before: { mrr: 0.4 } });
  });

  it.each(["settings", "model", "analyser", "chunker", "documents"] as const)(
    "is refused across other %s, named, unless asked for",
    (part) => {
      const history = [run({ at: "1", fingerprint: { ...fingerprint, [part]: "other" } })];
      expect(compareRuns(history, run(), [], 0, judged)).toEqual({
        incomparable: { at: "1", differs: [part] },
      });
      expect(compareRuns(history, run(), [part], 0, judged).comparison).toMatchObject({
        at: "1",
        differs: [part],
      });
    },
  );

  const withDocuments = (documents: string) => ({ fingerprint: { ...fingerprint, documents } });

  it("across a part is with the last run that differs in it, not with one that only repeats this one", () => {
    const history = [
      run({ at: "1", ...withDocuments("older") }),
      run({ at: "2", ...withDocuments("old") }),
      run({ at: "3", fingerprint: { ...fingerprint, documents: "old", settings: "other" } }),
      run({ at: "4", mrr: 0.4 }),
    ];
    const across = (...parts: ("documents" | "settings" | "model")[]) =>
      compareRuns(history, run({ mrr: 0.4 }), parts, 0, judged).comparison;
    expect(across("documents")).toMatchObject({ at: "2", differs: ["documents"], regressions: ["mrr"] });
    expect(across("documents", "settings")).toMatchObject({ at: "3", differs: ["settings", "documents"] });
    expect(across()).toMatchObject({ at: "4", differs: [], regressions: [] });
    // Nothing differs in the model alone.
    expect(across("model")).toMatchObject({ at: "4", differs: [] });
  });

  it("is never with a run that failed", () => {
    const history = [
      run({ at: "1" }),
      run({ at: "2", mrr: 0.4, failed: true }),
      run({ at: "3", ...withDocuments("bad"), failed: true }),
    ];
    const compared = (documents: string, across: "documents"[]) =>
      compareRuns(history, run({ mrr: 0.4, ...withDocuments(documents) }), across, 0, judged);
    expect(compared("d", []).comparison).toMatchObject({ at: "1", regressions: ["mrr"] });
    expect(compared("d", ["documents"]).comparison).toMatchObject({ at: "1", differs: [] });
    expect(compared("bad", ["documents"]).comparison).toMatchObject({ at: "1", differs: ["documents"] });
    expect(compared("bad", []).incomparable).toEqual({ at: "1", differs: ["documents"] });
  });

  it("is never across other questions", () => {
    const history = [run({ fingerprint: { ...fingerprint, questions: "other" } })];
    expect(compareRuns(history, run(), ["settings", "documents"], 0, judged)).toEqual({});
  });

  it("calls a regression what fell by more than the tolerance", () => {
    const regressions = (mrr: number, tolerance: number) =>
      compareRuns([run()], run({ mrr }), [], tolerance, judged).comparison?.regressions;
    expect(regressions(0.49, 0)).toEqual(["mrr"]);
    expect(regressions(0.49, 0.01)).toEqual([]);
    expect(regressions(0.48, 0.01)).toEqual(["mrr"]);
    expect(regressions(0.5 - 1e-12, 0)).toEqual([]);
    expect(regressions(0.6, 0)).toEqual([]);
  });

  it("names the questions that moved", () => {
    const { comparison } = compareRuns([run({ ranks: [1, 0] })], run({ ranks: [0, 3] }), [], 0, judged);
    expect(comparison?.worse).toEqual([{ query: "one", line: 1, before: 1, after: 0 }]);
    expect(comparison?.better).toEqual([{ query: "two", line: 2, before: 0, after: 3 }]);
  });
});
