import { chmod, link, mkdir, rename, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { Exclusion } from "../../../src/core/documents/exclusion.js";
import { walk, type WalkedFile, type WalkWarning } from "../../../src/core/documents/walk.js";
import { asOrdinaryUser } from "../../support/ordinary-user.js";
import { makeFifos, withTemporaryFolder, writeTree } from "../../support/temporary-folder.js";

const nothingExcluded = new Exclusion([], undefined);
const extensions = new Set(["md", "txt"]);

async function walkAll(
  path: string,
  exclusion = nothingExcluded,
): Promise<{ paths: string[]; files: WalkedFile[]; warnings: WalkWarning[] }> {
  const files: WalkedFile[] = [];
  const warnings: WalkWarning[] = [];
  for await (const batch of walk({ root: { path }, exclusion, extensions })) {
    files.push(...batch.files);
    warnings.push(...batch.warnings);
  }
  return { paths: files.map((file) => file.path), files, warnings };
}

describe("the walk", () => {
  it("finds the files whose extension is registered, in any case, sorted by whole path", async () => {
    await withTemporaryFolder(async (folder) => {
      const documents = [
        "a-b.md",
        "a.md",
        "a/b.md",
        "a/b/c.txt",
        "a/b0.md",
        "B.MD",
        "é.md",
        "日本/メモ.md",
        ".hidden/x.md",
        "\uFFFD.md",
      ];
      await writeTree(
        folder,
        Object.fromEntries([...documents, "a/c.pdf", "md", ".md", "a/x.md/"].map((path) => [path, path])),
      );
      const { paths, files, warnings } = await walkAll(folder);
      expect(paths).toEqual([...documents].sort());
      expect(warnings).toEqual([]);
      const { size, mtimeMs } = await stat(join(folder, "a/b/c.txt"));
      expect(files.find(({ path }) => path === "a/b/c.txt")).toEqual({
        path: "a/b/c.txt",
        sizeBytes: size,
        modifiedMs: mtimeMs,
      });
    });
  });

  it("never goes into what is excluded", async () => {
    await withTemporaryFolder(async (folder) => {
      await writeTree(folder, {
        ".git/a.md": "",
        "out/a.md": "",
        "a/~$b.md": "",
        "a/b.md": "",
        "logs/a.md": "",
        "logs/important.md": "",
      });
      const { paths, warnings } = await walkAll(
        folder,
        new Exclusion(["out"], ["logs/", "!logs/important.md"]),
      );
      expect(paths).toEqual(["a/b.md"]);
      expect(warnings).toEqual([]);
    });
  });

  it("reports links, hard links and special files that would be documents, and follows none", async () => {
    await withTemporaryFolder(async (folder) => {
      const kb = join(folder, "kb");
      await writeTree(folder, {
        "kb/a.md": "a",
        "kb/two.md": "x",
        "outside/secret.md": "s",
        "kb/excluded/": "",
      });
      await link(join(kb, "two.md"), join(kb, "three.md"));
      await symlink("a.md", join(kb, "link.md"));
      await symlink("../outside", join(kb, "folder"));
      await symlink("..", join(kb, "excluded/link.md"));
      await symlink("a.md", join(kb, "link.pdf"));
      await symlink("..", join(kb, "target"));
      makeFifos(join(kb, "fifo.md"), join(kb, "fifo"));
      const { paths, warnings } = await walkAll(kb, new Exclusion(["excluded", "target"], undefined));
      expect(paths).toEqual(["a.md"]);
      expect(warnings.map(({ path, code, unseen }) => [path, code, unseen]).sort()).toEqual([
        ["fifo.md", "KB_READ_TYPE", false],
        ["folder", "KB_READ_LINK", false],
        ["link.md", "KB_READ_LINK", false],
        ["three.md", "KB_READ_LINK", false],
        ["two.md", "KB_READ_LINK", false],
      ]);
      for (const { path, reason } of warnings) expect(reason).toContain(`"${path}" is `);
    });
  });

  it("reports names that no path can have, and goes on", async () => {
    await withTemporaryFolder(async (folder) => {
      await writeTree(folder, {
        "a.md": "",
        "b\\c.md": "",
        "con/x.md": "",
        "nul.txt": "",
        "con.pdf": "",
        "z.md": "",
        "\uFFFD.md": "a name of its own, which the invalid one below looks like",
      });
      const place = (hex: string): Buffer =>
        Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(hex, "hex")]);
      await writeFile(place("838183822e6d64"), "");
      await writeFile(place("ff2e6d64"), "");
      await mkdir(place("ff"));
      const { paths, warnings } = await walkAll(folder);
      expect(paths).toEqual(["a.md", "z.md", "\uFFFD.md"]);
      expect(warnings.map(({ path, code, unseen }) => [path, code, unseen]).sort()).toEqual([
        ["b\\c.md", "KB_READ_PATH", false],
        ["con", "KB_READ_PATH", false],
        ["nul.txt", "KB_READ_PATH", false],
        ["\uFFFD", "KB_READ_PATH", false],
        ["\uFFFD\uFFFD\uFFFD\uFFFD.md", "KB_READ_PATH", false],
      ]);
    });
  });

  it("reports a directory that may not be read as unseen, and goes on", async () => {
    await withTemporaryFolder(async (folder) => {
      const kb = join(folder, "kb");
      await writeTree(kb, { "a/x.md": "", "b/x.md": "", "c/x.md": "" });
      await chmod(join(kb, "b"), 0);
      const { paths, warnings } = await asOrdinaryUser(folder, () => walkAll(kb));
      expect(paths).toEqual(["a/x.md", "c/x.md"]);
      expect(warnings).toEqual([
        { path: "b", code: "KB_READ_DENIED", reason: '"b" cannot be read: permission denied', unseen: true },
      ]);
      await chmod(join(kb, "b"), 0o700);
      await chmod(kb, 0);
      await asOrdinaryUser(folder, () => expect(walkAll(kb)).rejects.toMatchObject({ code: "KB_READ_ROOT" }));
      await chmod(kb, 0o700);
    });
  });

  it("fails when the root is missing or is no folder, and does not say where it was", async () => {
    await withTemporaryFolder(async (folder) => {
      await writeFile(join(folder, "file"), "");
      await symlink(".", join(folder, "link"));
      for (const name of ["missing", "file", "link"]) {
        const error: unknown = await walkAll(join(folder, name)).catch((reason: unknown) => reason);
        expect(error).toMatchObject({ code: "KB_READ_ROOT" });
        expect((error as Error).message).not.toContain(folder);
      }
    });
  });

  it("fails when the root goes away or is replaced on the way, instead of finding less", async () => {
    const changes: ((kb: string) => Promise<unknown>)[] = [
      (kb) => rename(kb, `${kb}-gone`),
      (kb) => rm(kb, { recursive: true }),
      async (kb) => {
        await rename(kb, `${kb}-old`);
        await mkdir(kb);
      },
    ];
    for (const change of changes)
      await withTemporaryFolder(async (folder) => {
        const kb = join(folder, "kb");
        const many = Array.from({ length: 300 }, (_, index): [string, string] => [`kb/a/${index}.md`, ""]);
        await writeTree(folder, { ...Object.fromEntries(many), "kb/z/last.md": "" });
        const walking = (async () => {
          let first = true;
          for await (const batch of walk({ root: { path: kb }, exclusion: nothingExcluded, extensions })) {
            if (first) await change(kb);
            first = false;
            expect(batch.files.map(({ path }) => path)).not.toContain("z/last.md");
          }
        })();
        await expect(walking).rejects.toMatchObject({ code: "KB_READ_ROOT" });
      });
  });

  it("does not take a file or directory that is deleted on the way for a fault", async () => {
    await withTemporaryFolder(async (folder) => {
      const many = Array.from({ length: 300 }, (_, index): [string, string] => [`a/${index}.md`, ""]);
      await writeTree(folder, { ...Object.fromEntries(many), "z/last.md": "" });
      const warnings: WalkWarning[] = [];
      for await (const batch of walk({ root: { path: folder }, exclusion: nothingExcluded, extensions })) {
        await rm(join(folder, "z"), { recursive: true, force: true });
        warnings.push(...batch.warnings);
      }
      expect(warnings).toEqual([]);
    });
  });

  it("stops when it is cancelled", async () => {
    await withTemporaryFolder(async (folder) => {
      await writeTree(folder, { "a.md": "" });
      const steps = walk({
        root: { path: folder },
        exclusion: nothingExcluded,
        extensions,
        signal: AbortSignal.abort(),
      });
      await expect(steps.next()).rejects.toMatchObject({ code: "KB_CANCELLED" });
    });
  });

  it("lets the event loop run while it goes through a large folder", async () => {
    await withTemporaryFolder(async (folder) => {
      await writeTree(
        folder,
        Object.fromEntries(Array.from({ length: 1500 }, (_, index) => [`${index}.md`, ""])),
      );
      const slow = new Exclusion(
        [],
        Array.from({ length: 500 }, (_, index) => `x${index}*y`),
      );
      let turns = 0;
      let running = true;
      const turn = (): void => {
        turns++;
        if (running) setImmediate(turn);
      };
      setImmediate(turn);
      const { paths } = await walkAll(folder, slow);
      running = false;
      expect(paths).toHaveLength(1500);
      expect(turns).toBeGreaterThan(10);
    });
  });
});

