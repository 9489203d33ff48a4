// Runs the text of a module in a Node process of its own, for what cannot be seen, or cannot be loaded, in jest's.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));

/**
 * Resolves with what the process printed when it has ended by itself with exit code 0; packages and relative
 * imports are found from the project's root. Rejects after 25 seconds.
 */
export function runModule(source: string): Promise<{ stdout: string; stderr: string }> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      process.execPath,
      ["--input-type=module", "-"],
      { cwd: root, timeout: 25_000, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => {
        if (error === null) resolve({ stdout, stderr });
        else reject(new Error(`The module did not end well (${error.signal ?? error.code}):\n${stderr}`));
      },
    );
    child.stdin?.end(source);
  });
}
