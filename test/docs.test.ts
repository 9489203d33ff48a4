import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { errorCodes } from "../src/core/errors.js";
import { limits } from "../src/core/limits.js";

/** The rows of the tables of a page, as cells, without the header rows. */
async function tableRows(page: string): Promise<string[][]> {
  const lines = (await readFile(join("docs", page), "utf8")).split("\n");
  return lines
    .filter((line, index) => line.startsWith("|") && !/^\|[\s|:-]+\|$/u.test(lines[index + 1] ?? ""))
    .filter((line) => !/^\|[\s|:-]+\|$/u.test(line))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

const code = (cell: string | undefined): string => (cell ?? "").replaceAll("`", "");

describe("the documentation", () => {
  it("lists every error code with the audience and the hint of the table, and no other", async () => {
    const documented = (await tableRows("errors.md")).map(([name, audience, hint]) => [
      code(name),
      audience,
      hint?.replaceAll("\\", ""),
    ]);
    const actual = Object.entries(errorCodes).map(([name, { audience, hint }]) => [name, audience, hint]);
    expect(documented.sort()).toEqual(actual.sort());
  });

  it("lists every limit with its value, and no other", async () => {
    const documented = (await tableRows("limits.md")).map(([name, value]) => [
      code(name),
      Number(value?.replaceAll(",", "")),
    ]);
    expect(documented.sort()).toEqual(Object.entries(limits).sort());
  });

  it("names a test for each promise of security, and each test named is there", async () => {
    const page = await readFile("docs/security.md", "utf8");
    const [promised = ""] = page.split("## What is not promised");
    const rows = (await tableRows("security.md")).filter(([promise]) => promised.includes(`| ${promise} `));
    expect(rows.length).toBeGreaterThan(20);
    for (const row of rows) expect(row).toEqual([row[0], row[1], expect.stringMatching(/^`test\//u)]);

    const named = [...page.matchAll(/`(test\/\S+) › ([^`]+)`/gu)];
    expect(named.length).toBeGreaterThan(rows.length);
    for (const [, file, name = ""] of named) {
      const source = await readFile(file!, "utf8");
      const title = JSON.stringify(name.replaceAll("\n", " "));
      expect([file, title, source.includes(title)]).toEqual([file, title, true]);
    }
  });

  it("has no link to a file that is not there", async () => {
    const pages = (await readdir("docs", { recursive: true })).filter((name) => name.endsWith(".md"));
    for (const page of ["README.md", ...pages.map((name) => join("docs", name))]) {
      const text = await readFile(page, "utf8");
      for (const [, target] of text.matchAll(/\]\((?!https?:|kb:|#)([^)#]+)(?:#[^)]*)?\)/gu)) {
        const found = await readFile(join(page, "..", target!)).then(
          () => true,
          (error: unknown) => (error as NodeJS.ErrnoException).code === "EISDIR",
        );
        expect([page, target, found]).toEqual([page, target, true]);
      }
    }
  });
});
