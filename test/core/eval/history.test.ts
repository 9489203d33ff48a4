import { appendFile, readdir, readFile, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { appendHistory, readHistory, type EvalRun } from "../../../src/core/eval/history.js";
import { limits } from "../../../src/core/limits.js";
import { withTemporaryFolder } from "../../support/temporary-folder.js";

const run = (at: string): EvalRun => ({
  at,
  fingerprint: { questions: "q", settings: "s", model: "m", analyser: "a", chunker: "c", documents: "d" },
  measures: { "ndcg@10": 1, mrr: 1, "recall@1": 1, "recall@5": 1, "recall@10": 1 },
  ranks: [1, 0],
});
const times = async (folder: string): Promise<string[]> => (await readHistory(folder)).map(({ at }) => at);

describe("the history of evaluations", () => {
  it("is empty at first and keeps runs in order, in a folder that it makes", async () => {
    await withTemporaryFolder(async (folder) => {
      const index = join(folder, "a", "b");
      expect(await readHistory(index)).toEqual([]);
      await appendHistory(index, run("1"));
      await appendHistory(index, run("2"));
      expect(await readHistory(index)).toEqual([run("1"), run("2")]);
    });
  });

  it("loses at most the run that a crash cut off, wherever it was cut", async () => {
    await withTemporaryFolder(async (folder) => {
      const file = join(folder, "eval-history.jsonl");
      await appendHistory(folder, run("1"));
      const { length: first } = await readFile(file);
      await appendHistory(folder, run("2"));
      const whole = await readFile(file);
      for (let length = first; length < whole.length; length += 7) {
        await writeFile(file, whole);
        await truncate(file, length);
        expect((await times(folder))[0]).toBe("1");
        await appendHistory(folder, run("3"));
        const kept = await times(folder);
        expect([kept[0], kept.at(-1)]).toEqual(["1", "3"]);
      }
    });
  });

  it("skips what is no run", async () => {
    await withTemporaryFolder(async (folder) => {
      await appendHistory(folder, run("1"));
      await appendFile(join(folder, "eval-history.jsonl"), 'null\n{"at":1}\n[]\n\u0000\n');
      await appendHistory(folder, run("2"));
      expect(await times(folder)).toEqual(["1", "2"]);
    });
  });

  it("keeps which runs failed", async () => {
    await withTemporaryFolder(async (folder) => {
      await appendHistory(folder, run("1"));
      await appendHistory(folder, { ...run("2"), failed: true });
      expect((await readHistory(folder)).map(({ failed }) => failed)).toEqual([undefined, true]);
    });
  });

  it("does not let retries that fail push out the run that they are compared with", async () => {
    await withTemporaryFolder(async (folder) => {
      await appendHistory(folder, run("good"));
      const failed = `${JSON.stringify({ ...run("bad"), failed: true })}\n`;
      await appendFile(join(folder, "eval-history.jsonl"), failed.repeat(limits.evalHistoryRuns));
      await appendHistory(folder, run("new"));
      expect(await times(folder)).toEqual(["good", "new"]);
    });
  });

  it("is bounded, and leaves no draft", async () => {
    await withTemporaryFolder(async (folder) => {
      const lines = Array.from(
        { length: limits.evalHistoryRuns },
        (_, at) => `${JSON.stringify(run(String(at)))}\n`,
      );
      await writeFile(join(folder, "eval-history.jsonl"), lines.join(""));
      await appendHistory(folder, run("new"));
      const kept = await times(folder);
      expect(kept).toHaveLength(limits.evalHistoryRuns * 0.75 + 1);
      expect(kept.slice(-2)).toEqual([String(limits.evalHistoryRuns - 1), "new"]);
      expect(await readdir(folder)).toEqual(["eval-history.jsonl"]);
    });
  });
});
