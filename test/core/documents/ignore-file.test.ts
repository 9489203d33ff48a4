import { chmod, link, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { readIgnoreFile } from "../../../src/core/documents/ignore-file.js";
import { limits } from "../../../src/core/limits.js";
import { makeFifos, withTemporaryFolder } from "../../support/temporary-folder.js";

const name = ".kb-mcpignore";

async function reading(content: string | Uint8Array): ReturnType<typeof readIgnoreFile> {
  return withTemporaryFolder(async (folder) => {
    await writeFile(join(folder, name), content);
    return readIgnoreFile({ path: folder });
  });
}

describe("the ignore file", () => {
  it("is nothing when there is none", async () => {
    await withTemporaryFolder(async (folder) => {
      expect(await readIgnoreFile({ path: folder })).toEqual({ patterns: undefined, warnings: [] });
    });
  });

  it("is read with a byte-order mark, Windows line ends, comments and blank lines", async () => {
    expect(await reading("\uFEFFa/\r\n# b\r\n\r\n   \r\n!a/日本\r\n\\#c")).toEqual({
      patterns: ["a/", "!a/日本", "\\#c"],
      warnings: [],
    });
  });

  it("is read in the UTF-16 that PowerShell writes", async () => {
    const expected = { patterns: ["private/", "日本"], warnings: [] };
    const little = Buffer.from("\uFEFFprivate/\r\n日本\r\n", "utf16le");
    expect(await reading(little)).toEqual(expected);
    expect(await reading(Buffer.from(little).swap16())).toEqual(expected);
  });

  it("loses only the lines that are not valid UTF-8, and says which", async () => {
    // "日本" in Shift_JIS
    const { patterns, warnings } = await reading(Buffer.from("612f0a93fa967b0a622f0a", "hex"));
    expect(patterns).toEqual(["a/", "b/"]);
    expect(warnings).toEqual([`${name}: line 2 is left out, it is not valid UTF-8`]);
  });

  it("counts up to the limit of patterns, comments not among them", async () => {
    const lines = Array.from({ length: limits.ignorePatterns }, (_, index) => `p${index}\n# comment`);
    expect((await reading(lines.join("\n"))).warnings).toEqual([]);
    const { patterns, warnings } = await reading([...lines, "one-more", "and-more"].join("\n"));
    expect(patterns).toHaveLength(limits.ignorePatterns);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(`first ${limits.ignorePatterns} patterns`);
  });

  it("may have as many bytes as the limit and no more", async () => {
    const longest = "a\n" + "#".repeat(limits.ignoreFileBytes - 2);
    expect((await reading(longest)).patterns).toEqual(["a"]);
    const { patterns, warnings } = await reading(`${longest}#`);
    expect(patterns).toBeUndefined();
    expect(warnings).toEqual([`${name} is not used: it is larger than ${limits.ignoreFileBytes} bytes`]);
  });

  it("loses a pattern that would make the matcher slow or fail, and keeps the others", async () => {
    const { patterns, warnings } = await reading(
      `${"a/**/".repeat(3)}b\n${"a".repeat(50_000)}\n**/a/**/b/**\n`,
    );
    expect(patterns).toEqual(["**/a/**/b/**"]);
    expect(warnings).toHaveLength(2);
    expect(warnings[0]).toContain("line 1 is left out");
    expect(warnings[1]).toContain("line 2 is left out");
  });

  it("is a warning, and never waited for, when it is not a plain file", async () => {
    await withTemporaryFolder(async (folder) => {
      await writeFile(join(folder, "other"), "a/\n");
      const makers: Record<string, (place: string) => unknown> = {
        link: (place) => symlink("other", place),
        "hard link": (place) => link(join(folder, "other"), place),
        "broken link": (place) => symlink("nowhere", place),
        directory: (place) => mkdir(place),
        fifo: (place) => {
          makeFifos(place);
        },
      };
      for (const [kind, make] of Object.entries(makers)) {
        const root = join(folder, kind);
        await mkdir(root);
        await make(join(root, name));
        const { patterns, warnings } = await readIgnoreFile({ path: root });
        expect({ kind, patterns, count: warnings.length }).toEqual({ kind, patterns: undefined, count: 1 });
        expect(warnings[0]).toMatch(/^\.kb-mcpignore is not used: ".kb-mcpignore" is /);
      }
    });
  });

  // The superuser may read everything.
  (process.getuid?.() === 0 ? it.skip : it)("is a warning when it may not be read", async () => {
    await withTemporaryFolder(async (folder) => {
      await writeFile(join(folder, name), "a/\n");
      await chmod(join(folder, name), 0);
      const { patterns, warnings } = await readIgnoreFile({ path: folder });
      expect(patterns).toBeUndefined();
      expect(warnings[0]).toContain("permission denied");
    });
  });
});
