// A host for creating a plugin by itself: a logger that keeps quiet, and directories that are removed afterwards.
import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PluginHost } from "../core/plugin-api.js";

/** Calls `use` with a host whose directories do not exist yet, and aborts its signal and removes them afterwards. */
export async function withPlainHost<Result>(use: (host: PluginHost) => Promise<Result>): Promise<Result> {
  const directory = join(tmpdir(), `kb-mcp-contract-${randomUUID()}`);
  const shutdown = new AbortController();
  const quiet = (): void => undefined;
  try {
    return await use({
      logger: { debug: quiet, info: quiet, warn: quiet, error: quiet },
      signal: shutdown.signal,
      configDirectory: join(directory, "config"),
      dataDirectory: join(directory, "data"),
      cacheDirectory: join(directory, "cache"),
      progress: quiet,
    });
  } finally {
    shutdown.abort();
    await rm(directory, { recursive: true, force: true });
  }
}
