// Layer 3 against git itself: the same patterns in .kb-mcpignore and .gitignore, the same paths on the same disk.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { writeFile } from "node:fs/promises";
import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { loadExclusion } from "../../../src/core/documents/exclusion.js";
import { withTemporaryFolder, writeTree } from "../../support/temporary-folder.js";

const gitWorks = spawnSync("git", ["--version"]).status === 0;

const directoryNames = ["a", "B", "logs", "my notes", "日本語メモ", "[x]", ".hid", "a.b"];
const fileNames = [
  "a",
  "Logs",
  "x.md",
  "Y.MD",
  "#h.md",
  "!b.md",
  "s p.txt",
  "日本語メモ.md",
  "a*b",
  "q?.md",
  "[x]",
  "t.MD ",
];

/** Every path of a tree three levels deep, with its kind. */
function treePaths(): Map<string, "file" | "directory"> {
  const paths = new Map<string, "file" | "directory">();
  const fill = (prefix: string, names: readonly string[], depth: number): void => {
    names.forEach((name, index) => {
      paths.set(prefix + name, "directory");
      const files = fileNames.filter(
        (file, at) => !names.includes(file) && (depth < 2 || at % 3 === index % 3),
      );
      for (const file of files) paths.set(`${prefix}${name}/${file}`, "file");
      if (depth < 3)
        fill(
          `${prefix}${name}/`,
          directoryNames.slice(index % 3, (index % 3) + (depth === 1 ? 3 : 2)),
          depth + 1,
        );
    });
  };
  fill("", directoryNames, 1);
  for (const file of fileNames) if (!paths.has(file)) paths.set(file, "file");
  return paths;
}

// Left out because git and gitignore(5) disagree, or git compares bytes where we compare characters: a run of
// asterisks right after a literal (`a**/b`), an escaped slash, and `?` or `[…]` for one character of Japanese.
const literal = fc.constantFrom(
  "a",
  "A",
  "b",
  "logs",
  "LOGS",
  "my notes",
  "日本語メモ",
  "x.md",
  "X.md",
  "\\[x\\]",
  ".hid",
  "a.b",
  "\\#h.md",
  "#h.md",
  "!b.md",
  "\\!b.md",
  "s\\ p.txt",
  "s p.txt",
  "a\\*b",
  "q\\?.md",
  "t.md\\ ",
  "\\a",
  "nope",
);
const glob = fc.constantFrom(
  "*",
  "*.md",
  "*.MD",
  "x.*",
  "?",
  "??",
  "?.md",
  "[ab]",
  "[!a]",
  "[^a-c]",
  "[a-z].md",
  "[[:upper:]]*",
  "[[:alpha:]]",
  "[]x]*",
  "[x-]*",
  "[\\[]x*",
  "[",
  "[a",
  "a*",
  "*a*",
  "*o*s",
  "l??s",
  "*s p*",
  "*語*",
  "*.*",
  "q?.md",
  "s*t",
  "***",
);
const segment = fc.oneof(
  { weight: 5, arbitrary: literal },
  { weight: 4, arbitrary: glob },
  { weight: 2, arbitrary: fc.constant("**") },
);
const pattern = fc
  .record({
    negated: fc.boolean(),
    rooted: fc.constantFrom("", "", "", "/"),
    segments: fc.array(segment, { minLength: 1, maxLength: 3 }),
    directory: fc.constantFrom("", "", "/"),
    blanks: fc.constantFrom("", "", "", " ", "  ", "\t"),
  })
  .map(
    ({ negated, rooted, segments, directory, blanks }) =>
      (negated ? "!" : "") + rooted + segments.join("/") + directory + blanks,
  )
  .filter((line) => line.split("**/").length <= 3);
const line = fc.oneof(
  { weight: 12, arbitrary: pattern },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "",
      "   ",
      "# comment",
      "#",
      "!",
      "/",
      "//",
      "\\",
      "a\\",
      "!!a",
      "/*",
      "/**",
      "!/**/",
      "**",
      "*/",
      "!*/",
    ),
  },
);
const ignoreFile = fc
  .record({
    bom: fc.constantFrom("", "", "\uFEFF"),
    lines: fc.array(line, { minLength: 1, maxLength: 8 }),
    end: fc.constantFrom("\n", "\r\n"),
    last: fc.boolean(),
  })
  .map(({ bom, lines, end, last }) => bom + lines.join(end) + (last ? end : ""));

/** The paths that git ignores; one process for all of them. */
function ignoredByGit(folder: string, paths: readonly string[]): Set<string> {
  const { stdout, stderr } = spawnSync(
    "git",
    [
      "-c",
      "core.ignorecase=true",
      "-c",
      "core.excludesFile=/dev/null",
      "check-ignore",
      "--no-index",
      "--stdin",
      "-z",
      "-v",
      "-n",
    ],
    {
      cwd: folder,
      input: paths.map((path) => `${path}\0`).join(""),
      maxBuffer: 1 << 26,
      env: gitEnvironment,
    },
  );
  expect(stderr.toString()).toBe("");
  const fields = stdout.toString().split("\0");
  const ignored = new Set<string>();
  for (let at = 0; at + 3 < fields.length; at += 4) {
    const rule = fields[at + 2]!;
    if (rule !== "" && !rule.startsWith("!")) ignored.add(fields[at + 3]!);
  }
  return ignored;
}

const gitEnvironment = {
  PATH: process.env.PATH,
  HOME: "/nonexistent",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
};

// Without git on the machine there is nothing to compare with.
(gitWorks ? describe : describe.skip)("patterns of .kb-mcpignore", () => {
  it("exclude exactly what git check-ignore says, over more than 20,000 random checks", async () => {
    await withTemporaryFolder(async (folder) => {
      const paths = treePaths();
      const tree = [...paths].map(([path, kind]): [string, string] => [
        kind === "file" ? path : `${path}/`,
        "",
      ]);
      await writeTree(folder, Object.fromEntries(tree));
      spawnSync("git", ["init", "-q"], { cwd: folder, env: gitEnvironment });

      let checks = 0;
      let excludedInAll = 0;
      for (const content of fc.sample(ignoreFile, {
        numRuns: 150,
        seed: Number(process.env.KB_MCP_TEST_SEED ?? 20),
      })) {
        await writeFile(join(folder, ".gitignore"), content);
        await writeFile(join(folder, ".kb-mcpignore"), content);
        const { exclusion, warnings } = await loadExclusion({ root: { path: folder }, excludeDirs: [] });
        expect(warnings).toEqual([]);
        const excluded = [...paths]
          .filter(([path, kind]) => exclusion.isExcluded(path, kind))
          .map(([path]) => path);
        const ignored = ignoredByGit(folder, [...paths.keys()]);
        expect({ content, excluded }).toEqual({
          content,
          excluded: [...paths.keys()].filter((path) => ignored.has(path)),
        });
        checks += paths.size;
        excludedInAll += excluded.length;
      }
      expect(checks).toBeGreaterThan(20_000);
      // The patterns must bite, and not swallow everything.
      expect(excludedInAll / checks).toBeGreaterThan(0.1);
      expect(excludedInAll / checks).toBeLessThan(0.9);
    });
  });
});
