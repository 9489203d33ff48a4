// Golden YAML to a golden set. Strict: every mistake is named with its line, and all of them at once.
import { createHash } from "node:crypto";
import { KbError } from "../errors.js";
import { limits } from "../limits.js";
import { GoldenReader } from "./golden-reader.js";
import type { GoldenQuery, GoldenSet } from "./golden-set.js";
import { openGoldenYaml } from "./golden-yaml.js";

/** Problems that are told one by one. */
const shownProblems = 20;

/**
 * @param text YAML 1.2: `queries: [{ query, expected: [{ path, heading? }], id?, tag?, note?, answerable?, limit?, filters? }]`
 * @param file how messages call it
 * @throws KbError KB_EVAL_GOLDEN
 */
export function parseGolden(text: string, file: string): GoldenSet {
  const yaml = openGoldenYaml(text);
  const reader = new GoldenReader(yaml);
  const queries = yaml.problems.length > 0 ? [] : reader.read();
  const problems = [...yaml.problems].sort((a, b) => a.line - b.line);
  if (problems.length > 0) {
    const lines = problems.slice(0, shownProblems).map(({ line, text: what }) => `${file}:${line}: ${what}`);
    const more = problems.length - lines.length;
    if (more > 0) lines.push(`and ${more} more`);
    throw new KbError(
      "KB_EVAL_GOLDEN",
      lines.length === 1
        ? (lines[0] ?? "")
        : `the golden file has ${problems.length} problems:\n  ${lines.join("\n  ")}`,
    );
  }
  if (queries.length > limits.goldenQueries)
    throw new KbError(
      "KB_EVAL_GOLDEN",
      `${file}: it holds ${queries.length} questions; at most ${limits.goldenQueries} are allowed`,
      { hint: "Split it into several files." },
    );
  return { queries, fingerprint: fingerprintOf(queries) };
}

function fingerprintOf(queries: readonly GoldenQuery[]): string {
  const asked = queries.map(({ query, expected, answerable, filters }) => [
    query,
    expected.map(({ path, heading }) => [path, heading]),
    answerable,
    Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1)),
  ]);
  return createHash("sha256").update(JSON.stringify(asked)).digest("hex");
}
