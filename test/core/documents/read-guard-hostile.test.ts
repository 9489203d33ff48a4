// What a hostile writer of the tree, or a hostile caller, can put before the read guard: each with the real thing on
// disk, so that only the guard stands between it and the reader.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { link, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { parseKbUri } from "../../../src/core/documents/document-uri.js";
import { readGuarded } from "../../../src/core/documents/read-guard.js";
import { isKbError } from "../../../src/core/errors.js";
import { limits } from "../../../src/core/limits.js";
import { withTemporaryFolder, writeTree } from "../../support/temporary-folder.js";

const options = { extensions: new Set(["md", "txt"]), maxBytes: 1000 };

async function outcome(kb: string, path: string): Promise<string> {
  try {
    return Buffer.from((await readGuarded({ path: kb }, path, options)).bytes).toString();
  } catch (error) {
    if (!isKbError(error)) throw error;
    expect(error.message).not.toContain(kb);
    return error.code;
  }
}

/** @param use gets a knowledge base beside a folder of secrets, in a folder that holds one too */
function withSecrets(use: (kb: string, folder: string) => Promise<void>): Promise<void> {
  return withTemporaryFolder(async (folder) => {
    await writeTree(folder, {
      "s.md": "SECRET",
      "kb-secret/s.md": "SECRET",
      "kb/a.md": "alpha",
      "kb/sub/b.md": "beta",
    });
    await use(join(folder, "kb"), folder);
  });
}

describe("the read guard lets no spelling climb", () => {
  it.each([
    "../s.md",
    "../kb-secret/s.md",
    "sub/../../s.md",
    "sub/../a.md",
    "..",
    "../",
    "/../s.md",
    "..\\s.md",
    "sub\\..\\..\\s.md",
    "sub/..\\../s.md",
    "..\\/s.md",
    "./../s.md",
    "sub//../../s.md",
    "..//s.md",
    "../kb/a.md",
  ])("%j", (path) =>
    withSecrets(async (kb) => {
      expect(await outcome(kb, path)).toBe("KB_READ_OUTSIDE");
    }),
  );

  it.each([
    "%2e%2e/s.md",
    "..%2fs.md",
    "%252e%252e/s.md",
    "．．/s.md",
    "‥/s.md",
    "..;/s.md",
    "%c0%ae%c0%ae/s.md",
  ])("%j, which is a name like any other once it is a path", (path) =>
    withSecrets(async (kb) => {
      expect(await outcome(kb, path)).toBe("KB_READ_NOT_FOUND");
      await writeTree(kb, { [path]: "inside" });
      expect(await outcome(kb, path)).toBe("inside");
    }),
  );

  it.each([
    ["kb://doc/%2e%2e/s.md", "KB_READ_OUTSIDE"],
    ["kb://doc/%2E./s.md", "KB_READ_OUTSIDE"],
    ["kb://doc/.%2e%2fs.md", "KB_READ_OUTSIDE"],
    ["kb://doc/sub/..%2F..%2fs.md", "KB_READ_OUTSIDE"],
    ["kb://doc/..%5cs.md", "KB_READ_OUTSIDE"],
    ["kb://doc/%2e%2e%5c%2e%2e%5cs.md", "KB_READ_OUTSIDE"],
    ["kb://doc/%2fetc/hostname.md", "KB_READ_OUTSIDE"],
    ["kb://doc/%5c%5cserver%5cshare%5cs.md", "KB_READ_OUTSIDE"],
    ["kb://doc/C%3a%5cs.md", "KB_READ_OUTSIDE"],
    ["kb://doc/a.md%00.txt", "KB_READ_PATH"],
    ["kb://doc/a%2emd%3ax", "KB_READ_PATH"],
    // Encoded twice: the text "%2e%2e" is a name.
    ["kb://doc/%252e%252e/s.md", "KB_READ_NOT_FOUND"],
    ["kb://doc/%25252e%25252e/s.md", "KB_READ_NOT_FOUND"],
    ["kb://doc/..%252fs.md", "KB_READ_NOT_FOUND"],
    // Overlong forms of "." and "/" are not UTF-8.
    ["kb://doc/%c0%ae%c0%ae/s.md", "KB_READ_URI"],
    ["kb://doc/..%c0%afs.md", "KB_READ_URI"],
    ["kb://doc/%e0%80%ae%e0%80%ae/s.md", "KB_READ_URI"],
    ["kb://doc/%f0%80%80%ae./s.md", "KB_READ_URI"],
    ["kb://doc/..%c1%9cs.md", "KB_READ_URI"],
    ["kb://doc/%u002e%u002e/s.md", "KB_READ_URI"],
  ])("%s", (uri, code) =>
    withSecrets(async (kb) => {
      const reading = (async () => {
        const target = parseKbUri(uri);
        return target.kind === "document" ? outcome(kb, target.path) : "a topic";
      })();
      expect(await reading.catch((error: unknown) => (error as { code: string }).code)).toBe(code);
    }),
  );
});

