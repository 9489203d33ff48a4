// Problems of a configuration are collected and reported together, so that one run shows all of them.
import { KbError, type ErrorCode } from "../errors.js";
import { quoted } from "./display.js";

/** One thing that is wrong. */
export interface Problem {
  readonly code: ErrorCode;
  /** A file with its line, an environment variable or a flag. */
  readonly where: string;
  /** The line in the file, for the order of the report. */
  readonly line?: number;
  readonly text: string;
  /** What was written, and what could have been meant; the nearest is named. */
  readonly nearest?: { readonly to: string; readonly among: readonly string[] };
  /** One thing to do, where the table's hint can be bettered. */
  readonly hint?: string;
}

const shownProblems = 20;

/**
 * One error for all problems. Its code is that of the first one, in the order of the file.
 *
 * @param problems at least one
 */
export async function problemsError(problems: readonly Problem[]): Promise<KbError> {
  const sorted = problems.toSorted((a, b) => (a.line ?? Infinity) - (b.line ?? Infinity) || 0);
  const lines = await Promise.all(sorted.slice(0, shownProblems).map(problemLine));
  const [first] = sorted;
  if (first === undefined || lines[0] === undefined) throw new Error("no problems to report");
  if (lines.length === 1) {
    return new KbError(first.code, lines[0], first.hint === undefined ? {} : { hint: first.hint });
  }
  const unshown = sorted.length - lines.length;
  const rest = unshown > 0 ? [`and ${unshown} more`] : [];
  return new KbError(
    first.code,
    `the configuration has ${sorted.length} problems:\n  ${[...lines, ...rest].join("\n  ")}`,
    { hint: "Correct them; docs/configuration.md lists every key and what it takes." },
  );
}

async function problemLine({ where, text, nearest }: Problem): Promise<string> {
  const name = nearest && (await nearestName(nearest.to, nearest.among));
  return `${where}: ${text}${name === undefined ? "" : `; the nearest known one is ${quoted(name)}`}`;
}

/** The name that is most like `to`; undefined if there are none. */
export async function nearestName(to: string, among: readonly string[]): Promise<string | undefined> {
  const { distance } = await import("fastest-levenshtein");
  const wanted = to.toLowerCase();
  const lastPart = (name: string): string => name.slice(name.lastIndexOf(".") + 1);
  const apart = (name: string): number => {
    const whole = distance(wanted, name.toLowerCase());
    // A key in the wrong table is near too: `min_confidence` at the top is `search.min_confidence`.
    const last = distance(lastPart(wanted), lastPart(name.toLowerCase()));
    return last <= lastPart(wanted).length / 3 ? Math.min(whole, last + 1) : whole;
  };
  let best: string | undefined;
  let least = Infinity;
  for (const name of among) {
    const length = apart(name);
    if (length < least) [best, least] = [name, length];
  }
  return best;
}
