// What is a hit, a resource and a document, and what is not, in one small folder of notes that a configuration opens.
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import type { KnowledgeBase } from "../../../src/core/index.js";
import { openKnowledgeBase } from "../../../src/index.js";
import { withTemporaryFolder, writeTree } from "../../support/temporary-folder.js";
import { offeredBy } from "../support/offered-documents.js";

/**
 * @param settings lines for a kb-mcp.toml that choose the parts
 * @param lasts whether the index outlives who made it
 */
export function describeResourcesAndReads(settings: () => string, lasts: boolean): void {
  let folder: string;
  let notes: string;
  let remove: () => void;
  let removed: Promise<void>;
  let kb: KnowledgeBase;

  beforeAll(async () => {
    await new Promise<void>((ready) => {
      removed = withTemporaryFolder(async (made) => {
        folder = made;
        ready();
        await new Promise<void>((resolve) => (remove = resolve));
      });
    });
    notes = join(folder, "notes");
    process.env["KB_MCP_DATA_DIR"] = join(folder, "data");
    await writeTree(notes, {
      "a.md": "# A\n\nThe lighthouse.\n",
      "plain.txt": "The lighthouse in plain words.\n",
      "drafts/d.md": "# D\n\nA lighthouse that is not finished.\n",
      "ignored.md": "# I\n\nA lighthouse that is ignored.\n",
      ".kb-mcpignore": "ignored.md\n",
    });
    await writeConfig("all.toml", ["md", "txt"]);
    await writeConfig("narrow.toml", ["md"]);
    kb = await openKnowledgeBase({ configFile: join(folder, "all.toml") });
    await kb.index();
  });
  afterAll(async () => {
    await kb.close();
    delete process.env["KB_MCP_DATA_DIR"];
    remove();
    await removed;
  });

  const writeConfig = (name: string, enabled: readonly string[]): Promise<void> =>
    writeFile(
      join(folder, name),
      `kb_path = "./notes"\nexclude_dirs = ["drafts"]\n${settings()}\n[parsers]\nenabled = ${JSON.stringify(enabled)}\n` +
        `[best_practice]\npath_templates = ["drafts/{target}.md"]\n`,
    );
  const notServable = { code: "KB_READ_NOT_SERVABLE" };

  it("a document in an excluded directory is read by get_document and get_best_practice", async () => {
    expect((await kb.getDocument({ path: "drafts/d.md" })).text).toContain("not finished");
    expect((await kb.bestPractice({ target: "d" })).text).toContain("not finished");
    expect((await kb.getDocument({ path: "ignored.md" })).text).toContain("is ignored");
  });

  it("a document in an excluded directory is no resource and no hit", async () => {
    for (const path of ["drafts/d.md", "ignored.md"])
      await expect(kb.readResource(`kb://doc/${path}`)).rejects.toMatchObject(notServable);
    const { results } = await kb.search({ query: "lighthouse", limit: 100 });
    expect(results.map(({ path }) => path).sort()).toEqual(["a.md", "plain.txt"]);
  });

  it("a file that is not yet indexed is refused as a resource, and taken once it is", async () => {
    await writeFile(join(notes, "new.md"), "# New\n\nJust written.\n");
    expect((await kb.getDocument({ path: "new.md" })).text).toContain("Just written");
    await expect(kb.readResource("kb://doc/new.md")).rejects.toMatchObject(notServable);
    await kb.index();
    expect((await kb.readResource("kb://doc/new.md")).text).toContain("Just written");
    await rm(join(notes, "new.md"));
    await kb.index();
  });

  it("narrowing the registry keeps hits, without a uri, and neither lists nor reads them", async () => {
    const narrow = await openKnowledgeBase({ configFile: join(folder, "narrow.toml") });
    try {
      const { results } = await narrow.search({ query: "lighthouse", limit: 100 });
      const uris = results.map(({ path, ...hit }) => [path, "uri" in hit]);
      expect(uris.sort()).toEqual([
        ["a.md", true],
        // An index in memory holds what the registry of its own process reads.
        ...(lasts ? [["plain.txt", false]] : []),
      ]);
      expect(await offeredBy(narrow)).toEqual(new Set(["a.md"]));
      await expect(narrow.readResource("kb://doc/plain.txt")).rejects.toMatchObject(notServable);
    } finally {
      await narrow.close();
    }
  });
}