describe("the read guard refuses names that another platform reads in its own way, though the file is there", () => {
  it.each([
    "con.md",
    "sub/NUL.txt",
    "aux.tar.md",
    "lpt¹.md",
    "a.md:stream.md",
    ".../c.md",
    " /c.md",
    "x\\y.md",
  ])("%j", (path) =>
    withSecrets(async (kb) => {
      const made = await writeTree(kb, { [path]: "there" }).then(
        () => true,
        () => false,
      );
      // Windows cannot have such a file; what is refused there is the path alone.
      expect(made || process.platform === "win32").toBe(true);
      expect(await outcome(kb, path)).toBe("KB_READ_PATH");
    }),
  );

  it("a file whose name ends with a dot or a blank has another extension, or is an alias", () =>
    withSecrets(async (kb) => {
      for (const path of ["a.md.", "a.md ", "a.md . ."])
        expect([path, await outcome(kb, path)]).toEqual([
          path,
          process.platform === "win32" ? "KB_READ_PATH" : "KB_READ_EXTENSION",
        ]);
    }));

  it("a path of 5,000 characters, whole or in many folders", () =>
    withSecrets(async (kb) => {
      for (const path of ["x".repeat(4997) + ".md", "d/".repeat(2498) + "a.md", "../".repeat(1666) + "s.md"])
        expect(await outcome(kb, path)).toBe("KB_READ_PATH");
      expect(limits.pathBytes).toBeLessThan(5000);
      // Within the limit, and longer than the file system takes.
      expect(await outcome(kb, "d/".repeat(2000) + "a.md")).toBe("KB_READ_NOT_FOUND");
    }));
});

const withDevices = ((): boolean => {
  const place = join(tmpdir(), `kb-mcp-device-${process.pid}`);
  const made = spawnSync("mknod", [place, "c", "1", "3"]).status === 0;
  rmSync(place, { force: true });
  return made;
})();

// Only the superuser of a machine that is no sandbox can make a device.
(withDevices ? it : it.skip)("the read guard refuses devices, and never reads from them", () =>
  withSecrets(async (kb) => {
    for (const [name, minor] of [
      ["null.md", "3"],
      ["zero.md", "5"],
      ["tty.md", "9"],
    ] as const) {
      spawnSync("mknod", [join(kb, name), "c", ...(name === "tty.md" ? ["5", "0"] : ["1", minor])]);
      expect([name, await outcome(kb, name)]).toEqual([name, "KB_READ_TYPE"]);
    }
  }),
);

it("the read guard reads a file again once its second name is gone", () =>
  withSecrets(async (kb, folder) => {
    await link(join(kb, "a.md"), join(folder, "twin"));
    expect(await outcome(kb, "a.md")).toBe("KB_READ_LINK");
    await rm(join(folder, "twin"));
    expect(await outcome(kb, "a.md")).toBe("alpha");
  }));

it("the read guard refuses a chain of links, and a folder linked to the very knowledge base", () =>
  withSecrets(async (kb, folder) => {
    await symlink("../s.md", join(kb, "one.md"));
    await symlink("one.md", join(kb, "two.md"));
    await symlink(".", join(kb, "here"));
    await symlink(folder, join(kb, "up"));
    expect(await outcome(kb, "two.md")).toBe("KB_READ_LINK");
    expect(await outcome(kb, "here/a.md")).toBe("KB_READ_LINK");
    expect(await outcome(kb, "here/here/a.md")).toBe("KB_READ_LINK");
    expect(await outcome(kb, "up/kb/a.md")).toBe("KB_READ_OUTSIDE");
    await mkdir(join(kb, "sub/deep"));
    await symlink("../../..", join(kb, "sub/deep/out"));
    expect(await outcome(kb, "sub/deep/out/s.md")).toBe("KB_READ_OUTSIDE");
  }));

it("the read guard does not tell the size or the kind of what lies behind a linked folder", () =>
  withSecrets(async (kb, folder) => {
    await symlink("../kb-secret", join(kb, "out"));
    await writeFile(join(folder, "kb-secret", "large.md"), Buffer.alloc(2000));
    await mkdir(join(folder, "kb-secret", "folder.md"));
    await link(join(folder, "s.md"), join(folder, "kb-secret", "twin.md"));
    for (const name of ["large.md", "folder.md", "twin.md", "s.md", "missing.md"])
      expect([name, await outcome(kb, `out/${name}`)]).toEqual([name, "KB_READ_OUTSIDE"]);
  }));

it("the read guard never hands over more than the cap of a file that grows past it while it is read", () =>
  withSecrets(async (kb) => {
    const cap = 1 << 20;
    const place = join(kb, "growing.md");
    const child = spawn(
      process.execPath,
      [
        "-e",
        `const fs = require("node:fs");
         const file = fs.openSync(${JSON.stringify(place)}, "w");
         const small = Buffer.alloc(${cap - 1}, "a");
         fs.writeSync(file, small);
         process.stdout.write("ready");
         for (;;) {
           fs.ftruncateSync(file, ${cap - 1});
           fs.writeSync(file, "bbbbbbbb", ${cap - 1});
         }`,
      ],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
    const outcomes = new Map<string, number>();
    try {
      await once(child.stdout, "data");
      for (let attempt = 0; attempt < 1000; attempt++) {
        const result = await readGuarded({ path: kb }, "growing.md", { ...options, maxBytes: cap }).then(
          ({ bytes, sizeBytes }) => {
            expect(bytes.length).toBe(sizeBytes);
            expect(bytes.length).toBeLessThanOrEqual(cap);
            return "read";
          },
          (error: unknown) => (isKbError(error) ? error.code : String(error)),
        );
        outcomes.set(result, (outcomes.get(result) ?? 0) + 1);
      }
    } finally {
      child.kill("SIGKILL");
      await once(child, "close");
    }
    for (const result of outcomes.keys()) expect(result).toMatch(/^(read|KB_READ_(CHANGED|TOO_LARGE))$/u);
    // The race was on.
    expect(outcomes.size).toBeGreaterThan(1);
    await writeFile(place, Buffer.alloc(cap));
    expect((await readGuarded({ path: kb }, "growing.md", { ...options, maxBytes: cap })).sizeBytes).toBe(
      cap,
    );
  }));
