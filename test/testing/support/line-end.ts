// One end of a connection that carries a message in each line, for clients and servers alike.
import type { Readable, Writable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import type { ConnectionEnd, JsonRpcMessage } from "../../../src/testing/index.js";

export class LineEnd implements ConnectionEnd {
  onmessage?: (message: JsonRpcMessage) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  #rest = "";
  #closed = false;
  readonly #decoder = new StringDecoder("utf8");

  constructor(
    protected readonly input: Readable,
    protected readonly output: Writable,
  ) {
    // Streams report a peer that is gone in several ways.
    output.on("error", (error) => this.onerror?.(error));
    if ((input as unknown) !== output) input.on("error", (error) => this.onerror?.(error));
    for (const stream of [input, output])
      for (const event of ["end", "close"]) stream.on(event, () => void this.close());
  }

  start(): Promise<void> {
    this.input.on("data", (chunk: Buffer) => this.take(this.decode(chunk)));
    return Promise.resolve();
  }

  send(message: JsonRpcMessage): Promise<void> {
    if (this.#closed) return Promise.reject(new Error("not connected"));
    return new Promise((resolve, reject) =>
      this.output.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve())),
    );
  }

  close(): Promise<void> {
    if (this.#closed) return Promise.resolve();
    this.#closed = true;
    this.output.end();
    this.input.destroy();
    this.onclose?.();
    return Promise.resolve();
  }

  protected decode(chunk: Buffer): string {
    return this.#decoder.write(chunk);
  }

  protected take(text: string): void {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop()!;
    for (const line of lines.filter((each) => each.trim() !== "")) {
      let message: JsonRpcMessage | undefined;
      try {
        message = JSON.parse(line) as JsonRpcMessage;
      } catch (error) {
        this.onerror?.(error as Error);
        continue;
      }
      this.deliver(message);
    }
  }

  protected deliver(message: JsonRpcMessage): void {
    this.onmessage?.(message);
  }
}
