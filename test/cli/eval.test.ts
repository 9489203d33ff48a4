import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { stringify } from "yaml";
import { formatEval } from "../../src/cli/format-eval.js";
import type { EvalReport } from "../../src/core/index.js";
import { runCli, startCli, type CliResult } from "../support/kb-mcp-process.js";
import { makeFifos, writeTree } from "../support/temporary-folder.js";

let folder: string;
let data: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "kb-mcp-test-")));
  data = join(folder, "data");
  await writeTree(folder, {
    "data/": "",
    "notes/rollback.md": "# Rollback\n\nHold the button to return to the previous version.\n",
    "notes/凍結.md": "# 凍結\n\n氷点下の朝は水を抜いておく。\n",
    "notes/stub.md": "# Stub\n\nTODO\n",
    "project/kb-mcp.toml": 'kb_path = "../notes"\n[eval]\ngolden = "tests/golden.yml"\n',
    "project/tests/golden.yml": stringify({
      queries: [
        { query: "previous version", expected: [{ path: "rollback.md" }] },
        { query: "stub", expected: [{ path: "stub.md" }] },
        { query: "凍結", id: "frost", tag: "ja", expected: [{ path: "凍傷.md" }] },
      ],
    }),
  });
  expect(await runCli(["index", "--kb-path", join(folder, "notes")], data)).toMatchObject({ code: 0 });
}, 60_000);
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));

const evaluate = (...args: string[]): Promise<CliResult> =>
  runCli(["eval", ...args], data, join(folder, "project"));

describe("kb-mcp eval", () => {
  it("asks the golden file that the configuration names, relative to it", async () => {
    const { code, stdout, stderr } = await evaluate();
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("3 questions from golden.yml, asked of 3 documents");
    expect(stdout).toMatch(/^search \(fused\) +0\.333 +0\.333/mu);
    expect(stdout).toMatch(/^ {2}stub\.md {2}in the index, hidden by the quality filter$/mu);
    expect(stdout).toMatch(/^golden\.yml:8 {2}凍結 {2}frost, ja\n {2}凍傷\.md {2}not in the index\n/mu);
  });

  it("prints the whole report as JSON, and fails on a regression where that is asked for", async () => {
    const file = join(folder, "moving.yml");
    await writeFile(
      file,
      stringify({ queries: [{ query: "previous version", expected: [{ path: "rollback.md" }] }] }),
    );
    const args = ["--golden", file, "--format", "json"];
    const first = JSON.parse((await evaluate(...args)).stdout) as EvalReport;
    expect(first.measures?.fused.mrr).toBe(1);
    expect(first).not.toHaveProperty("comparison");

    const hidden = ["--kb-path", join(folder, "notes"), "--across", "documents", "--fail-on-regression"];
    await rm(join(folder, "notes/rollback.md"));
    await runCli(["index", "--kb-path", join(folder, "notes")], data);
    const { code, stdout } = await evaluate(...args, ...hidden);
    const { comparison } = JSON.parse(stdout) as EvalReport;
    expect([code, comparison?.regressions.includes("mrr")]).toEqual([1, true]);
    expect((await evaluate(...args, ...hidden)).code).toBe(1);
    await writeTree(folder, {
      "notes/rollback.md": "# Rollback\n\nHold the button to return to the previous version.\n",
    });
    await runCli(["index", "--kb-path", join(folder, "notes")], data);
    expect((await evaluate(...args, ...hidden)).code).toBe(0);
  }, 60_000);

  it.each([
    [["--golden", "none.yml"], "KB_EVAL_UNREADABLE", "there is no golden file at"],
    [["--golden", "."], "KB_EVAL_UNREADABLE", "it is a directory"],
    [["--golden", "fifo.yml"], "KB_EVAL_UNREADABLE", "it is not a regular file"],
    [["--golden", "typo.yml"], "KB_EVAL_GOLDEN", 'typo.yml:2: unknown key "expcted"; did you mean expected?'],
    [["--tolerance", "2"], "KB_CLI_USAGE", "a number from 0 to 1"],
    [["--across", "everything"], "KB_CLI_USAGE", "Allowed choices are settings, model"],
  ])("ends with 2 for what must be corrected: %j", async (args, code, message) => {
    if (args[1] === "fifo.yml") makeFifos(join(folder, "project/fifo.yml"));
    await writeFile(
      join(folder, "project/typo.yml"),
      "queries:\n  - { query: a, expcted: [{ path: a.md }], answerable: false }\n",
    );
    const result = await evaluate(...args);
    expect([result.code, result.stdout]).toEqual([2, ""]);
    expect(result.stderr).toContain(message);
    expect(result.stderr).toContain(`[${code}]`);
  });

  it("says how to name a golden file where none is named", async () => {
    const { code, stderr } = await runCli(["eval", "--kb-path", join(folder, "notes")], data);
    expect(code).toBe(2);
    expect(stderr).toMatch(/--golden golden\.yml[^]*\[KB_EVAL_NO_GOLDEN\]/u);
  });

  it("can be interrupted, and prints no half of a report", async () => {
    const queries = Array.from({ length: 3000 }, (_, n) => ({
      query: `version ${n}`,
      expected: [{ path: "rollback.md" }],
    }));
    await writeFile(join(folder, "many.yml"), stringify({ queries }));
    const child = startCli(["eval", "--golden", join(folder, "many.yml")], data, join(folder, "project"));
    let [stdout, stderr] = ["", ""];
    child.stdout?.on("data", (part: Buffer) => (stdout += part.toString()));
    child.stderr?.on("data", (part: Buffer) => {
      stderr += part.toString();
      // Once: a second one ends the process at once.
      if (!child.killed && stderr.includes("Asking:")) child.kill("SIGINT");
    });
    const code = await new Promise((done) => child.once("close", done));
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/cancelled after \d+ of 3000 questions[^]*\[KB_CANCELLED\]/u);
  }, 60_000);

  it("reads every question of the examples", async () => {
    const kb = resolve("examples/knowledge-base");
    const { stderr } = await evaluate("--kb-path", kb, "--golden", resolve("examples/golden.yml"));
    expect(stderr).toContain("[KB_STORE_EMPTY]");
  });
});

