import { describe, expect, it } from "@jest/globals";
import { pasteable } from "../../src/cli/pasteable.js";

const onPosix = process.platform === "win32" ? it.skip : it;

describe("a command that a message names", () => {
  it.each([
    ["nothing yet; run kb-mcp index", "nothing yet; run kb-mcp index --kb-path ./n --config k.toml"],
    [
      "Build it anew: kb-mcp index --force.",
      "Build it anew: kb-mcp index --force --kb-path ./n --config k.toml.",
    ],
    ["Run kb-mcp models pull a/b.", "Run kb-mcp models pull --kb-path ./n --config k.toml a/b."],
    ["of kb-mcp-parser-org or kb-mcp index-x", "of kb-mcp-parser-org or kb-mcp index-x"],
  ])("carries the flags that were given: %s", (text, expected) => {
    expect(pasteable(text, { kbPath: "./n", config: "k.toml" })).toBe(expected);
    expect(pasteable(text, {})).toBe(text);
  });

  onPosix("quotes what a shell would take apart", () => {
    for (const [kbPath, quoted] of [
      ["my notes", "'my notes'"],
      ["it's $HOME", String.raw`'it'\''s $HOME'`],
      ["~", "'~'"],
      ["", "''"],
      ["メモ", "'メモ'"],
    ] as const)
      expect(pasteable("kb-mcp index", { kbPath })).toBe(`kb-mcp index --kb-path ${quoted}`);
  });
});
