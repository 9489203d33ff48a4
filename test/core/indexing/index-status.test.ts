import { readFile } from "node:fs/promises";
import { dirname, relative, resolve } from "node:path";
import { describe, expect, it } from "@jest/globals";

/** All modules that a compiled one loads when it is imported. */
async function loadedBy(file: string, seen = new Set<string>()): Promise<Set<string>> {
  if (seen.has(file)) return seen;
  seen.add(file);
  const text = await readFile(file, "utf8");
  for (const [, path = ""] of text.matchAll(/^(?:import|export) (?:[^;]*? from )?"(\.{1,2}\/[^"]+)";/gmu))
    await loadedBy(resolve(dirname(file), path), seen);
  return seen;
}

describe("status", () => {
  it("loads nothing that cuts, analyses or embeds", async () => {
    const core = resolve("dist/core");
    const loaded = [...(await loadedBy(resolve(core, "indexing/index-status.js")))].map((file) =>
      relative(core, file).replaceAll("\\", "/"),
    );
    expect(loaded).toEqual(expect.arrayContaining(["errors.js", "indexing/index-identity.js"]));
    expect(loaded.filter((file) => file.startsWith("search/"))).toEqual([
      "search/analyser/analyser-version.js",
    ]);
    expect(loaded).not.toContain("indexing/chunker.js");
    expect(loaded.length).toBeLessThan(20);
  });
});
