import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { makeDirectory } from "../../../src/core/indexing/make-directory.js";
import { withTemporaryFolder } from "../../support/temporary-folder.js";

const onLinux = process.platform === "linux" ? it : it.skip;

describe("making a directory", () => {
  it("makes those above it, and is content with what is there", async () => {
    await withTemporaryFolder(async (folder) => {
      const deep = join(folder, "a", "b", "c");
      await Promise.all([makeDirectory(deep), makeDirectory(join(folder, "a", "b")), makeDirectory(deep)]);
      await makeDirectory(deep);
      expect((await stat(deep)).isDirectory()).toBe(true);
    });
  });

  it("is refused where a file is in the way", async () => {
    await withTemporaryFolder(async (folder) => {
      await writeFile(join(folder, "file"), "");
      for (const path of [join(folder, "file"), join(folder, "file", "below")])
        await expect(makeDirectory(path)).rejects.toMatchObject({
          code: "KB_CONFIG_DATA_DIRECTORY",
          message: expect.stringContaining(path) as unknown,
        });
    });
  });

  onLinux("ends where a parent takes no directories and says that it is not there", async () => {
    await expect(makeDirectory("/proc/kb-mcp/data")).rejects.toMatchObject({
      code: "KB_CONFIG_DATA_DIRECTORY",
      message: expect.stringContaining("ENOENT") as unknown,
    });
  });
});
