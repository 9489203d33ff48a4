// The standard streams of a command, and the only place that writes results: stdout belongs to them alone, stderr to
// the log and the line of progress.
import { TerminalLine } from "./terminal-line.js";

const { stdout, stderr } = process;
let writeResult = (text: string, done?: () => void): boolean => stdout.write(text, done);
let writeAside = (text: string, done?: () => void): boolean => stderr.write(text, done);

/** Where every command shows its progress. */
export const progressLine = new TerminalLine({
  get isTTY() {
    return stderr.isTTY;
  },
  get columns() {
    return stderr.columns;
  },
  write: (text) => writeAside(text),
});

/**
 * Takes both streams before anything third-party is loaded. What anybody else prints to stdout goes to stderr, through
 * `console`, `process.stdout` or a worker thread; what is printed to stderr makes room for itself on the line of
 * progress. Not caught is what goes straight to the descriptors: native code, `fs.writeSync`, a child process that
 * inherits them. Only a process of its own catches that; `kb-mcp serve` has one, because its stdout is a protocol.
 */
export function ownStandardStreams(): void {
  const toStdout = stdout.write.bind(stdout);
  const toStderr = stderr.write.bind(stderr);
  writeResult = toStdout;
  writeAside = toStderr;
  const log = (...args: Parameters<typeof toStderr>): boolean =>
    progressLine.aside(args[0], () => toStderr(...args));
  stderr.write = log as typeof stderr.write;
  stdout.write = log as typeof stdout.write;
}

/** Prints the result of a command; progress has ended by then. */
export function print(text: string): void {
  progressLine.close();
  writeResult(text);
}

/**
 * Waits until all that was written has gone out: Node writes to a pipe as its reader takes it, and leaves the rest
 * behind when the process exits.
 * @param milliseconds to wait at most, where nobody may be reading
 */
export async function flushStandardStreams(milliseconds?: number): Promise<void> {
  progressLine.close();
  // An empty write comes back when all before it has gone out, or the reader is gone.
  const flushed = [writeResult, writeAside].map(
    (write) => new Promise<void>((done) => write("", () => done())),
  );
  const patience =
    milliseconds === undefined ? [] : [new Promise<void>((done) => setTimeout(done, milliseconds))];
  await Promise.race([Promise.all(flushed), ...patience]);
}
