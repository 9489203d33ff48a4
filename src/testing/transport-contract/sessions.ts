// Sessions that do what the suite asks of them over the protocol itself, so that a transport may run in a process of
// its own. They know nothing of the SDK: they show what a transport does, not what a session does.
import { setTimeout as delay } from "node:timers/promises";
import type { McpSession } from "../../core/plugin-api.js";
import type { ConnectionEnd, JsonRpcMessage } from "./message.js";

export interface SessionCounts {
  readonly made: number;
  readonly open: number;
}

export interface ContractSessions {
  /** What the transport's `start` takes. */
  readonly createSession: () => Promise<McpSession>;
  counts(): SessionCounts;
}

/** Milliseconds that making a session takes: clients speak before it is there. */
const makingTime = 20;

const methodNotFound = -32601;

type Params = Readonly<Record<string, unknown>>;

/** The text that `contract/text` answers: no two places look alike, and characters take one to four bytes. */
export function longText(length: number): string {
  const parts: string[] = [];
  for (let size = 0, at = 0; size < length; at++) {
    const part = `${at} 設備の点検🔧 pump\n`;
    parts.push(part);
    size += part.length;
  }
  return parts.join("").slice(0, length);
}

/** Makes the sessions for one transport. */
export function contractSessions(): ContractSessions {
  let made = 0;
  let open = 0;
  let refusing = false;
  const counts = (): SessionCounts => ({ made, open });
  return {
    counts,
    async createSession() {
      await delay(makingTime);
      if (refusing) {
        refusing = false;
        throw new Error("this session cannot be made, as the client asked");
      }
      const number = ++made;
      open++;
      return newSession({
        number,
        counts,
        refuseNext: () => (refusing = true),
        onClosed: () => open--,
      });
    },
  };
}

interface Surroundings {
  readonly number: number;
  counts(): SessionCounts;
  refuseNext(): void;
  onClosed(): void;
}

function newSession(around: Surroundings): McpSession {
  const recorded: unknown[] = [];
  let connection: ConnectionEnd | undefined;
  let closed = false;
  const markClosed = (): void => {
    if (closed) return;
    closed = true;
    around.onClosed();
  };
  const session: McpSession = {
    async connect(transport) {
      const end = transport as ConnectionEnd;
      connection = end;
      // As the SDK does it: whoever listened before goes on listening.
      const onmessage = end.onmessage?.bind(end);
      const onclose = end.onclose?.bind(end);
      end.onclose = () => {
        onclose?.();
        markClosed();
      };
      end.onmessage = (message) => {
        onmessage?.(message);
        // A client that is gone gets no answer; that is for the transport to notice.
        void take(end, message).catch(() => undefined);
      };
      await end.start();
    },
    async close() {
      markClosed();
      await connection?.close();
    },
  };

  async function take(end: ConnectionEnd, message: Partial<JsonRpcMessage> | null): Promise<void> {
    const { id, method, params = {} } = message ?? {};
    if (method === "contract/record") recorded.push(params["value"]);
    if (method === undefined || id === undefined || id === null) return;
    const answer = (rest: Pick<JsonRpcMessage, "result" | "error">): Promise<void> =>
      end.send({ jsonrpc: "2.0", id, ...rest });
    if (method === "contract/never") return;
    if (method === "contract/notify") await notify(end, params, id);
    const result = resultOf(method, params);
    await answer(result ? { result } : { error: { code: methodNotFound, message: `no method ${method}` } });
    if (method === "contract/close") await session.close();
  }

  function resultOf(method: string, params: Params): Params | undefined {
    switch (method) {
      case "initialize":
        return {
          protocolVersion: params["protocolVersion"],
          capabilities: {},
          serverInfo: { name: "contract", version: "1" },
        };
      case "contract/echo":
        return params;
      case "contract/text":
        return { text: longText(Number(params["length"])) };
      case "contract/recorded":
        return { values: recorded };
      case "contract/sessions":
        return { number: around.number, ...around.counts() };
      case "contract/refuse":
        around.refuseNext();
        return {};
      case "contract/notify":
      case "contract/close":
        return {};
      default:
        return undefined;
    }
  }
  return session;
}

async function notify(end: ConnectionEnd, params: Params, id: string | number): Promise<void> {
  for (let number = 0; number < Number(params["count"]); number++)
    await end.send(
      { jsonrpc: "2.0", method: "notifications/contract", params: { number } },
      params["related"] === true ? { relatedRequestId: id } : undefined,
    );
}
