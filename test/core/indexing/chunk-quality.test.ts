import { describe, expect, it } from "@jest/globals";
import { chunkQuality } from "../../../src/core/indexing/chunk-quality.js";

/** What the default filter hides. */
const hidden = 0.3;

describe("the quality of a chunk", () => {
  it.each([
    ["nothing", ""],
    ["blank lines", "\n \n"],
    ["a heading alone", "## Configuration of the backup server"],
    ["an underlined heading alone", "Configuration of the backup server\n=========="],
    ["two headings", "# Guide\n\n## 設定について"],
    ["a heading and a line", "## Notes\n\n---"],
    ["a comment", "<!-- describe the whole procedure here, with examples -->"],
    ["two words", "See it."],
    ["a mark", "## Status\n\n✅"],
    ["なし", "## 備考\n\nなし"],
    ["TODO", "## Restore\n\nTODO"],
    ["TBD in a table", "| Item | Owner |\n|---|---|\n| TBD | TBD |"],
    ["a promise", "## Restore\n\n*Coming soon!*"],
    ["a task without content", "- [ ] TODO: write"],
    ["未記入", "## 復旧手順\n\n（未記入）"],
    ["準備中", "このページは準備中です。"],
    ["ここに記入", "## 概要\n\nここに内容を記入してください"],
    [
      "lorem ipsum",
      "## About\n\nLorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore et dolore magna aliqua.",
    ],
    ["an empty page's notice", "This page intentionally left blank."],
    ["wiki links", "## See also\n\n- [[Backup schedule]]\n- [[Restore|how to restore]]"],
    ["links", "- [The whole manual](https://example.org/manual)\n- <https://example.org/faq>"],
    ["an image", "![Diagram of the backup server](images/diagram.png)"],
  ])("is low for %s", (_, content) => {
    expect(chunkQuality(content)).toBeLessThan(hidden);
  });

  it.each([
    ["a sentence", "Restart the pod after each update."],
    ["a short sentence under a heading", "## Default\n\nIt is off."],
    ["a short Japanese sentence", "電池は単三を二本使う。"],
    ["a very short Japanese sentence", "## 電源\n\n単三電池二本。"],
    ["a command", "## Install\n\n```sh\nnpm ci\n```"],
    ["a table", "| Code | Meaning |\n|---|---|\n| E0203 | Pod silent |"],
    ["a list", "- tomatoes\n- strawberries"],
    ["prose with links", "The schedule is in [the guide](guide.md); it runs every night at two."],
    [
      "a list of links with explanations",
      "- [[Backup]]: what is copied, and when\n- [[Restore]]: how to get it back",
    ],
    ["a real task", "- [ ] TODO: move the certificates to the new server before May"],
    [
      "text about placeholders",
      "Search the notes for TODO and FIXME before a release, and remove every one of them.",
    ],
    ["text about lorem ipsum", "Designers use lorem ipsum so that nobody reads the words of a draft."],
    ["a number with its unit", "## 定格電圧\n\nDC 12V ± 10%、最大 2.5A"],
  ])("is not low for %s", (_, content) => {
    expect(chunkQuality(content)).toBeGreaterThanOrEqual(hidden);
  });

  it("grows with what is there, up to 1", () => {
    const sentence = "Check the valve, then the hose. ";
    const qualities = [1, 3, 20, 100].map((times) => chunkQuality(sentence.repeat(times)));
    expect([...qualities].sort((a, b) => a - b)).toEqual(qualities);
    expect(qualities.at(-1)).toBe(1);
  });
});
