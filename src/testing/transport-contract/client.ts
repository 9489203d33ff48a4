// The client of the suite: sends messages over an author's connection and waits for answers, never for ever.
import { setTimeout as delay } from "node:timers/promises";
import type { ConnectionEnd, JsonRpcMessage } from "./message.js";

type Params = Readonly<Record<string, unknown>>;

interface Waiting {
  readonly resolve: (result: Params) => void;
  readonly reject: (error: Error) => void;
}

/** The newest version of the protocol that the suite was written for. */
const protocolVersion = "2025-11-25";

/** Settles as `work` does, or rejects after `milliseconds`. */
export async function within<T>(work: Promise<T>, milliseconds: number, what: string): Promise<T> {
  const settled = new AbortController();
  const late = delay(milliseconds, undefined, { signal: settled.signal }).then(() => {
    throw new Error(`${what}: not within ${milliseconds} ms`);
  });
  late.catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    settled.abort();
  }
}

export class ContractClient {
  /** The numbers of the notifications that came, and "answer" for each answer between them. */
  readonly received: unknown[] = [];
  /** Resolves at the first sign that the connection is broken or closed. */
  readonly disturbed: Promise<void>;
  readonly #waiting = new Map<string | number, Waiting>();
  #closed = false;
  #lastId = 0;

  private constructor(
    private readonly end: ConnectionEnd,
    private readonly milliseconds: number,
  ) {
    let disturb: () => void = () => undefined;
    this.disturbed = new Promise((resolve) => (disturb = resolve));
    end.onmessage = (message) => this.#take(message);
    end.onerror = () => disturb();
    end.onclose = () => {
      this.#closed = true;
      disturb();
      for (const { reject } of this.#waiting.values()) reject(new Error("the connection was closed"));
    };
  }

  /** Starts a connection and shakes hands. */
  static async open(end: ConnectionEnd, milliseconds: number): Promise<ContractClient> {
    const client = new ContractClient(end, milliseconds);
    await within(end.start(), milliseconds, "starting a connection");
    const clientInfo = { name: "contract", version: "1" };
    await client.request("initialize", { protocolVersion, capabilities: {}, clientInfo });
    end.setProtocolVersion?.(protocolVersion);
    await client.notify("notifications/initialized");
    return client;
  }

  /**
   * The result of a request; rejects if it is an error, if the connection ends first, or when it takes too long.
   * @param id one that no other request of this client has; a number if absent
   */
  async request(method: string, params: Params = {}, id?: string | number): Promise<Params> {
    if (this.#closed) throw new Error("the connection is closed");
    const key = id ?? `request ${++this.#lastId}`;
    const answer = new Promise<Params>((resolve, reject) => {
      this.#waiting.set(key, { resolve, reject });
      this.send({ jsonrpc: "2.0", id: key, method, params }).catch(reject);
    });
    return within(answer, this.milliseconds, `an answer to ${method}`);
  }

  notify(method: string, params: Params = {}): Promise<void> {
    return this.send({ jsonrpc: "2.0", method, params });
  }

  /** Sends whatever it is given. */
  async send(message: unknown): Promise<void> {
    await this.end.send(message as JsonRpcMessage);
  }

  close(): Promise<void> {
    return within(this.end.close(), this.milliseconds, "leaving");
  }

  #take(message: JsonRpcMessage): void {
    if (message.method === "notifications/contract") this.received.push(message.params?.["number"]);
    if (message.method !== undefined || message.id === undefined || message.id === null) return;
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (waiting === undefined) return;
    this.received.push("answer");
    if (message.result !== undefined) waiting.resolve(message.result);
    else
      waiting.reject(new Error(`the answer is an error: ${message.error?.message ?? "without a message"}`));
  }
}
