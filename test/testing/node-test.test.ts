// The suites run under Node's own test runner too.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "@jest/globals";

const fixture = fileURLToPath(new URL("../fixtures/contracts/log-parser.mjs", import.meta.url));

function nodeTest(fault: string): Promise<{ passed: boolean; report: string }> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ["--test", "--test-reporter=tap", fixture],
      { env: { ...process.env, FAULT: fault } },
      (error, stdout) => resolve({ passed: error === null, report: stdout }),
    );
  });
}

describe("a contract under node:test", () => {
  it("passes a plugin that keeps every promise", async () => {
    const { passed, report } = await nodeTest("");
    expect(report).toMatch(/ok \d+ - finds text in a sample/);
    expect(report).not.toMatch(/not ok/);
    expect(passed).toBe(true);
  });

  it("fails the test that a plugin breaks, and no other", async () => {
    const { passed, report } = await nodeTest("prints");
    expect(passed).toBe(false);
    expect(report.match(/not ok \d+ - .*/g)?.filter((line) => line.includes(" stdout"))).toHaveLength(1);
    expect(report).toMatch(/^# fail 1$/m);
  });
});
