// Counts the requests that are not answered yet, so that `printf … | kb-mcp serve` gets its answers although its
// input has already ended.
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage, RequestId } from "@modelcontextprotocol/sdk/types.js";

export interface PendingRequests {
  /** Resolves when none is left, or after `milliseconds`. */
  settled(milliseconds: number): Promise<void>;
}

/** Watches a transport; call it before a session is connected to it. */
export function watchRequests(transport: Transport): PendingRequests {
  const pending = new Set<RequestId>();
  const waiting = new Set<() => void>();
  const settle = (id: RequestId | undefined): void => {
    if (id !== undefined) pending.delete(id);
    if (pending.size === 0) for (const wake of waiting) wake();
  };

  transport.onmessage = (message) => {
    if ("method" in message && "id" in message) pending.add(message.id);
    else settle(cancelledRequest(message));
  };
  const send = transport.send.bind(transport);
  transport.send = async (message, options) => {
    await send(message, options);
    if (!("method" in message)) settle(message.id);
  };

  return {
    async settled(milliseconds) {
      if (pending.size === 0) return;
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          clearTimeout(timer);
          waiting.delete(wake);
          resolve();
        };
        const timer = setTimeout(wake, milliseconds);
        waiting.add(wake);
      });
    },
  };
}

/** A cancelled request is never answered. */
function cancelledRequest(message: JSONRPCMessage): RequestId | undefined {
  if (!("method" in message) || message.method !== "notifications/cancelled") return undefined;
  return message.params?.["requestId"] as RequestId | undefined;
}
