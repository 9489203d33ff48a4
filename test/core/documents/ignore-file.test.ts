import { chmod, link, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { readIgnoreFile } from "../../../src/core/documents/ignore-file.js";
import { limits } from "../../../src/core/limits.js";
import { asOrdinaryUser } from "../../support/ordinary-user.js";
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

  it("is a warning when it may not be read", async () => {
    await withTemporaryFolder(async (folder) => {
      await writeFile(join(folder, name), "a/\n");
      await chmod(join(folder, name), 0);
      const { patterns, warnings } = await asOrdinaryUser(folder, () => readIgnoreFile({ path: folder }));
      expect(patterns).toBeUndefined();
      expect(warnings).toEqual([`${name} is not used: ".kb-mcpignore" cannot be read: permission denied`]);
    });
  });

  it("is not used when it holds NUL characters, as UTF-16 without a byte-order mark does", async () => {
    const expected = {
      patterns: undefined,
      warnings: [`${name} is not used: it holds NUL characters; save it as UTF-8 text`],
    };
    expect(await reading("a/\nb\0c\n")).toEqual(expected);
    expect(await reading(Buffer.from("private/\n".repeat(1000), "utf16le"))).toEqual(expected);
  });

  it("takes a carriage return before the end of the file for a line end", async () => {
    expect((await reading("a/\r\nb/\r")).patterns).toEqual(["a/", "b/"]);
  });

  it("names some of many bad lines and counts the rest", async () => {
    const { patterns, warnings } = await reading(Buffer.from(`${"ff0a".repeat(5000)}610a`, "hex"));
    expect(patterns).toEqual(["a"]);
    expect(warnings).toHaveLength(21);
    expect(warnings.at(-1)).toBe(`${name}: 4980 more lines are left out for the same reasons`);
  });
});
