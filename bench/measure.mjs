// Timing and temporary folders for the benchmarks.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Milliseconds that one call takes. */
export async function milliseconds(run) {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

/** The value that a share of the values is below. */
export function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length * share)];
}

/** The middle value. */
export const median = (values) => quantile(values, 1 / 2);

/** Runs in a temporary folder, with the data directory of kb-mcp in it. */
export async function inTemporaryFolder(run) {
  const folder = await mkdtemp(join(tmpdir(), "kb-mcp-bench-"));
  process.env.KB_MCP_DATA_DIR = join(folder, "data");
  try {
    return await run(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
