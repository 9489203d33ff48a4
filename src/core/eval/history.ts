// The history of evaluations: one line of JSON for each run, appended. Owns the file and nothing else; a line that was
// cut off by a crash is skipped, and the lines before it stay what they were.
import { open, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { makeDirectory } from "../indexing/make-directory.js";
import { limits } from "../limits.js";
import type { Fingerprint } from "./fingerprint.js";
import type { Measures } from "./metrics.js";

/** One run, as it is kept. */
export interface EvalRun {
  /** ISO 8601 */
  readonly at: string;
  readonly fingerprint: Fingerprint;
  /** Of fused results. */
  readonly measures: Measures;
  /** For each answerable question, in the order of the golden file: the rank of its first answer, 0 for none. */
  readonly ranks: readonly number[];
  /** The run was to end as a failure on a regression, and did: it is no measure for later ones. */
  readonly failed?: true;
}

const fileName = "eval-history.jsonl";

/** The runs of an index directory, oldest first. */
export async function readHistory(indexDirectory: string): Promise<EvalRun[]> {
  return runsIn(await textOf(join(indexDirectory, fileName)));
}

/**
 * Adds a run. It is on the disk when this returns.
 * @throws KbError KB_CONFIG_DATA_DIRECTORY, or what the file system says
 */
export async function appendHistory(indexDirectory: string, run: EvalRun): Promise<void> {
  await makeDirectory(indexDirectory);
  const path = join(indexDirectory, fileName);
  const text = await textOf(path);
  const runs = runsIn(text);
  const line = `${JSON.stringify(run)}\n`;
  if (runs.length < limits.evalHistoryRuns) {
    // What a crash left without its end must not swallow this line.
    await write(path, text === "" || text.endsWith("\n") ? line : `\n${line}`, "a");
    return;
  }
  // A quarter leaves at once, so that the file is seldom written anew. Failed runs leave first: retries must not push
  // out the run that they are compared with.
  const kept = runs.filter(({ failed }) => failed !== true).slice(-Math.floor(limits.evalHistoryRuns * 0.75));
  const draft = `${path}.${process.pid}`;
  try {
    await write(draft, `${kept.map((one) => JSON.stringify(one)).join("\n")}\n${line}`, "w");
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
}

async function write(path: string, text: string, flags: "a" | "w"): Promise<void> {
  const handle = await open(path, flags);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}

function runsIn(text: string): EvalRun[] {
  return text.split("\n").flatMap((line) => {
    try {
      const value: unknown = JSON.parse(line);
      return isRun(value) ? [value] : [];
    } catch {
      return [];
    }
  });
}

function isRun(value: unknown): value is EvalRun {
  const run = value as Partial<EvalRun> | null;
  return (
    typeof run === "object" &&
    typeof run?.at === "string" &&
    typeof run.fingerprint === "object" &&
    typeof run.measures === "object" &&
    Array.isArray(run.ranks)
  );
}
