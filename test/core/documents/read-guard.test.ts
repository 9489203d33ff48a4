import { appendFileSync, truncateSync } from "node:fs";
import { chmod, link, mkdir, readdir, rename, stat, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { openRoot } from "../../../src/core/documents/knowledge-base-root.js";
import { readGuarded, type GuardedFile } from "../../../src/core/documents/read-guard.js";
import { asOrdinaryUser } from "../../support/ordinary-user.js";
import { makeFifos, withTemporaryFolder, writeTree } from "../../support/temporary-folder.js";

const options = { extensions: new Set(["md", "txt"]), maxBytes: 1000 };

const read = (kb: string, path: string): Promise<GuardedFile> => readGuarded({ path: kb }, path, options);
const text = async (kb: string, path: string): Promise<string> =>
  Buffer.from((await read(kb, path)).bytes).toString();

/** The code of a refusal, whose message must name the path and no place of the machine. */
async function refusal(kb: string, path: string): Promise<string> {
  try {
    await read(kb, path);
    return "read";
  } catch (error) {
    const { code, message } = error as { code: string; message: string };
    expect(message).not.toContain(kb);
    if (!path.startsWith("/")) expect(message).toContain(JSON.stringify(path));
    return code;
  }
}

/** A knowledge base in a folder of its own, with a neighbour whose name begins like it. */
function withKnowledgeBase(use: (kb: string, outside: string) => Promise<void>): Promise<void> {
  return withTemporaryFolder(async (folder) => {
    await writeTree(folder, {
      "kb/a.md": "alpha",
      "kb/sub/b.md": "beta",
      "kb-secret/s.md": "SECRET",
      "kb-secret/sub/b.md": "SECRET",
    });
    await use(join(folder, "kb"), join(folder, "kb-secret"));
  });
}

describe("the read guard", () => {
  it("reads a file whole, with its size and modification time", () =>
    withKnowledgeBase(async (kb) => {
      const { path, bytes, sizeBytes, modifiedMs } = await read(kb, "sub/b.md");
      expect(path).toBe("sub/b.md");
      expect(Buffer.from(bytes).toString()).toBe("beta");
      expect({ sizeBytes, modifiedMs }).toEqual({
        sizeBytes: 4,
        modifiedMs: (await stat(join(kb, path))).mtimeMs,
      });
      await writeFile(join(kb, "empty.md"), "");
      expect((await read(kb, "empty.md")).bytes).toHaveLength(0);
    }));

  it("reads through a root that is itself reached by a link", () =>
    withKnowledgeBase(async (kb) => {
      await symlink("kb", `${kb}-link`);
      const { bytes } = await readGuarded(await openRoot(`${kb}-link`), "a.md", options);
      expect(Buffer.from(bytes).toString()).toBe("alpha");
    }));

  it("hands over memory that is the document's alone, so that it can be moved to a worker", () =>
    withKnowledgeBase(async (kb) => {
      const { bytes } = await read(kb, "a.md");
      expect(bytes.buffer.byteLength).toBeLessThanOrEqual(bytes.length + 1);
    }));

  it("checks the path before anything else", () =>
    withKnowledgeBase(async (kb) => {
      expect(await refusal(kb, "../kb-secret/s.md")).toBe("KB_READ_OUTSIDE");
      expect(await refusal(kb, "sub/../../kb-secret/s.md")).toBe("KB_READ_OUTSIDE");
      expect(await refusal(kb, "sub/../a.md")).toBe("KB_READ_OUTSIDE");
      expect(await refusal(kb, join(kb, "a.md"))).toBe("KB_READ_OUTSIDE");
      expect(await refusal(kb, "./a.md")).toBe("KB_READ_PATH");
      expect(await refusal(kb, "sub//b.md")).toBe("KB_READ_PATH");
      expect(await refusal(kb, "a.md\0.txt")).toBe("KB_READ_PATH");
    }));

  it("reads registered extensions only, in any case, before it looks at the disk", () =>
    withKnowledgeBase(async (kb) => {
      await writeTree(kb, { "B.MD": "b", "c.pdf": "c", env: "e", ".md": "m" });
      expect(await text(kb, "B.MD")).toBe("b");
      for (const path of ["c.pdf", "env", ".md", "missing.pdf", "a.md.pdf"])
        expect([path, await refusal(kb, path)]).toEqual([path, "KB_READ_EXTENSION"]);
    }));

  it("says that a file is not there", () =>
    withKnowledgeBase(async (kb) => {
      for (const path of [
        "missing.md",
        "missing/a.md",
        "a.md/b.md",
        `${"x".repeat(300)}.md`.slice(-110),
        "日本.md",
      ])
        expect([path, await refusal(kb, path)]).toEqual([path, "KB_READ_NOT_FOUND"]);
      await expect(read(kb, `${"x".repeat(300)}.md`)).rejects.toMatchObject({ code: "KB_READ_NOT_FOUND" });
    }));

  it("refuses links to files, whole or broken, and hard links under both names", () =>
    withKnowledgeBase(async (kb, outside) => {
      await symlink(join(outside, "s.md"), join(kb, "out.md"));
      await symlink("a.md", join(kb, "in.md"));
      await symlink("nowhere.md", join(kb, "broken.md"));
      await symlink("loop.md", join(kb, "loop.md"));
      await link(join(outside, "s.md"), join(kb, "hard.md"));
      await link(join(kb, "a.md"), join(kb, "twin.md"));
      for (const path of ["out.md", "in.md", "broken.md", "loop.md", "hard.md", "a.md", "twin.md"])
        expect([path, await refusal(kb, path)]).toEqual([path, "KB_READ_LINK"]);
    }));

  it("refuses what lies behind a linked folder, and does not tell what is there", () =>
    withKnowledgeBase(async (kb, outside) => {
      await symlink(outside, join(kb, "out"));
      await symlink("../kb-secret/sub", join(kb, "sub/deep"));
      await symlink("sub", join(kb, "in"));
      await symlink("nowhere", join(kb, "broken"));
      makeFifos(join(outside, "fifo.md"));
      for (const path of [
        "out/s.md",
        "out/missing.md",
        "out/sub/b.md",
        "out/x/y.md",
        "out/s.md/x.md",
        "sub/deep/b.md",
        "sub/deep/c.md",
        "broken/a.md",
      ])
        expect([path, await refusal(kb, path)]).toEqual([path, "KB_READ_OUTSIDE"]);
      for (const path of ["in/b.md", "in/missing.md"])
        expect([path, await refusal(kb, path)]).toEqual([path, "KB_READ_LINK"]);
    }));

  it("refuses folders and special files, and never waits for them", () =>
    withKnowledgeBase(async (kb) => {
      await mkdir(join(kb, "folder.md"));
      makeFifos(join(kb, "fifo.md"));
      const server = createServer().listen(join(kb, "socket.md"));
      await new Promise((resolve) => server.once("listening", resolve));
      for (const path of ["folder.md", "fifo.md", "socket.md"])
        expect([path, await refusal(kb, path)]).toEqual([path, "KB_READ_TYPE"]);
      await new Promise((resolve) => server.close(resolve));
    }));

  it("says that a file, or a folder on the way to it, may not be read", () =>
    withKnowledgeBase(async (kb) => {
      await chmod(join(kb, "a.md"), 0);
      await chmod(join(kb, "sub"), 0);
      await asOrdinaryUser(join(kb, ".."), async () => {
        expect(await refusal(kb, "a.md")).toBe("KB_READ_DENIED");
        expect(await refusal(kb, "sub/b.md")).toBe("KB_READ_DENIED");
        // Nor is it told what is there.
        expect(await refusal(kb, "sub/missing.md")).toBe("KB_READ_DENIED");
      });
    }));

  it("reads up to the cap of the extension and refuses more without reading it", () =>
    withKnowledgeBase(async (kb) => {
      const caps = {
        extensions: options.extensions,
        maxBytes: (extension: string) => (extension === "md" ? 5 : 4),
      };
      await writeTree(kb, { "five.md": "12345", "six.md": "123456", "FIVE.TXT": "12345" });
      expect((await readGuarded({ path: kb }, "five.md", caps)).sizeBytes).toBe(5);
      await expect(readGuarded({ path: kb }, "six.md", caps)).rejects.toMatchObject({
        code: "KB_READ_TOO_LARGE",
        message: '"six.md" has 6 bytes; at most 5 are read',
      });
      await expect(readGuarded({ path: kb }, "FIVE.TXT", caps)).rejects.toMatchObject({
        code: "KB_READ_TOO_LARGE",
      });
      // Sparse: no memory could hold it.
      await writeFile(join(kb, "huge.md"), "");
      truncateSync(join(kb, "huge.md"), 2 ** 40);
      expect(await refusal(kb, "huge.md")).toBe("KB_READ_TOO_LARGE");
    }));

  it("never returns a mixture of a file that grows while it is read", () =>
    withKnowledgeBase(async (kb) => {
      const place = join(kb, "growing.md");
      await writeFile(place, Buffer.alloc(1 << 20));
      const growing = { extensions: options.extensions, maxBytes: 1 << 28 };
      let changed = 0;
      for (let round = 0; round < 50; round++) {
        const reading = readGuarded({ path: kb }, "growing.md", growing).then(
          ({ bytes, sizeBytes }) => expect(bytes.length).toBe(sizeBytes),
          (error: unknown) => {
            expect(error).toMatchObject({ code: "KB_READ_CHANGED" });
            changed++;
          },
        );
        for (let turn = 0; turn < 40; turn++) {
          appendFileSync(place, "x".repeat(100));
          await new Promise((resolve) => setImmediate(resolve));
        }
        await reading;
      }
      expect(changed).toBeGreaterThan(0);
    }));

  it("keeps no file open, whether it reads or refuses", () =>
    withKnowledgeBase(async (kb) => {
      await link(join(kb, "a.md"), join(kb, "twin.md"));
      await writeFile(join(kb, "large.md"), Buffer.alloc(2000));
      const open = async (): Promise<number> => (await readdir("/dev/fd")).length;
      const before = await open();
      for (let round = 0; round < 20; round++) {
        await text(kb, "sub/b.md");
        await refusal(kb, "a.md");
        await refusal(kb, "large.md");
      }
      expect(await open()).toBeLessThan(before + 10);
    }));
});

describe("spellings of a name", () => {
  const composed = "が.md".normalize("NFC");
  const decomposed = "が.md".normalize("NFD");

  it("reach the one file that exists, in folders too, and the answer names it as the disk does", () =>
    withKnowledgeBase(async (kb) => {
      await writeTree(kb, { [decomposed]: "d", [`${"é".normalize("NFD")}/${composed}`]: "mixed" });
      expect((await read(kb, composed)).path).toBe(decomposed);
      expect((await read(kb, decomposed)).path).toBe(decomposed);
      expect(await text(kb, `é/${decomposed}`.normalize("NFC"))).toBe("mixed");
      expect(await text(kb, `é/${composed}`.normalize("NFD"))).toBe("mixed");
    }));

  it("reach each file by its exact name when both exist", () =>
    withKnowledgeBase(async (kb) => {
      await writeTree(kb, { [decomposed]: "d", [composed]: "c" });
      expect(await text(kb, composed)).toBe("c");
      expect(await text(kb, decomposed)).toBe("d");
    }));

  it("reach nothing when a third spelling could mean either of two", () =>
    withKnowledgeBase(async (kb) => {
      // Ohm sign, Å as one character, as a sign, and as A with a ring.
      await writeTree(kb, { "\u00c5.md": "one", "A\u030a.md": "two" });
      expect(await refusal(kb, "\u212b.md")).toBe("KB_READ_NOT_FOUND");
    }));

  it("do not lead through a link", () =>
    withKnowledgeBase(async (kb, outside) => {
      await symlink(outside, join(kb, "é".normalize("NFD")));
      await expect(read(kb, "é/s.md".normalize("NFC"))).rejects.toMatchObject({ code: "KB_READ_OUTSIDE" });
      await symlink("a.md", join(kb, decomposed));
      await expect(read(kb, composed)).rejects.toMatchObject({ code: "KB_READ_LINK" });
    }));

  it("that differ in case are different files on a disk that tells them apart", () =>
    withKnowledgeBase(async (kb) => {
      await writeTree(kb, { "Note.md": "upper", "note.md": "lower" });
      if ((await readdir(kb)).filter((name) => name.toLowerCase() === "note.md").length < 2) return;
      expect(await text(kb, "Note.md")).toBe("upper");
      expect(await text(kb, "note.md")).toBe("lower");
      expect(await refusal(kb, "NOTE.md")).toBe("KB_READ_NOT_FOUND");
      expect(await refusal(kb, "SUB/b.md")).toBe("KB_READ_NOT_FOUND");
    }));
});

it("a root that is replaced by a link is no longer read", () =>
  withKnowledgeBase(async (kb, outside) => {
    await rename(kb, `${kb}-moved`);
    await symlink(outside, kb);
    expect(await refusal(kb, "s.md")).toBe("KB_READ_OUTSIDE");
  }));
