// Both ways of finding out where an open file lies, whatever the platform of the test.
import { mkdir, open, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { parseDocumentPath } from "../../../src/core/documents/document-path.js";
import {
  confirmLocation,
  locateByDescriptor,
  locateByIdentity,
  type Locate,
} from "../../../src/core/documents/read-guard-location.js";
import { withTemporaryFolder, writeTree } from "../../support/temporary-folder.js";

/** Opens `path` as an unguarded reader would, lets `meanwhile` happen, and answers what the check says. */
async function located(
  locate: Locate,
  path: string,
  prepare: (kb: string, outside: string) => Promise<unknown> = () => Promise.resolve(),
  meanwhile: (kb: string, outside: string) => Promise<unknown> = () => Promise.resolve(),
): Promise<string> {
  return withTemporaryFolder(async (folder) => {
    const [kb, outside] = [join(folder, "kb"), join(folder, "kb-secret")];
    await writeTree(folder, { "kb/sub/a.md": "a", "kb/other/a.md": "o", "kb-secret/a.md": "SECRET" });
    await prepare(kb, outside);
    const handle = await open(join(kb, path));
    try {
      await meanwhile(kb, outside);
      return await confirmLocation({ path: kb }, parseDocumentPath(path), handle, locate);
    } catch (error) {
      return (error as { code: string }).code;
    } finally {
      await handle.close();
    }
  });
}

const ways: [string, Locate][] = [["the identity of the file", locateByIdentity]];
if (process.platform === "linux") ways.push(["the descriptor", locateByDescriptor]);

describe.each(ways)("by %s, an open file", (_, locate) => {
  it("is confirmed at its path", async () => {
    expect(await located(locate, "sub/a.md")).toBe("sub/a.md");
  });

  it("is refused behind a link that was there before", async () => {
    expect(await located(locate, "out/a.md", (kb, outside) => symlink(outside, join(kb, "out")))).toBe(
      "KB_READ_OUTSIDE",
    );
    expect(await located(locate, "in/a.md", (kb) => symlink("other", join(kb, "in")))).toBe("KB_READ_LINK");
    expect(await located(locate, "OTHER/a.md", (kb) => symlink("other", join(kb, "OTHER")))).toBe(
      "KB_READ_LINK",
    );
  });

  it("is refused when its folder becomes a link", async () => {
    const swap = (target: (kb: string, outside: string) => string) => async (kb: string, outside: string) => {
      await rename(join(kb, "sub"), join(kb, "moved"));
      await symlink(target(kb, outside), join(kb, "sub"));
    };
    expect(
      await located(
        locate,
        "sub/a.md",
        undefined,
        swap((_, outside) => outside),
      ),
    ).toBe("KB_READ_OUTSIDE");
    expect(
      await located(
        locate,
        "sub/a.md",
        undefined,
        swap(() => "other"),
      ),
    ).toBe("KB_READ_LINK");
  });

  it("is refused when a link it was opened through becomes a folder", async () => {
    const code = await located(
      locate,
      "sub/a.md",
      async (kb, outside) => {
        await rename(join(kb, "sub"), join(kb, "real"));
        await symlink(outside, join(kb, "sub"));
      },
      async (kb) => {
        await rm(join(kb, "sub"));
        await rename(join(kb, "real"), join(kb, "sub"));
      },
    );
    expect(["KB_READ_OUTSIDE", "KB_READ_CHANGED"]).toContain(code);
  });

  it("has changed when it was deleted, moved or replaced meanwhile", async () => {
    const file = (kb: string): string => join(kb, "sub", "a.md");
    expect(await located(locate, "sub/a.md", undefined, (kb) => rm(file(kb)))).toBe("KB_READ_CHANGED");
    expect(await located(locate, "sub/a.md", undefined, (kb) => rename(file(kb), join(kb, "b.md")))).toBe(
      "KB_READ_CHANGED",
    );
    const replace = async (kb: string): Promise<void> => {
      await writeFile(join(kb, "new"), "new");
      await rename(join(kb, "new"), file(kb));
    };
    expect(await located(locate, "sub/a.md", undefined, replace)).toBe("KB_READ_CHANGED");
    const replaceFolder = async (kb: string): Promise<void> => {
      await rename(join(kb, "sub"), join(kb, "moved"));
      await mkdir(join(kb, "sub"));
    };
    expect(await located(locate, "sub/a.md", undefined, replaceFolder)).toBe("KB_READ_CHANGED");
  });
});