describe("a report on the command line", () => {
  const report: EvalReport = {
    documents: 1,
    chunks: 1,
    questions: { answerable: 1, unanswerable: 0 },
    by_tag: [],
    confidence: { low_answerable: 0, low_unanswerable: 0 },
    vector_aside: 0,
    limit: 5,
    misses: [
      {
        query: "q\u001b[2J\nx",
        id: "\u0007",
        line: 2,
        limit: 5,
        expected: 1,
        found: 0,
        missing: [
          { path: "\u202ea.md", heading: "h\n", reason: "outranked", ranks: { lexical: 7, fused: 9 } },
        ],
        instead: ["b\u001b.md"],
        mode: "hybrid",
      },
    ],
    quotations: [{ query: "q", line: 2, path: "c\u001b.md", containment: 1 }],
    notes: ["n\u0007"],
    seconds: 0,
  };

  it("shows what a name or a question would do to a terminal instead of doing it", () => {
    const text = formatEval(report, "/x/gol\u001bden.yml", {});
    expect(text).not.toMatch(/(?!\n)[\p{Cc}\u202e]/u);
    expect(text).toContain(String.raw`\u202ea.md › h\u000a`);
  });

  it("says where the answer was in each leg", () => {
    expect(formatEval(report, "g.yml", {})).toContain("lexical 7, vector not in its top 100, fused 9");
    const aside = { ...report, misses: report.misses.map((miss) => ({ ...miss, mode: "lexical" as const })) };
    expect(formatEval(aside, "g.yml", {})).toContain("lexical 7, vector aside, fused 9");
  });

  it("says what changed since the last run, and how to compare all the same", () => {
    const at = "2026-01-02T03:04:05.000Z";
    const text = formatEval(
      { ...report, incomparable: { at, differs: ["settings", "documents"] } },
      "g.yml",
      {},
    );
    expect(text).toContain("the search settings and the documents have changed since");
    expect(text).toContain("--across settings --across documents compares");
  });

  it("tells runs of one minute apart", () => {
    const of = (at: string) =>
      formatEval({ ...report, incomparable: { at, differs: ["model"] } }, "g.yml", {});
    const [one, two] = [of("2026-01-02T03:04:05.000Z"), of("2026-01-02T03:04:06.000Z")];
    expect(one).toMatch(/the run of \d{4}-\d\d-\d\d \d\d:\d\d:05: the embedding model has changed since/u);
    expect(one).not.toBe(two);
  });

  it("counts one and many", () => {
    const one = formatEval(report, "g.yml", {});
    expect(one).toContain("1 question from g.yml, asked of 1 document in 1 passage (");
    expect(one).toContain("warning: 1 document quotes golden questions");
    const quotations = [...report.quotations, { query: "q", line: 2, path: "d.md", containment: 1 }];
    const many = formatEval({ ...report, documents: 2, chunks: 0, quotations }, "g.yml", {});
    expect(many).toContain("asked of 2 documents in 0 passages (");
    expect(many).toContain("warning: 2 documents quote golden questions");
  });
});
