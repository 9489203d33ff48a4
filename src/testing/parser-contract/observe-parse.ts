// Runs a parser on one file and notes what it did beside its result. Changes globals of the process while it runs.
import assert from "node:assert/strict";
import type { Parser } from "../../core/plugin-api.js";
import type { SampleFile } from "./check.js";

export interface Observation {
  readonly result: { readonly document: unknown } | { readonly error: unknown };
  /** What was written to stdout, by the console or directly. */
  readonly printed: readonly string[];
  readonly exited: boolean;
  readonly changedBytes: boolean;
}

/** The methods of console that write to stdout. */
const printing = ["log", "info", "debug", "dir", "table", "group"] as const;

/** @throws AssertionError if the parser is not done after `milliseconds` */
export async function observeParse(
  parser: Parser,
  { path, note, bytes, text }: SampleFile,
  milliseconds: number,
): Promise<Observation> {
  const given = Uint8Array.from(bytes);
  const timeout = new AbortController();
  const watch = watchProcess();
  const started = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<"too late">((resolve) => {
    timer = setTimeout(() => {
      timeout.abort();
      resolve("too late");
    }, milliseconds);
  });
  try {
    const parse = async (): Promise<Observation["result"]> => {
      try {
        return { document: await parser.parse({ path, bytes: given, text, signal: timeout.signal }) };
      } catch (error) {
        return { error };
      }
    };
    const result = await Promise.race([parse(), tooLate]);
    assert.ok(
      result !== "too late" && performance.now() - started <= milliseconds,
      `${path}${note === undefined ? "" : ` (${note})`} was not parsed within ${milliseconds} ms`,
    );
    const changedBytes = given.some((byte, at) => byte !== bytes[at]);
    return { result, printed: watch.printed, exited: watch.exited(), changedBytes };
  } finally {
    clearTimeout(timer);
    watch.stop();
  }
}

interface ProcessWatch {
  readonly printed: string[];
  exited(): boolean;
  stop(): void;
}

function watchProcess(): ProcessWatch {
  const printed: string[] = [];
  let exits = 0;
  const restore: (() => void)[] = [];
  const replace = (object: object, key: string, value: unknown): void => {
    const owner = object as Record<string, unknown>;
    const original = owner[key];
    owner[key] = value;
    restore.push(() => (owner[key] = original));
  };
  for (const method of printing)
    replace(globalThis.console, method, (...values: unknown[]) => printed.push(values.map(String).join(" ")));
  const { stdout } = process;
  const write = stdout.write.bind(stdout) as (...values: unknown[]) => boolean;
  // Bytes pass unseen: the reporters of some test runners write them at any time.
  replace(stdout, "write", (...values: unknown[]) => {
    if (typeof values[0] !== "string") return write(...values);
    printed.push(values[0]);
    return true;
  });
  const exit = (): never => {
    exits++;
    throw new Error("the parser wanted to end the process");
  };
  for (const key of ["exit", "abort", "reallyExit"]) replace(process, key, exit);
  return {
    printed,
    exited: () => exits > 0,
    stop: () => {
      for (const undo of restore.reverse()) undo();
    },
  };
}
