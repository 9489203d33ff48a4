import { createRequire } from "node:module";
import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { fold } from "../../../src/core/text/fold.js";
import { globToRegExp } from "../../../src/core/search/glob.js";

type Picomatch = (glob: string, options: object) => (path: string) => boolean;
const picomatch = createRequire(import.meta.url)("picomatch") as Picomatch;

function matches(glob: string, path: string): boolean {
  return new RegExp(globToRegExp(glob), "u").test(fold(path));
}

describe("globs", () => {
  it.each([
    ["docs/*.md", "docs/a.md", true],
    ["docs/*.md", "docs/sub/a.md", false],
    ["docs/*.md", "DOCS/A.MD", true],
    ["Docs/A.md", "docs/a.md", true],
    ["docs/**", "docs/sub/deep/a.md", true],
    ["docs/**", "docs2/a.md", false],
    ["docs/**/a.md", "docs/a.md", true],
    ["docs/**/a.md", "docs/x/y/a.md", true],
    ["**/a.md", "a.md", true],
    ["*.md", "docs/sub/a.md", true],
    ["a.md", "docs/a.md", true],
    ["docs/", "docs/x/a.md", true],
    ["/docs/a.md", "docs/a.md", true],
    ["./docs/a.md", "docs/a.md", true],
    ["a?.md", "ab.md", true],
    ["a?.md", "a/.md", false],
    ["a?.md", "a\u{1F600}.md", true],
    ["[ab]*.md", "beta.md", true],
    ["[!ab]*.md", "beta.md", false],
    ["[a-c]1.md", "B1.md", true],
    ["x[!a]y", "x/y", false],
    ["{guide,ref}/*.md", "ref/a.md", true],
    ["{guide,ref/{a,b}}/*.md", "ref/b/x.md", true],
    ["{guide}.md", "{guide}.md", true],
    [String.raw`\[draft\] *.md`, "[draft] x.md", true],
    ["なぜ？.md", "なぜ？.md", true],
    ["なぜ？.md", "なぜx.md", false],
    ["［下書き］*.md", "［下書き］会議.md", true],
    ["サーバー/*", "ｻｰﾊﾞｰ/メモ.md", true],
    [".*", "docs/.hidden", true],
    ["*", ".hidden", true],
    ["a.md", "axmd", false],
    ["a+(b).md", "a+(b).md", true],
    ["[&&]x", "&x", true],
    ["[.-0]x", "0x", true],
    ["q[/]a", "q/a", false],
  ])("%s against %s: %s", (glob, path, expected) => {
    expect(matches(glob, path)).toBe(expected);
  });

  it.each([
    ["", "is empty"],
    ["/", "is empty"],
    ["docs/[ab", '"[" without "]"'],
    ["docs/{a,b", '"{" without "}"'],
    ["[z-a]", "empty range"],
    ["a\\", "ends in a backslash"],
  ])("refuse %j", (glob, reason) => {
    expect(() => globToRegExp(glob)).toThrow(reason);
  });

  it("agree with picomatch", () => {
    const piece = fc.constantFrom("a", "b", "ab", "*", "?", "[ab]", "[!a]", "{a,b}", "{a,b/a}", ".a", "a.");
    const segment = fc.oneof(
      fc.array(piece, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("")),
      fc.constant("**"),
    );
    // Stars in a row that are no whole segment mean one star here and in a shell; picomatch reads some as "**".
    const glob = fc
      .array(segment, { minLength: 1, maxLength: 4 })
      .map((parts) => parts.join("/"))
      .filter((pattern) => !/[^/]\*\*|\*\*[^/]/.test(pattern));
    const name = fc.string({ unit: fc.constantFrom("a", "b", "."), minLength: 1, maxLength: 4 });
    const path = fc
      .array(
        name.filter((each) => each !== "." && each !== ".."),
        { minLength: 1, maxLength: 4 },
      )
      .map((parts) => parts.join("/"));
    fc.assert(
      fc.property(glob, path, (pattern, candidate) => {
        const options = {
          dot: true,
          posix: true,
          basename: !pattern.includes("/"),
          noextglob: true,
          strictSlashes: true,
        };
        expect([pattern, candidate, matches(pattern, candidate)]).toEqual([
          pattern,
          candidate,
          picomatch(pattern, options)(candidate),
        ]);
      }),
      { numRuns: 3000 },
    );
  });

  it("use only what RE2 and JavaScript share: no look-around and no back-reference", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (glob, path) => {
        let expression: string;
        try {
          expression = globToRegExp(glob);
        } catch (error) {
          expect((error as Error).name).toBe("GlobError");
          return;
        }
        expect(expression).not.toMatch(/\(\?[=!<]|\\\d/);
        new RegExp(expression, "u").test(fold(path));
      }),
    );
  });
});
