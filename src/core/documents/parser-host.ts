// What a parser is given when it is created. It lives in a process that may be ended at any moment.
import { join } from "node:path";
import type { Logger, PluginHost } from "../plugin-api.js";

/** Where a parser finds what its options name, and keeps what is its own. Absolute. */
export interface ParserDirectories {
  readonly config: string;
  readonly data: string;
}

export function parserHost({ config, data }: ParserDirectories, logger: Logger): PluginHost {
  return {
    logger,
    // Never aborted: whoever no longer wants a parser ends its process.
    signal: new AbortController().signal,
    configDirectory: config,
    dataDirectory: data,
    cacheDirectory: join(data, "cache"),
    progress: () => undefined,
  };
}
