// The stream on which the protocol goes out: the descriptor that the shield passed on, or stdout without a shield.
// The only place of the stdio transport that touches a descriptor.
import { createWriteStream, fstatSync } from "node:fs";
import { Socket } from "node:net";
import type { Writable } from "node:stream";
import { protocolDescriptorVariable } from "./protocol-variable.js";

/**
 * Opens the protocol's output. The variable is taken out of the environment, so that no program started from here
 * believes the descriptor to be its own.
 */
export function openProtocolStream(environment: NodeJS.ProcessEnv = process.env): Writable {
  const descriptor = environment[protocolDescriptorVariable];
  Reflect.deleteProperty(environment, protocolDescriptorVariable);
  return descriptor === undefined ? process.stdout : openDescriptor(Number(descriptor));
}

function openDescriptor(descriptor: number): Writable {
  const kind = fstatSync(descriptor);
  // A pipe or a socket is written without blocking; a file or a terminal takes what it is given.
  return kind.isFIFO() || kind.isSocket()
    ? new Socket({ fd: descriptor, readable: false, writable: true })
    : createWriteStream("", { fd: descriptor });
}

/**
 * Waits until everything written has gone out, then ends the stream; not longer than `milliseconds`, because a
 * client may have stopped reading.
 */
export async function endStream(stream: Writable, milliseconds: number): Promise<void> {
  if (stream.destroyed || stream.writableEnded) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    const done = (): void => {
      clearTimeout(timer);
      resolve();
    };
    stream.once("close", done);
    // stdout cannot be ended; an empty write comes back when all before it has gone out.
    if (stream === process.stdout) stream.write("", done);
    else stream.end(done);
  });
}
