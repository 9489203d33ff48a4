// A second process swaps a document for a link to a secret, as fast as it can, while the guard reads.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { isKbError } from "../../../src/core/errors.js";
import { readGuarded } from "../../../src/core/documents/read-guard.js";
import { withTemporaryFolder, writeTree } from "../../support/temporary-folder.js";

const attempts = 3000;

/** Swaps "kb/<name>" and "spare" for one another for ever; the spare is made by `make`. */
const attacker = (name: string, make: string): string => `
  const fs = require("node:fs");
  ${make}
  process.stdout.write("ready");
  for (;;) {
    fs.renameSync("kb/${name}", "real");
    fs.renameSync("spare", "kb/${name}");
    fs.renameSync("kb/${name}", "spare");
    fs.renameSync("real", "kb/${name}");
  }`;

it.each([
  ["the file for a link", "sub/a.md", 'fs.symlinkSync("../../secret/a.md", "spare");'],
  ["the file for a hard link", "sub/a.md", 'fs.linkSync("secret/a.md", "spare");'],
  ["its folder for a link", "sub", 'fs.symlinkSync("../secret", "spare");'],
])("the secret never comes out while a process swaps %s", async (_, name, make) => {
  await withTemporaryFolder(async (folder) => {
    await writeTree(folder, { "kb/sub/a.md": "public", "secret/a.md": "SECRET" });
    const process = spawn(globalThis.process.execPath, ["-e", attacker(name, make)], {
      cwd: folder,
      stdio: ["ignore", "pipe", "inherit"],
    });
    const outcomes = new Map<string, number>();
    try {
      await once(process.stdout, "data");
      for (let attempt = 0; attempt < attempts; attempt++) {
        const outcome = await readGuarded({ path: join(folder, "kb") }, "sub/a.md", {
          extensions: new Set(["md"]),
          maxBytes: 100,
        }).then(
          ({ bytes }) => Buffer.from(bytes).toString(),
          (error: unknown) => (isKbError(error) ? error.code : String(error)),
        );
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      }
    } finally {
      process.kill("SIGKILL");
      await once(process, "close");
    }
    for (const outcome of outcomes.keys())
      expect(outcome).toMatch(/^(public|KB_READ_(LINK|OUTSIDE|NOT_FOUND|CHANGED))$/);
    // The race was on: both sides were seen.
    expect(outcomes.get("public")).toBeGreaterThan(0);
    expect(outcomes.size).toBeGreaterThan(1);
  });
});
