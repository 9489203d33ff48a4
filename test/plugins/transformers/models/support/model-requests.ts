// Requests for the tiny model of the hub, and contexts with short waiting times.
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { PreparationProgress } from "../../../../../src/core/plugin-api.js";
import type {
  ModelContext,
  ModelRequest,
} from "../../../../../src/plugins/transformers/models/model-request.js";
import { files, model } from "../support/hub.js";

export const request: ModelRequest = {
  model,
  revision: "main",
  files: Object.keys(files),
  optionalFiles: ["special_tokens_map.json"],
};

export interface TestContext extends ModelContext {
  readonly events: PreparationProgress[];
  readonly messages: string[];
}

export function contextFor(
  cacheDirectory: string,
  mirror: string | undefined,
  overrides: Partial<ModelContext> = {},
): TestContext {
  const events: PreparationProgress[] = [];
  const messages: string[] = [];
  const log = (message: string): void => void messages.push(message);
  return {
    cacheDirectory,
    ...(mirror !== undefined && { mirror }),
    signal: new AbortController().signal,
    progress: (event) => void events.push(event),
    logger: { debug: () => undefined, info: log, warn: log, error: log },
    allowDownload: true,
    ...overrides,
    limits: {
      stallMs: 300,
      firstWaitMs: 5,
      lock: { beatMs: 50, goneMs: 200, silentMs: 2000 },
      ...overrides.limits,
    },
    events,
    messages,
  };
}

/** Digests of the files below a folder, by path with `/`. */
export async function contentOf(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  const found: Record<string, string> = {};
  for (const entry of entries.filter((one) => one.isFile())) {
    const path = join(entry.parentPath, entry.name);
    found[path.slice(folder.length + 1).replaceAll("\\", "/")] = sha256(await readFile(path));
  }
  return found;
}

export function sha256(content: Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}
