// The bounds and waiting times of a download.

export interface DownloadLimits {
  /** Milliseconds without a byte after which a try is given up. */
  readonly stallMs: number;
  /** Tries in a row that may fail for one file; one that brought `progressBytes` begins the count anew. */
  readonly tries: number;
  readonly progressBytes: number;
  /** Milliseconds before the first further try; doubled for each one after it. */
  readonly firstWaitMs: number;
  /** The longest that a server may ask to wait, in milliseconds. */
  readonly longestWaitMs: number;
  /** Bytes of all files of one model. */
  readonly modelBytes: number;
  /** Bytes of a file of JSON; it is read whole to see that it parses. The largest tokenizers take 20 MB. */
  readonly jsonBytes: number;
  /** How a lock of another process is watched, in milliseconds. */
  readonly lock: LockTimes;
}

export interface LockTimes {
  readonly beatMs: number;
  /** Without a beat for so long a lock is left over: from a process that is gone, or from one that nobody can ask. */
  readonly goneMs: number;
  readonly silentMs: number;
}

export const usualLimits: DownloadLimits = {
  stallMs: 30_000,
  tries: 4,
  progressBytes: 1024 * 1024,
  firstWaitMs: 1000,
  longestWaitMs: 30_000,
  modelBytes: 8 * 1024 ** 3,
  jsonBytes: 128 * 1024 ** 2,
  lock: { beatMs: 1000, goneMs: 3000, silentMs: 30_000 },
};
