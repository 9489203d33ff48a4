// A thread beside the parser in the parse process. While a file is parsed it ends the process, which a busy parser
// cannot do itself: when the memory of the whole process is used up (a heap limit does not count buffers), and when
// kb-mcp is gone.
import { workerData } from "node:worker_threads";

const { memoryBytes, parentPid, busy } = workerData as {
  memoryBytes: number;
  parentPid: number;
  /** Shared memory, because a message for each file would cost as much as parsing a small one: 1 while parsing. */
  busy: Int32Array;
};

const everyMilliseconds = 100;
setInterval(() => {
  if (Atomics.load(busy, 0) === 0) return;
  if (process.memoryUsage.rss() > memoryBytes || process.ppid !== parentPid)
    process.kill(process.pid, "SIGKILL");
}, everyMilliseconds);
