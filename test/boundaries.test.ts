import { execFile } from "node:child_process";
import { appendFile, cp, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "@jest/globals";

const run = promisify(execFile);
const project = resolve(".");

/** For each rule of .dependency-cruiser.mjs one import that breaks it, appended to a file of its own. */
const breakingImports: Readonly<Record<string, { file: string; line: string }>> = {
  "core-stays-pure": { file: "src/core/limits.ts", line: 'import "@lancedb/lancedb";' },
  "plugins-use-the-plugin-api": {
    file: "src/plugins/parsers/txt/index.ts",
    line: 'import "../../../core/limits.js";',
  },
  "transformers-uses-the-plugin-api": {
    file: "src/plugins/transformers/index.ts",
    line: 'import "../../core/limits.js";',
  },
  "mcp-surface-knows-no-transport": {
    file: "src/transports/mcp/tool.ts",
    line: 'import "../stdio/index.js";',
  },
  "transports-stand-alone": {
    file: "src/transports/stdio/shield.ts",
    line: 'import "../../core/documents/read-guard.js";',
  },
  "testing-uses-the-plugin-api": { file: "src/testing/index.ts", line: 'import "../core/limits.js";' },
  "one-composition-root": { file: "src/core/logger.ts", line: 'import "../container.js";' },
  "one-user-of-tsyringe": { file: "src/cli/version.ts", line: 'import "tsyringe";' },
  "few-touch-files": { file: "src/core/documents/load-document.ts", line: 'import "node:fs";' },
  "no-cycles": { file: "src/core/lazy.ts", line: 'import "./knowledge-base.js";' },
  "no-dead-files": { file: "src/core/nobody-imports-me.ts", line: "export {};" },
  "no-undeclared-packages": { file: "src/cli/failure.ts", line: 'import "a-package-nobody-declared";' },
  "no-development-packages": { file: "src/cli/progress.ts", line: 'import "prettier";' },
};

interface CruiseResult {
  summary: {
    violations: { rule: { name: string }; from: string; to: string }[];
    ruleSetUsed: { forbidden: { name: string }[] };
  };
}

describe("the dependency rule", () => {
  it("is broken by one import against each of its rules, and by nothing else", async () => {
    const copy = await mkdtemp(join(tmpdir(), "kb-mcp-boundaries-"));
    try {
      for (const name of ["src", "package.json", "tsconfig.json", ".dependency-cruiser.mjs"])
        await cp(join(project, name), join(copy, name), { recursive: true });
      await symlink(join(project, "node_modules"), join(copy, "node_modules"), "dir");
      for (const { file, line } of Object.values(breakingImports)) await append(join(copy, file), line);

      const result = await cruise(copy);

      const rules = result.summary.ruleSetUsed.forbidden.map(({ name }) => name);
      expect(Object.keys(breakingImports).sort()).toEqual([...rules].sort());
      for (const [rule, { file }] of Object.entries(breakingImports)) {
        const broken = result.summary.violations.filter((violation) => violation.rule.name === rule);
        expect([rule, ...broken.flatMap(({ from, to }) => [from, to])]).toContain(file);
      }
    } finally {
      await rm(copy, { recursive: true, force: true });
    }
  }, 60_000);
});

async function append(file: string, line: string): Promise<void> {
  if (file.endsWith("nobody-imports-me.ts")) await writeFile(file, `${line}\n`);
  else await appendFile(file, `\n${line}\n`);
}

async function cruise(directory: string): Promise<CruiseResult> {
  const cli = join(project, "node_modules/dependency-cruiser/bin/dependency-cruise.mjs");
  const args = [cli, "--config", ".dependency-cruiser.mjs", "--output-type", "json", "src"];
  const output = await run(process.execPath, args, { cwd: directory, maxBuffer: 1 << 26 }).catch(
    // Violations end it with a code other than 0; the report is on stdout all the same.
    (error: unknown) => error as { stdout: string },
  );
  return JSON.parse(output.stdout) as CruiseResult;
}
