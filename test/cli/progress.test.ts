import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { showProgress, type ProgressDisplay } from "../../src/cli/progress.js";
import { TerminalLine } from "../../src/cli/terminal-line.js";
import type { IndexProgress } from "../../src/core/index.js";

const terminal = process.env["TERM"];
beforeEach(() => {
  jest.useFakeTimers();
  process.env["TERM"] = "xterm";
});
afterEach(() => {
  jest.useRealTimers();
  if (terminal === undefined) delete process.env["TERM"];
  else process.env["TERM"] = terminal;
});

/** A display, and what it has written: on a terminal without the sequence that clears the line. */
function display(isTTY: boolean, columns = 80): { written: string[]; progress: ProgressDisplay } {
  const written: string[] = [];
  const write = (text: string): number => written.push(text.replace("\r\u001b[K", ""));
  return { written, progress: showProgress(new TerminalLine({ isTTY, columns, write }), false) };
}

const indexing = (filesDone: number, chunksDone: number, elapsedMs: number): IndexProgress => ({
  phase: "index",
  filesDone,
  filesTotal: 2000,
  chunksDone,
  elapsedMs,
});

describe("on a terminal", () => {
  it("redraws at most once in 100 ms, and shows what came last", () => {
    const { written, progress } = display(true);
    for (let done = 0; done < 1000; done++) progress.update(indexing(done, 0, done));
    expect(written).toEqual([expect.stringContaining("0 of 2000 files")]);
    jest.advanceTimersByTime(100);
    expect(written.slice(1)).toEqual([expect.stringContaining("999 of 2000 files")]);
    jest.advanceTimersByTime(10_000);
    expect(written).toHaveLength(2);
    progress.update(indexing(1000, 0, 11_000));
    expect(written.at(-1)).toContain("1000 of 2000 files");
  });

  it("clears its line at the end and draws no more", () => {
    const { written, progress } = display(true);
    progress.update(indexing(1, 0, 0));
    progress.update(indexing(2, 0, 1));
    progress.end();
    jest.advanceTimersByTime(1000);
    expect(written).toEqual([expect.stringContaining("1 of 2000"), ""]);
  });

  it("never fills the last column, where a terminal wraps; the bar gives way to the text", () => {
    for (const columns of [14, 40, 80, 200]) {
      const { written, progress } = display(true, columns);
      for (const event of [
        { ...indexing(0, 0, 0), phase: "scan" as const },
        indexing(500, 5000, 1000),
        indexing(1900, 19_000, 200_000),
        { ...indexing(2000, 20_000, 0), phase: "finish" as const },
      ]) {
        progress.update(event);
        jest.advanceTimersByTime(100);
      }
      expect(written).toHaveLength(4);
      for (const line of written) expect(line.length).toBeLessThan(columns);
      if (columns >= 80) expect(written[2]).toMatch(/^\[#+-*\] Indexing: 1900 of .* left$/u);
    }
  });
});

describe("pace and time left", () => {
  it("leave out the time before the first chunks were stored", () => {
    const { written, progress } = display(false);
    progress.update({ ...indexing(0, 0, 0), phase: "scan" });
    progress.update(indexing(0, 0, 60_000));
    progress.update(indexing(100, 200, 100_000));
    jest.advanceTimersByTime(5000);
    progress.update(indexing(200, 400, 110_000));
    expect(written.at(-1)).toBe("Indexing: 200 of 2000 files, 400 chunks (20/s), about 3 min left\n");
  });

  it("are not told from a burst", () => {
    const { written, progress } = display(true);
    progress.update(indexing(1, 10, 5000));
    progress.update(indexing(2, 20, 5001));
    jest.advanceTimersByTime(100);
    expect(written.at(-1)).toMatch(/20 chunks$/u);
  });
});

describe("when piped", () => {
  it("writes a line every five seconds, and no control character", () => {
    const { written, progress } = display(false);
    for (let second = 0; second <= 21; second++) {
      progress.update(indexing(second, second, second * 1000));
      jest.advanceTimersByTime(1000);
    }
    expect(written).toHaveLength(4);
    expect(written.join("")).not.toMatch(/(?!\n)\p{Cc}/u);
  });
});