describe("walk and exclusion", () => {
  it("agree on every path of random trees under random rules", async () => {
    const name = fc.constantFrom(
      "a",
      "B",
      "c.md",
      "D.md",
      "~$e.md",
      ".git",
      "node_modules",
      "logs",
      "日本.md",
      "x.txt",
    );
    const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join("/"));
    const pattern = fc
      .record({
        negated: fc.boolean(),
        path,
        glob: fc.constantFrom("", "*", "**/", "/"),
        end: fc.constantFrom("", "/", "/**"),
      })
      .map(({ negated, path, glob, end }) => `${negated ? "!" : ""}${glob}${path}${end}`);
    await fc.assert(
      fc.asyncProperty(
        fc.array(path, { minLength: 1, maxLength: 25 }),
        fc.array(pattern, { maxLength: 5 }),
        fc.array(name, { maxLength: 2 }),
        async (wanted, patterns, excludeDirs) =>
          withTemporaryFolder(async (folder) => {
            // A path is a file unless another one goes through it.
            const all = [...new Set(wanted.map((path) => path.toLowerCase()))];
            const files = all.filter((path) => !all.some((other) => other.startsWith(`${path}/`)));
            await writeTree(folder, Object.fromEntries(files.map((path) => [path, ""])));
            const accepted = files.filter(
              (path) =>
                /\.(md|txt)$/.test(path) && !new Exclusion(excludeDirs, patterns).isExcluded(path, "file"),
            );
            const { paths } = await walkAll(folder, new Exclusion(excludeDirs, patterns));
            expect(paths).toEqual(accepted.sort());
          }),
      ),
      { numRuns: 80 },
    );
  });
});
