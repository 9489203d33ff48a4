import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { Exclusion, loadExclusion } from "../../../src/core/documents/exclusion.js";
import { limits } from "../../../src/core/limits.js";
import { withTemporaryFolder, writeTree } from "../../support/temporary-folder.js";

describe("exclusion", () => {
  it("never lets the denylist in, at any depth and in any case, whatever the settings say", () => {
    const exclusion = new Exclusion([], ["!.git/", "!**/node_modules/**", "!*"]);
    for (const name of [".git", ".svn", ".hg", "node_modules", ".kb-mcp", ".GIT", "Node_Modules"]) {
      expect(exclusion.isExcluded(name, "directory")).toBe(true);
      expect(exclusion.isExcluded(`a/b/${name}/c/d.md`, "file")).toBe(true);
    }
    expect(exclusion.isExcluded(".gitx/a.md", "file")).toBe(false);
    expect(exclusion.isExcluded("x.git/a.md", "file")).toBe(false);
  });

  it("takes exclude_dirs as whole names of directories, in any case and Unicode form", () => {
    const exclusion = new Exclusion(["Target", "が"], undefined);
    expect(exclusion.isExcluded("a/target/x.md", "file")).toBe(true);
    expect(exclusion.isExcluded("TARGET", "directory")).toBe(true);
    expect(exclusion.isExcluded("が".normalize("NFD"), "directory")).toBe(true);
    expect(exclusion.isExcluded("target", "file")).toBe(false);
    expect(exclusion.isExcluded("targets/x.md", "file")).toBe(false);
    expect(exclusion.isExcluded("か", "directory")).toBe(false);
  });

  it("matches patterns in any case and Unicode form", () => {
    const exclusion = new Exclusion([], ["Drafts/", "/ÉCOLE.md", "プライベート"]);
    expect(exclusion.isExcluded("a/dRAFTS/x.md", "file")).toBe(true);
    expect(exclusion.isExcluded("école.MD".normalize("NFD"), "file")).toBe(true);
    expect(exclusion.isExcluded("プライベート".normalize("NFD"), "directory")).toBe(true);
  });

  it("takes the same letters for one another in every layer", () => {
    const pairs: [string, string, boolean][] = [
      ["École", "éCOLE", true],
      ["ΣΟΦΟΣ", "σοφος", true],
      ["σοφοσ", "σοφος", true],
      ["ПРИВЕТ", "привет", true],
      ["ｄｒａｆｔｓ", "ＤＲＡＦＴＳ", true],
      // Kelvin sign and Ångström sign are the letters themselves in composed form.
      ["\u212a\u212b", "kå", true],
      // One letter against two, letters whose other case is ASCII, pairs beyond U+FFFF: not folded.
      ["Straße", "STRASSE", false],
      ["ﬁle", "FILE", false],
      ["ıdea", "Idea", false],
      ["ſvn", "Svn", false],
      ["İx", "ix", false],
      ["\u{10400}", "\u{10428}", false],
      // Widths and kana are folded by search, not here.
      ["ｄｒａｆｔｓ", "drafts", false],
      ["ひ", "ヒ", false],
    ];
    for (const [rule, name, same] of pairs)
      for (const [a, b] of [
        [rule, name],
        [name, rule],
      ] as const) {
        const byDirectory = new Exclusion([a], undefined).isExcluded(b, "directory");
        const byPattern = new Exclusion([], [`${a}/`]).isExcluded(b, "directory");
        expect([a, b, byDirectory, byPattern]).toEqual([a, b, same, same]);
      }
    expect(new Exclusion([], undefined).isExcluded(".gıt/a.md", "file")).toBe(false);
  });

  it("takes nothing in a name of exclude_dirs for a pattern", () => {
    const names = ["*", "a.b", "[x]", "(y)", "a|b", "^a$", "c\\d", "{e}", "f/g", "h-i", ""];
    const exclusion = new Exclusion(names, undefined);
    for (const name of ["*", "a.b", "[x]", "(y)", "a|b", "^a$", "{e}", "h-i"])
      expect([name, exclusion.isExcluded(name, "directory")]).toEqual([name, true]);
    for (const name of ["x", "axb", "a", "b", "y", "z", "e", "f", "g"])
      expect([name, exclusion.isExcluded(name, "directory")]).toEqual([name, false]);
  });

  it("stops at the first excluded directory: nothing below it comes back", () => {
    const exclusion = new Exclusion(
      ["idea"],
      ["logs/", "!logs/important.md", "!idea/", "tmp/*", "!tmp/keep.md"],
    );
    expect(exclusion.isExcluded("logs/important.md", "file")).toBe(true);
    expect(exclusion.isExcluded("idea/x.md", "file")).toBe(true);
    expect(exclusion.isExcluded("tmp/keep.md", "file")).toBe(false);
    expect(exclusion.isExcluded("tmp/x.md", "file")).toBe(true);
  });

  it("excludes Office lock files, and no directory of such a name", () => {
    const exclusion = new Exclusion([], undefined);
    expect(exclusion.isExcluded("a/~$report.docx", "file")).toBe(true);
    expect(exclusion.isExcluded("a/~$x/b.md", "file")).toBe(false);
    expect(exclusion.isExcluded("a/~report.docx", "file")).toBe(false);
  });

  it("answers for every string, and excludes what is no path of the knowledge base", () => {
    const exclusion = new Exclusion([], ["a/**/b"]);
    const strings = ["/a", "/", "./a", "../a", "a/../b", "a//b", "a/", ".", "..", "a/b/".repeat(100_000)];
    for (const path of strings) expect([path, exclusion.isExcluded(path, "file")]).toEqual([path, true]);
    expect(exclusion.isExcluded("", "file")).toBe(true);
    expect(exclusion.isExcluded("", "directory")).toBe(false);
    expect(exclusion.isExcluded("__proto__/constructor.md", "file")).toBe(false);
  });

  it("goes as deep as the limit", () => {
    const exclusion = new Exclusion([], undefined);
    const deepest = "d/".repeat(limits.directoryDepth);
    expect(exclusion.isExcluded(`${deepest}a.md`, "file")).toBe(false);
    expect(exclusion.isExcluded(`${deepest}d/a.md`, "file")).toBe(true);
  });

  it("gives the same answers however long it is used", () => {
    const exclusion = new Exclusion([], ["*.tmp.md", "x/"]);
    for (let index = 0; index < 120_000; index++) {
      const excluded = exclusion.isExcluded(`d${index}/a.tmp.md`, "file");
      if (!excluded || exclusion.isExcluded(`d${index}/a.md`, "file")) throw new Error(`after ${index}`);
    }
    expect(exclusion.isExcluded("d1/x/a.md", "file")).toBe(true);
  });
});

