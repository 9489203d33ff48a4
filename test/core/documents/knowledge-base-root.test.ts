import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { openRoot, pathInside } from "../../../src/core/documents/knowledge-base-root.js";
import { withTemporaryFolder } from "../../support/temporary-folder.js";

describe("opening the root", () => {
  it("resolves links on the way to it, once", async () => {
    await withTemporaryFolder(async (folder) => {
      await mkdir(join(folder, "real"));
      await symlink("real", join(folder, "link"));
      expect(await openRoot(join(folder, "link"))).toEqual({ path: join(folder, "real") });
      expect(await openRoot(`${join(folder, "link")}/../link/`)).toEqual({ path: join(folder, "real") });
    });
  });

  it("says which path is wrong and why", async () => {
    await withTemporaryFolder(async (folder) => {
      await writeFile(join(folder, "file"), "");
      await symlink("loop", join(folder, "loop"));
      const failure = async (path: string): Promise<{ code: string; message: string }> =>
        openRoot(path).then(
          () => ({ code: "none", message: "" }),
          (error: unknown) => error as { code: string; message: string },
        );
      for (const [name, reason] of [
        ["missing", "does not exist"],
        ["file", "is a file, not a folder"],
        ["file/below", "a part of the path is a file"],
        ["loop", "loop of links"],
        ["nul\0", "cannot be read"],
      ] as const) {
        const { code, message } = await failure(join(folder, name));
        expect({ name, code }).toEqual({ name, code: "KB_CONFIG_KB_PATH" });
        expect(message).toContain(reason);
        expect(message).toContain(JSON.stringify(join(folder, name)));
      }
      expect((await failure("")).code).toBe("KB_CONFIG_KB_PATH");
    });
  });
});

it("a path is inside the root only below it, never beside it", () => {
  const root = { path: join("/", "kb") };
  expect(pathInside(root, join("/", "kb", "a", "b.md"))).toBe("a/b.md");
  expect(pathInside(root, join("/", "kb-secret", "a.md"))).toBeUndefined();
  expect(pathInside(root, join("/", "kb"))).toBeUndefined();
  expect(pathInside({ path: "/" }, "/a.md")).toBe("a.md");
});
