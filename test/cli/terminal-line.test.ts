import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { TerminalLine } from "../../src/cli/terminal-line.js";

const clear = "\r\u001b[K";
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

/** A line, what was written to its stream, and what others write there. */
function lineOn(isTTY: boolean): { line: TerminalLine; written: string[]; log: (text: string) => void } {
  const written: string[] = [];
  const write = (text: string): number => written.push(text);
  const line = new TerminalLine({ isTTY, columns: 80, write });
  return { line, written, log: (text) => line.aside(text, () => write(text)) };
}

describe("two bars", () => {
  it("never stand on the line together: the one in front covers the other until it ends", () => {
    const { line, written } = lineOn(true);
    const [run, download] = [line.bar("behind", false), line.bar("front", false)];
    run.show("run 1");
    download.show("download 1");
    jest.advanceTimersByTime(100);
    run.show("run 2");
    jest.advanceTimersByTime(100);
    download.end();
    jest.advanceTimersByTime(100);
    run.end();
    expect(written).toEqual([`${clear}run 1`, `${clear}download 1`, clear, `${clear}run 2`, clear]);
  });

  it("change places where the one in front stands still and the other goes on", () => {
    const { line, written } = lineOn(true);
    const [run, download] = [line.bar("behind", false), line.bar("front", false)];
    download.show("download");
    jest.advanceTimersByTime(4000);
    run.show("run");
    jest.advanceTimersByTime(100);
    download.show("download goes on");
    expect(written).toEqual([`${clear}download`, `${clear}run`, `${clear}download goes on`]);
  });
});

describe("what others write to the terminal", () => {
  it("stands on lines of its own, and the bar comes back below", () => {
    const { line, written, log } = lineOn(true);
    line.bar("behind", false).show("bar");
    log("kb-mcp warn: something\n");
    expect(written).toEqual([`${clear}bar`, clear, "kb-mcp warn: something\n"]);
    jest.advanceTimersByTime(100);
    expect(written.slice(3)).toEqual([`${clear}bar`]);
  });

  it("is not overwritten where it left its line unfinished", () => {
    const { line, written, log } = lineOn(true);
    log("unfinished");
    log("");
    line.bar("behind", false).show("bar");
    expect(written).toEqual(["unfinished", "", `\n${clear}bar`]);
  });

  it("is told from lines of progress when piped too", () => {
    const { line, written, log } = lineOn(false);
    log("unfinished");
    line.bar("front", false).show("download", undefined, true);
    log("finished\n");
    expect(written).toEqual(["unfinished", "\ndownload\n", "finished\n"]);
  });
});

it("a line that is closed is clear, and stays so whatever goes on behind it", () => {
  const { line, written, log } = lineOn(true);
  const bar = line.bar("front", false);
  bar.show("bar");
  line.close();
  bar.show("more");
  log("late\n");
  jest.advanceTimersByTime(10_000);
  bar.end();
  expect(written).toEqual([`${clear}bar`, clear, "late\n"]);
});
