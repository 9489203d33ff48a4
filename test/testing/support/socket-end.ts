// The server's end of a TCP connection, which can be told to break a promise.
import type { Socket } from "node:net";
import type { JsonRpcMessage } from "../../../src/testing/index.js";
import { LineEnd } from "../support/line-end.js";

export type Fault =
  | "says it has started before it listens"
  | "loses what comes before the session is there"
  | "shares a session"
  | "answers whoever came last"
  | "ends when a session cannot be made"
  | "serves a client without a session"
  | "cuts messages"
  | "cuts answers"
  | "decodes piece by piece"
  | "doubles line breaks"
  | "turns ids into text"
  | "loses answers"
  | "lets messages overtake each other"
  | "sends notifications late"
  | "drops notifications about no request"
  | "handles one request after another"
  | "dies of a message that is none"
  | "dies of a line that is no JSON"
  | "keeps sessions whose clients have left"
  | "keeps connections whose sessions have closed"
  | "dies when a client hangs up"
  | "ends with its last client"
  | "never stops"
  | "waits for calls under way"
  | "leaves calls under way hanging"
  | "keeps connections when it stops"
  | "goes on listening"
  | "keeps its port"
  | "forgets its sessions"
  | "cannot be stopped twice"
  | "makes a session too many"
  | "outlives its client"
  | "waits for answers to a client that has left";

export class ServerEnd extends LineEnd {
  #queue = Promise.resolve();
  #answered: () => void = () => undefined;
  #sent = 0;
  /** Requests without an answer. */
  readonly pending = new Set<unknown>();

  constructor(
    readonly socket: Socket,
    private readonly fault: Fault | undefined,
    private readonly fail: () => void,
    private readonly latest: () => ServerEnd,
  ) {
    super(socket, socket);
    socket.on("error", () => this.fault === "dies when a client hangs up" && this.fail());
  }

  override async send(
    message: JsonRpcMessage,
    options?: { readonly relatedRequestId?: string | number },
  ): Promise<void> {
    const { id, method } = message;
    this.pending.delete(id);
    this.#answered();
    if (this.fault === "loses answers" && method === undefined && ++this.#sent % 10 === 9) return;
    if (this.fault === "drops notifications about no request" && method && !options) return;
    if (this.fault === "sends notifications late" && method) {
      setTimeout(() => void super.send(message).catch(() => undefined), 30);
      return;
    }
    if (this.fault === "answers whoever came last" && this.latest() !== this) {
      await this.latest().send(message);
      return;
    }
    if (this.fault === "cuts answers" && JSON.stringify(message).length > 1_000_000)
      await super.send({ jsonrpc: "2.0", id, result: {} });
    else await super.send(this.fault === "turns ids into text" ? { ...message, id: String(id) } : message);
  }

  override close(): Promise<void> {
    return this.fault === "keeps connections whose sessions have closed" && !this.socket.closed
      ? Promise.resolve()
      : super.close();
  }

  protected override decode(chunk: Buffer): string {
    if (this.fault === "decodes piece by piece") return chunk.toString();
    return super.decode(chunk);
  }

  protected override take(text: string): void {
    if (this.fault === "dies of a line that is no JSON" && /^this/mu.test(text)) this.fail();
    const cut = this.fault === "cuts messages" && text.length > 10_000;
    super.take(cut ? text.replaceAll("🔧", "") : text);
  }

  protected override deliver(message: JsonRpcMessage): void {
    if (message.id !== undefined && message.method !== undefined) this.pending.add(message.id);
    if (this.fault === "dies of a message that is none" && message.method === undefined) this.fail();
    const text = this.fault === "doubles line breaks" && JSON.stringify(message).replaceAll("\\n", "\\n\\n");
    const taken = text ? (JSON.parse(text) as JsonRpcMessage) : message;
    if (this.fault === "lets messages overtake each other" && Number(message.params?.["value"]) % 2 === 1)
      setTimeout(() => super.deliver(taken), 5);
    else if (this.fault === "handles one request after another" && message.id !== undefined)
      this.#queue = this.#queue.then(() => {
        const answered = new Promise<void>((resolve) => (this.#answered = resolve));
        super.deliver(taken);
        return answered;
      });
    else super.deliver(taken);
  }
}
