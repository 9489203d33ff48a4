import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { formatBytes } from "../../src/cli/format-bytes.js";
import { showPreparation, type PreparationDisplay } from "../../src/cli/preparation-progress.js";
import { TerminalLine } from "../../src/cli/terminal-line.js";
import type { PreparationProgress } from "../../src/core/plugin-api.js";

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

interface Shown {
  readonly written: string[];
  readonly display: PreparationDisplay;
}

function show(isTTY: boolean, columns = 80, quiet = false): Shown {
  const written: string[] = [];
  const line = new TerminalLine({ isTTY, columns, write: (text) => written.push(text) });
  return { written, display: showPreparation(line, quiet) };
}

/** Tells how far it is at each so many milliseconds of a time. */
function tell(
  display: PreparationDisplay,
  milliseconds: number,
  every: number,
  of: (at: number) => PreparationProgress,
) {
  for (let at = 0; at <= milliseconds; at += every) {
    display.update(of(at));
    if (at < milliseconds) jest.advanceTimersByTime(every);
  }
}

const loading = (done: number, total?: number): PreparationProgress => ({
  what: "Downloading Some/model",
  done,
  unit: "bytes",
  ...(total !== undefined && { total }),
});

describe("on a terminal", () => {
  it("draws a bar at most once in 100 ms, with pace and time left, and clears it at the end", () => {
    const shown = show(true, 120);
    tell(shown.display, 10_000, 1, (at) => loading(at * 10_000, 200_000_000));
    expect(shown.written).toHaveLength(101);
    expect(shown.written.at(-1)).toBe(
      "\r\u001b[K[############------------] Downloading Some/model: 100 MB of 200 MB (10 MB/s), about 11 s left",
    );
    shown.display.update(loading(200_000_000, 200_000_000));
    expect(shown.written.at(-1)).toBe("\r\u001b[K");
    shown.display.end();
    expect(shown.written).toHaveLength(102);
  });

  it("never fills the last column", () => {
    for (const columns of [10, 40, 80]) {
      const shown = show(true, columns);
      shown.display.update(loading(1, 3));
      jest.advanceTimersByTime(5000);
      shown.display.update(loading(2_000_000, 3_000_000));
      for (const line of shown.written) expect(line.replace("\r\u001b[K", "").length).toBeLessThan(columns);
    }
  });
});

describe("when piped", () => {
  it("writes a line every five seconds and one at the end, without control characters", () => {
    const shown = show(false);
    tell(shown.display, 12_000, 100, (at) => loading(at, 12_000));
    expect(shown.written).toHaveLength(4);
    expect(shown.written.at(-1)).toBe("Downloading Some/model: 12 kB of 12 kB\n");
    expect(shown.written.join("")).not.toMatch(/(?!\n)\p{Cc}/u);
  });

  it("shows what is done of a whole that nobody knows, and the next preparation at once", () => {
    const shown = show(false);
    shown.display.update(loading(1500));
    shown.display.update({ what: "Something\u001b[2J", done: 3, total: 7, unit: "items" });
    expect(shown.written).toEqual(["Downloading Some/model: 1.5 kB\n", "Something\\u001b[2J: 3 of 7\n"]);
  });
});

it("nothing is written when it is to be quiet", () => {
  const shown = show(true, 80, true);
  shown.display.update(loading(1, 1));
  shown.display.end();
  expect(shown.written).toEqual([]);
});

it.each([
  [0, "0 B"],
  [999, "999 B"],
  [1000, "1.0 kB"],
  [9960, "10 kB"],
  [999_600, "1.0 MB"],
  [118_200_000, "118 MB"],
  [8_589_934_592, "8.6 GB"],
  [9e15, "9000 TB"],
])("%d bytes are %s", (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});
