import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { stringify } from "yaml";
import type { GuardedParser } from "../../../src/core/documents/guarded-parse.js";
import type { EvalReport, EvalRequest, KnowledgeBase } from "../../../src/core/index.js";
import { assembleKnowledgeBase, registryOf, sharedParser } from "../../support/assembled-knowledge-base.js";
import { memoryStore } from "../../support/memory-store.js";
import { withTemporaryFolder, writeTree } from "../../support/temporary-folder.js";

let parser: GuardedParser;
beforeAll(async () => {
  parser = await sharedParser();
});
afterAll(() => parser.dispose());

const long = "The house controller keeps its settings in memory and writes them at midnight. ";
const documents = {
  "kb/ops/rollback.md": `# Rollback\n\nHold the button to return to the previous version.\n\n## Battery\n\n${long.repeat(20)}\nReplace the battery every spring.\n`,
  "kb/ops/frost.md": "# 凍結\n\n氷点下の朝は水を抜いておく。\n",
  "kb/guide/vents.md": "# Vents\n\nOpen the vents when the house is warm.\n",
};

interface Evaluation {
  readonly kb: KnowledgeBase;
  readonly folder: string;
  readonly evaluate: (queries: readonly object[], request?: Partial<EvalRequest>) => Promise<EvalReport>;
}

/** An indexed knowledge base of these documents and more, and a way to ask it golden questions. */
async function withEvaluation(
  more: Readonly<Record<string, string>>,
  use: (evaluation: Evaluation) => Promise<void>,
): Promise<void> {
  await withTemporaryFolder(async (folder) => {
    await writeTree(folder, { ...documents, ...more });
    const store = memoryStore();
    const kb = assembleKnowledgeBase(folder, { registry: await registryOf(["md"]), parser, store });
    await kb.index();
    const golden = join(folder, "golden.yml");
    try {
      await use({
        kb,
        folder,
        async evaluate(queries, request = {}) {
          await writeFile(golden, stringify({ queries }, { aliasDuplicateObjects: false }));
          return kb.evaluate({ golden, ...request });
        },
      });
    } finally {
      await kb.close();
    }
  });
}

const rollback = { query: "return to the previous version", expected: [{ path: "ops/rollback.md" }] };
const frost = { query: "氷点下の朝に水を抜く", expected: [{ path: "ops/frost.md" }] };

