import { join } from "node:path";
import { lstat, symlink } from "node:fs/promises";
import { expect, it } from "@jest/globals";
import { Pacer } from "../../../src/core/documents/walk-pacer.js";
import { statFiles } from "../../../src/core/documents/walk-stat.js";
import { withTemporaryFolder, writeTree } from "../../support/temporary-folder.js";

it.each([
  ["no time at all for synchronous calls, as on a slow disk", 0],
  ["all the time it wants", 60_000],
])("files are asked about in order, each once, with %s", async (_, sliceMs) => {
  await withTemporaryFolder(async (folder) => {
    const names = Array.from({ length: 200 }, (_, index) => `${index}.md`);
    await writeTree(folder, Object.fromEntries(names.map((name) => [name, name])));
    const places = [...names, "missing.md"].map((name) => join(folder, name));
    const results = await statFiles(places, new Pacer(sliceMs));
    const expected = await Promise.all(names.map(async (name) => (await lstat(join(folder, name))).ino));
    expect(
      results.map((result) => ("error" in result ? (result.error as { code: string }).code : result.ino)),
    ).toEqual([...expected, "ENOENT"]);
  });
});

it.each([
  ["at once", 60_000],
  ["later", 0],
])("a link is asked about itself, not followed, %s", async (_, sliceMs) => {
  await withTemporaryFolder(async (folder) => {
    const names = Array.from({ length: 100 }, (_, index) => join(folder, `${index}.md`));
    for (const name of names) await symlink("/etc/hostname", name);
    for (const result of await statFiles(names, new Pacer(sliceMs)))
      expect("error" in result ? result.error : result.isSymbolicLink()).toBe(true);
  });
});
