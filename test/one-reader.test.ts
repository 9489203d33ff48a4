// Documents are read in one place. Which file may open files at all is written down here, with what it opens.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";

/** Whatever of node:fs hands over a file's bytes, or passes them on. */
const reading =
  /^(?:open|openSync|openAsBlob|readFile|readFileSync|createReadStream|read|readSync|readv|copyFile|copyFileSync|cp|cpSync)$/u;

/** Files of src that can read files: what they read, none of it documents but in the read guard. */
const readers: Readonly<Record<string, string>> = {
  "core/documents/read-guard-open.ts": "documents and .kb-mcpignore, for the two files named below",
  "core/operator-file.ts": "kb-mcp.toml and golden files, which the operator wrote",
  "core/eval/history.ts": "the history of evaluations, in the index directory",
  "core/indexing/lease-file.ts": "the lease, in the index directory",
  "core/indexing/writer-lease.ts": "the lease, in the index directory",
  "core/indexing/index-overview.ts": "the overview, in the index directory",
  "plugins/transformers/models/download-lock.ts": "the lock of a download, in the cache of models",
  "plugins/transformers/models/file-content.ts": "files of models, to check them",
  "plugins/transformers/models/manifest.ts": "what is known of a model's files, in the cache of models",
  "plugins/transformers/models/part-file.ts": "a download under way, in the cache of models",
  "plugins/transformers/options/model-config.ts": "the configuration of a model",
  "cli/version.ts": "package.json of kb-mcp",
};

/** Names of node:fs that a source uses; "*" if it could use any. */
function namesOfFileSystem(source: string): string[] {
  const names: string[] = [];
  for (const [statement, clause = ""] of source.matchAll(
    /import\s+(?!type\b)([^;]*?)\s+from\s+"(?:node:)?fs(?:\/promises)?"/gu,
  )) {
    const [, listed] = /\{([^}]*)\}/u.exec(clause) ?? [];
    for (const name of (listed ?? "").split(",").map((part) => part.trim()))
      if (name !== "" && !name.startsWith("type ")) names.push(name.split(/\s+as\s+/u)[0]!);
    const [, whole] = /^(?:\*\s+as\s+)?(\w+)/u.exec(clause) ?? [];
    if (whole !== undefined) {
      const members = [...source.matchAll(new RegExp(`\\b${whole}(?:\\.promises)?\\.(\\w+)`, "gu"))];
      names.push(...members.map(([, member]) => member!));
      if (new RegExp(`\\b${whole}\\b(?!\\.)`, "u").test(source.replace(statement, ""))) names.push("*");
    }
  }
  const otherWay =
    /(?:import|require)\(\s*["'](?:node:)?fs|getBuiltinModule|process\.binding|export[^;]*from\s+"(?:node:)?fs/u;
  return otherWay.test(source) ? [...names, "*"] : names;
}

const canRead = (source: string): boolean =>
  namesOfFileSystem(source).some((name) => name === "*" || name === "promises" || reading.test(name));

async function sources(): Promise<Map<string, string>> {
  const files = (await readdir("src", { recursive: true })).filter((name) => name.endsWith(".ts"));
  return new Map(
    await Promise.all(
      files.map(
        async (name) => [name.replaceAll("\\", "/"), await readFile(join("src", name), "utf8")] as const,
      ),
    ),
  );
}

const filesWhere = (all: ReadonlyMap<string, string>, test: (source: string) => boolean): string[] =>
  [...all]
    .filter(([, source]) => test(source))
    .map(([name]) => name)
    .sort();

describe("documents are read by one function", () => {
  it("and no other file of the source can read files, but those that own them", async () => {
    expect(filesWhere(await sources(), canRead)).toEqual(Object.keys(readers).sort());
  });

  it("which alone opens them, beside the reader of .kb-mcpignore", async () => {
    const openers = filesWhere(await sources(), (source) =>
      /from "[^"]*\/read-guard-open\.js"/u.test(source),
    );
    expect(openers).toEqual(["core/documents/ignore-file.ts", "core/documents/read-guard.ts"]);
  });

  it("and is called on the way into the index and on the way to a caller, nowhere else", async () => {
    const callers = filesWhere(await sources(), (source) => /\breadGuarded\(/u.test(source));
    expect(callers).toEqual([
      "core/documents/load-document.ts",
      "core/documents/read-guard.ts",
      "core/indexing/prepare-document.ts",
    ]);
  });

  it("and the scan sees each way to get at a file", () => {
    for (const source of [
      'import { readFile } from "node:fs/promises";',
      'import { stat, open as opened } from "fs/promises";',
      'import {\n  lstat,\n  createReadStream,\n} from "node:fs";',
      'import fs from "node:fs";\nfs.readFileSync("a");',
      'import * as disk from "node:fs";\nawait disk.promises.readFile("a");',
      'import fs from "node:fs";\nconst { readFile } = fs;',
      'import { promises } from "node:fs";',
      'const fs = await import("node:fs");',
      'const fs = require("fs");',
      'process.getBuiltinModule("node:fs");',
      'export { readFile } from "node:fs/promises";',
    ])
      expect([source, canRead(source)]).toEqual([source, true]);
    for (const source of [
      'import { lstat, type FileHandle } from "node:fs/promises";',
      'import type { Stats } from "node:fs";',
      'import fs from "node:fs/promises";\nawait fs.realpath("a");',
    ])
      expect([source, canRead(source)]).toEqual([source, false]);
  });
});
