// Layer 3 against git itself: the same patterns in .kb-mcpignore and .gitignore, the same paths on the same disk.
// Where the two differ on purpose, docs/security.md says so and a test pins it.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { loadExclusion } from "../../../src/core/documents/exclusion.js";
import { ignoreFile, treePaths } from "../../support/ignore-file-arbitrary.js";
import { withTemporaryFolder } from "../../support/temporary-folder.js";

const gitWorks = spawnSync("git", ["--version"]).status === 0;

const gitEnvironment = {
  PATH: process.env["PATH"],
  HOME: "/nonexistent",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
};

/** The paths that git ignores; one process for all of them. */
function ignoredByGit(folder: string, paths: readonly string[], ignoreCase: boolean): Set<string> {
  const settings = ["-c", `core.ignorecase=${ignoreCase}`, "-c", "core.excludesFile=/dev/null"];
  const { stdout, stderr } = spawnSync(
    "git",
    [...settings, "check-ignore", "--no-index", "--stdin", "-z", "-v", "-n"],
    {
      cwd: folder,
      input: paths.map((path) => `${path}\0`).join(""),
      maxBuffer: 1 << 28,
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

interface Verdict {
  readonly content: string;
  readonly ours: readonly string[];
  readonly git: readonly string[];
}

/**
 * What each ignore file excludes of the same paths, by kb-mcp and by git. Each has a folder of its own in one
 * repository. Only directories need to be there: git looks at the disk for those alone. Synchronous calls make
 * thousands of them in no time.
 */
function compare(
  contents: readonly (string | Uint8Array)[],
  paths: ReadonlyMap<string, "file" | "directory">,
  { ignoreCase = true } = {},
): Promise<Verdict[]> {
  return withTemporaryFolder(async (folder) => {
    spawnSync("git", ["init", "-q"], { cwd: folder, env: gitEnvironment });
    for (const [index, content] of contents.entries()) {
      const place = join(folder, `${index}`);
      mkdirSync(place);
      for (const [path, kind] of paths) if (kind === "directory") mkdirSync(join(place, path));
      writeFileSync(join(place, ".gitignore"), content);
      writeFileSync(join(place, ".kb-mcpignore"), content);
    }
    const names = [...paths.keys()];
    const ignored = ignoredByGit(
      folder,
      contents.flatMap((_, index) => names.map((path) => `${index}/${path}`)),
      ignoreCase,
    );
    const verdicts: Verdict[] = [];
    for (const [index, content] of contents.entries()) {
      const root = { path: join(folder, `${index}`) };
      const { exclusion, warnings } = await loadExclusion({ root, excludeDirs: [] });
      expect([content, warnings]).toEqual([content, []]);
      const ours = [...paths]
        .filter(([path, kind]) => exclusion.isExcluded(path, kind))
        .map(([path]) => path);
      const git = names.filter((path) => ignored.has(`${index}/${path}`));
      verdicts.push({ content: Buffer.from(content).toString(), ours, git });
      rmSync(root.path, { recursive: true });
    }
    return verdicts;
  });
}

const seed = Number(process.env["KB_MCP_TEST_SEED"] ?? 20);

// .ci/run needs Node and npm alone: without git on the machine there is nothing to compare with.
(gitWorks ? describe : describe.skip)("patterns of .kb-mcpignore", () => {
  it("exclude exactly what git check-ignore says, over more than 20,000 random checks", async () => {
    const paths = treePaths();
    const contents = fc.sample(ignoreFile, { numRuns: 150, seed });
    const verdicts = await compare(contents, paths);
    for (const { content, ours, git } of verdicts)
      expect({ seed, content, excluded: ours }).toEqual({ seed, content, excluded: git });
    const checks = verdicts.length * paths.size;
    const excluded = verdicts.reduce((sum, { ours }) => sum + ours.length, 0);
    expect(checks).toBeGreaterThan(20_000);
    // The patterns must bite, and not swallow everything.
    expect(excluded / checks).toBeGreaterThan(0.1);
    expect(excluded / checks).toBeLessThan(0.9);
  });

  it.each([
    ["an anchor at the start", "/a\n"],
    ["an anchor in the middle", "a/b\n"],
    ["no anchor", "b\n"],
    ["a slash at the end", "b/\n"],
    ["** at the start", "**/b\n"],
    ["** in the middle", "a/**/b\n"],
    ["** at the end", "a/**\n"],
    ["a negation", "a/*\n!a/b\n"],
    ["a negation below an excluded directory", "a/\n!a/b\n"],
    ["a class", "[a-b]\n"],
    ["a negated class", "[!a]\n[^b]\n!*/\n"],
    ["an escaped blank at the end", "s\\ \n"],
    ["blanks at the end", "b  \n"],
    ["a comment and an escaped #", "#b\n\\#c\n"],
    ["an escaped !", "\\!d\n"],
    ["line ends of Windows", "a/b\r\n!c\r\n"],
    ["a carriage return at the very end", "a/b\r"],
    ["a byte-order mark", "\uFEFFb\n"],
    ["a name outside ASCII", "日本\nécole/\n"],
  ])("agree with git on %s", async (_, content) => {
    const paths = new Map<string, "file" | "directory">([
      ...["a", "a/b", "a/b/a", "a/b/a/b", "c", "c/b", "école", "s ", "日本"].map(
        (path) => [path, "directory"] as const,
      ),
      ...["b", "c/a", "#b", "#c", "!d", "d", "c/日本", "c/école", "s", "a/b/x", "a/c", "b  "].map(
        (path) => [path, "file"] as const,
      ),
    ]);
    const [verdict] = await compare([content], paths);
    expect(verdict?.ours).toEqual(verdict?.git);
    expect(verdict?.git.length).toBeGreaterThan(0);
  });

  it.each([
    // git compares bytes, kb-mcp characters.
    ["?", "é", "ours"],
    ["??", "é", "git"],
    ["[日本]", "日", "ours"],
    ["[!a]", "é", "ours"],
    // One character in UTF-16 is what JavaScript counts: an emoji is two.
    ["??", "😀", "ours"],
    // git folds the case of ASCII alone.
    ["école", "ÉCOLE", "ours"],
    ["Ωμέγα", "ωΜΈΓΑ", "ours"],
    // Half a rule: git takes the literal before a run of asterisks off the pattern and the path first.
    ["a**/b", "ab", "git"],
  ])("differ from git where %j meets %j, which only %s excludes", async (pattern, path, who) => {
    const [verdict] = await compare([`${pattern}\n`], new Map([[path, "file"]]));
    expect(verdict?.ours).toEqual(who === "ours" ? [path] : []);
    expect(verdict?.git).toEqual(who === "git" ? [path] : []);
  });

  it("ignore case as git does where core.ignoreCase is set, whatever the platform", async () => {
    const contents = ["Drafts/\n", "*.MD\n", "[A-Z].txt\n"];
    const paths = new Map<string, "file" | "directory">([
      ["dRAFTS", "directory"],
      ["x.md", "file"],
      ["q.txt", "file"],
    ]);
    for (const { ours, git } of await compare(contents, paths)) expect(ours).toEqual(git);
    for (const { ours, git } of await compare(contents, paths, { ignoreCase: false })) {
      expect(ours).toHaveLength(1);
      expect(git).toEqual([]);
    }
  });
});
