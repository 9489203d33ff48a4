// A thread beside the parser in the parse process. While a file is parsed it ends the process, which a busy parser
// cannot do itself: when the memory of the whole process is used up (a heap limit does not count buffers), and when
// kb-mcp is gone.
import { parentPort, workerData } from "node:worker_threads";

const { memoryBytes, parentPid } = workerData as { memoryBytes: number; parentPid: number };

const everyMilliseconds = 100;
let timer: NodeJS.Timeout | undefined;

parentPort?.on("message", (busy: boolean) => {
  clearInterval(timer);
  if (busy) timer = setInterval(check, everyMilliseconds);
});

function check(): void {
  if (process.memoryUsage.rss() > memoryBytes || process.ppid !== parentPid)
    process.kill(process.pid, "SIGKILL");
}