describe("an evaluation", () => {
  it("measures each leg and search itself, by documents", async () => {
    await withEvaluation({}, async ({ evaluate }) => {
      const report = await evaluate([
        { ...rollback, tag: "en" },
        { ...frost, tag: "ja" },
        { query: "parental leave", answerable: false },
      ]);
      expect(report).toMatchObject({
        documents: 3,
        questions: { answerable: 2, unanswerable: 1 },
        vector_aside: 1,
        misses: [],
        quotations: [],
        notes: [],
        limit: 5,
      });
      expect(report.measures?.fused).toEqual({
        "ndcg@10": 1,
        mrr: 1,
        "recall@1": 1,
        "recall@5": 1,
        "recall@10": 1,
      });
      expect(report.measures?.lexical.mrr).toBe(1);
      // The embedder has no vector for the Japanese question.
      expect(report.measures?.vector["recall@10"]).toBe(0.5);
      expect(report.by_tag.map(({ tag, questions }) => [tag, questions])).toEqual([
        ["en", 1],
        ["ja", 1],
      ]);
      expect(report.confidence.area_under_curve).toBe(1);
    });
  });

  it("says of what was missed where it was, or why it is nowhere", async () => {
    const crowd = Object.fromEntries(
      Array.from({ length: 120 }, (_, n) => [
        `kb/crowd/${n}.md`,
        `# Note ${n}\n\nzebra crossing number ${n}\n`,
      ]),
    );
    await withEvaluation(crowd, async ({ evaluate }) => {
      const ask = async (query: string, ...expected: object[]) =>
        (await evaluate([{ query, expected }], { limit: 1 })).misses[0];
      expect(await ask("zebra", { path: "ops/rollbck.md" })).toMatchObject({
        found: 0,
        missing: [{ path: "ops/rollbck.md", reason: "not_indexed", nearest: "ops/rollback.md", ranks: {} }],
      });
      expect(await ask("zebra", { path: "docs/vents.md" })).toMatchObject({
        missing: [{ reason: "not_indexed", nearest: "guide/vents.md" }],
      });
      expect(await ask("zebra crossing", { path: "ops/frost.md" })).toMatchObject({
        missing: [{ reason: "not_found", ranks: {} }],
        instead: expect.arrayContaining([expect.stringMatching(/^crowd\//u)]) as unknown,
      });
      expect(await ask("previous version", { path: "ops/rollback.md", heading: "Batery" })).toMatchObject({
        missing: [{ heading: "Batery", reason: "no_such_heading", nearest: "Battery" }],
      });
    });
  });

  it("gives the ranks of what others came before, in the unit of each leg: documents", async () => {
    await withEvaluation({}, async ({ evaluate }) => {
      const expected = [{ path: "guide/vents.md" }, ...rollback.expected];
      const { misses } = await evaluate([{ ...rollback, expected }], { limit: 1 });
      // "the" is no word that is searched for; the embedder compares letters.
      expect(misses).toMatchObject([
        { expected: 2, found: 1, missing: [{ path: "guide/vents.md", reason: "outranked" }] },
      ]);
      expect(misses[0]!.missing[0]!.ranks).toEqual({ vector: 2, fused: 2 });
    });
  });

  it("finds a section only where a passage is under its heading", async () => {
    await withEvaluation({}, async ({ evaluate }) => {
      const ask = async (heading: string) =>
        (await evaluate([{ query: "replace the battery", expected: [{ path: "ops/rollback.md", heading }] }]))
          .measures?.fused.mrr;
      expect(await ask("battery")).toBe(1);
      expect(await ask("No such heading")).toBe(0);
    });
  });

  it("takes the filters of a question", async () => {
    await withEvaluation({}, async ({ evaluate }) => {
      const { misses } = await evaluate([{ ...rollback, filters: { topic: "guide" } }]);
      expect(misses[0]).toMatchObject({ missing: [{ reason: "not_found" }] });
    });
  });

  it("warns of a document that quotes a question", async () => {
    const question = "Which way do I turn the blue valve to empty the northern pipe before winter?";
    const quoting = {
      "kb/tests.md": `# Questions\n\n- which way do I turn the blue valve, to empty the northern pipe, before winter\n`,
    };
    await withEvaluation(quoting, async ({ evaluate }) => {
      const { quotations } = await evaluate([
        { query: question, expected: [{ path: "ops/frost.md" }] },
        rollback,
      ]);
      expect(quotations).toEqual([
        {
          query: question,
          line: 2,
          path: "tests.md",
          start_line: expect.any(Number) as unknown,
          containment: 1,
        },
      ]);
    });
  });
});

describe("the comparison of evaluations", () => {
  it("is with the last run of the same fingerprint, and names what a regression is", async () => {
    await withEvaluation({}, async ({ evaluate, kb, folder }) => {
      expect(await evaluate([rollback, frost])).not.toHaveProperty("comparison");
      const same = await evaluate([rollback, frost]);
      expect(same.comparison).toMatchObject({ differs: [], regressions: [], worse: [], better: [] });

      await rm(join(folder, "kb/ops/frost.md"));
      await kb.index();
      const changed = await evaluate([rollback, frost]);
      expect(changed).toMatchObject({ incomparable: { differs: ["documents"] } });
      expect(changed).not.toHaveProperty("comparison");

      await writeTree(folder, documents);
      await kb.index();
      const back = await evaluate([rollback, frost]);
      expect(back.comparison).toMatchObject({ differs: [], regressions: [] });

      await rm(join(folder, "kb/ops/frost.md"));
      await kb.index();
      const { comparison } = await evaluate([rollback, frost], { across: ["documents"] });
      // The last run that differs in nothing but documents is the one before.
      expect(comparison).toMatchObject({
        differs: ["documents"],
        regressions: ["ndcg@10", "mrr", "recall@1", "recall@5", "recall@10"],
        worse: [{ query: frost.query, before: 1, after: 0 }],
      });
      expect((await evaluate([rollback])).comparison).toBeUndefined();
    });
  });

  it("fails again when a run that failed is repeated, and after one that was not compared", async () => {
    await withEvaluation({}, async ({ evaluate, kb, folder }) => {
      const guarded = async (...across: "documents"[]) => {
        const { comparison } = await evaluate([rollback, frost], { failOnRegression: true, across });
        return comparison && { at: comparison.at, failed: comparison.regressions.length > 0 };
      };
      await evaluate([rollback, frost]);
      const history = join(folder, "index/eval-history.jsonl");
      const { at } = JSON.parse(await readFile(history, "utf8")) as { at: string };
      await rm(join(folder, "kb/ops/frost.md"));
      await kb.index();
      expect(await guarded()).toBeUndefined();
      expect(await guarded("documents")).toEqual({ at, failed: true });
      expect(await guarded("documents")).toEqual({ at, failed: true });
      const runs = (await readFile(history, "utf8")).trimEnd().split("\n");
      expect(runs.map((line) => (JSON.parse(line) as { failed?: true }).failed)).toEqual([
        undefined,
        undefined,
        true,
        true,
      ]);

      await writeTree(folder, { "kb/new.md": "# New\n\nA new note.\n" });
      await kb.index();
      // What failed is no measure; the run that was not compared is.
      expect(await guarded("documents")).toMatchObject({ failed: false });
    });
  });

  it("marks no run as failed that only looked", async () => {
    await withEvaluation({}, async ({ evaluate, kb, folder }) => {
      await evaluate([frost]);
      await rm(join(folder, "kb/ops/frost.md"));
      await kb.index();
      const { comparison } = await evaluate([frost], { across: ["documents"] });
      expect(comparison?.regressions).toContain("mrr");
      expect(await readFile(join(folder, "index/eval-history.jsonl"), "utf8")).not.toContain("failed");
    });
  });

  it("is left out, with a note, where the history cannot be used", async () => {
    await withEvaluation({}, async ({ evaluate, folder }) => {
      await writeTree(folder, { "index/eval-history.jsonl/": "" });
      const report = await evaluate([rollback]);
      expect(report.measures?.fused.mrr).toBe(1);
      expect(report.notes).toEqual([expect.stringContaining("history")]);
    });
  });

  it("and the history leave out a run during which the index changed", async () => {
    await withEvaluation({}, async ({ evaluate, kb, folder }) => {
      let change: Promise<unknown> | undefined;
      await writeTree(folder, { "kb/new.md": "# New\n\nnew\n" });
      const report = await evaluate(
        Array.from({ length: 200 }, () => rollback),
        {
          onProgress: () => void (change ??= kb.index()),
        },
      );
      await change;
      expect(report.notes.join()).toContain("neither compared nor added");
      await expect(readFile(join(folder, "index/eval-history.jsonl"))).rejects.toMatchObject({
        code: "ENOENT",
      });
    });
  });
});

describe("an evaluation ends", () => {
  it("with what cannot be read, named", async () => {
    await withEvaluation({}, async ({ kb, folder }) => {
      const evaluate = (golden: string) => kb.evaluate({ golden: join(folder, golden) });
      await writeTree(folder, {
        "directory/": "",
        "latin.yml": Uint8Array.of(0x71, 0xe9),
        "big.yml": "#".repeat(1024 * 1024 + 1),
      });
      await expect(evaluate("none.yml")).rejects.toMatchObject({ code: "KB_EVAL_UNREADABLE" });
      await expect(evaluate("directory")).rejects.toThrow("it is a directory");
      await expect(evaluate("latin.yml")).rejects.toThrow("not valid UTF-8");
      await expect(evaluate("big.yml")).rejects.toThrow("larger than 1024 KiB");
    });
  });

  it("at once when it is cancelled, and keeps nothing", async () => {
    await withEvaluation({}, async ({ kb, folder }) => {
      const golden = join(folder, "golden.yml");
      await writeFile(golden, stringify({ queries: Array.from({ length: 50 }, () => rollback) }));
      const controller = new AbortController();
      const onProgress = (done: number): void => {
        if (done === 3) controller.abort();
      };
      await expect(kb.evaluate({ golden, onProgress }, controller.signal)).rejects.toMatchObject({
        code: "KB_CANCELLED",
        message: "The evaluation was cancelled after 3 of 50 questions",
      });
      await expect(readFile(join(folder, "index/eval-history.jsonl"))).rejects.toMatchObject({
        code: "ENOENT",
      });
    });
  });
});