describe("loading the exclusion of a knowledge base", () => {
  it("reads the root's .kb-mcpignore and no other file", async () => {
    await withTemporaryFolder(async (folder) => {
      const kb = join(folder, "kb");
      await mkdir(kb);
      await writeTree(folder, {
        ".kb-mcpignore": "above.md",
        "kb/.gitignore": "git.md",
        "kb/sub/.kb-mcpignore": "below.md",
      });
      const paths = ["above.md", "git.md", "sub/below.md", "root.md"];
      const excluded = async (): Promise<string[]> => {
        const { exclusion } = await loadExclusion({ root: { path: kb }, excludeDirs: [] });
        return paths.filter((path) => exclusion.isExcluded(path, "file"));
      };
      expect(await excluded()).toEqual([]);
      await writeFile(join(kb, ".kb-mcpignore"), "root.md");
      expect(await excluded()).toEqual(["root.md"]);
    });
  });

  it("goes on without a file that cannot be used, with the other layers in force", async () => {
    await withTemporaryFolder(async (folder) => {
      await mkdir(join(folder, ".kb-mcpignore"));
      const { exclusion, warnings } = await loadExclusion({ root: { path: folder }, excludeDirs: ["out"] });
      expect(warnings).toHaveLength(1);
      expect(exclusion.isExcluded("out/a.md", "file")).toBe(true);
      expect(exclusion.isExcluded(".git/a.md", "file")).toBe(true);
      expect(exclusion.isExcluded("a.md", "file")).toBe(false);
    });
  });
});
