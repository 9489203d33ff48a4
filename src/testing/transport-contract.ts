// The suite that every Transport must pass: each promise of the interface, checked from the clients' side.
import type { McpSession } from "../core/plugin-api.js";
import type { TestRunner } from "./test-runner.js";
import type { TransportCheck, TransportSubject } from "./transport-contract/check.js";
import { ContractClient, within } from "./transport-contract/client.js";
import { connectingChecks } from "./transport-contract/connecting.js";
import { leavingChecks } from "./transport-contract/leaving.js";
import type { ConnectionEnd } from "./transport-contract/message.js";
import { messageChecks } from "./transport-contract/messages.js";
import { contractSessions } from "./transport-contract/sessions.js";
import { stoppingChecks } from "./transport-contract/stopping.js";

export { contractSessions } from "./transport-contract/sessions.js";
export type { ContractSessions } from "./transport-contract/sessions.js";
export type { ConnectionEnd, JsonRpcMessage } from "./transport-contract/message.js";

/** A transport that has started, in this process or in one of its own. */
export interface TransportUnderTest {
  /**
   * The client's end of a new connection, not started yet; client transports of the MCP SDK fit. Its `close` leaves for
   * good: over HTTP that is a DELETE.
   */
  connect(): ConnectionEnd | Promise<ConnectionEnd>;
  /** As the transport's own; for one in a process of its own, the end of that process. */
  readonly ended: Promise<unknown>;
  /** As the transport's own; for one in a process of its own, what ends that process from outside. */
  stop(): Promise<void>;
  /**
   * Writes bytes to the server that are no message: on the one connection, or on one of their own where there can be
   * many. Does nothing where no bytes are sent.
   */
  disturb(bytes: Uint8Array): Promise<void>;
}

const defaultMilliseconds = 10_000;

const groups: Readonly<Record<string, readonly TransportCheck[]>> = {
  connecting: connectingChecks,
  messages: messageChecks,
  leaving: leavingChecks,
  stopping: stoppingChecks,
};

/**
 * Defines the tests of a transport. Each starts a transport of its own and stops it.
 * @param startTransport starts a transport, always in the same place, such as one port: so the suite sees that one that
 *   was stopped leaves it free. A transport in a process of its own makes its sessions there, with `contractSessions`
 * @param runner for example `{ describe, it }` of the runner in use
 * @param traits.connections "one" for a transport that ends with its one client
 * @param traits.milliseconds what any one answer or ending may take; 10 seconds if absent
 */
export function transportContract(
  startTransport: (createSession: () => Promise<McpSession>) => Promise<TransportUnderTest>,
  runner: TestRunner,
  {
    connections,
    milliseconds = defaultMilliseconds,
  }: { readonly connections: "one" | "many"; readonly milliseconds?: number },
): void {
  for (const [group, checks] of Object.entries(groups))
    runner.describe(group, () => {
      for (const check of checks.filter((each) => (each.connections ?? connections) === connections))
        runner.it(check.name, async () => {
          const cleanUps: (() => Promise<unknown>)[] = [];
          try {
            await check.run(await startSubject(startTransport, milliseconds, cleanUps));
          } finally {
            for (const cleanUp of cleanUps.reverse()) await cleanUp();
          }
        });
    });
}

async function startSubject(
  startTransport: Parameters<typeof transportContract>[0],
  milliseconds: number,
  cleanUps: (() => Promise<unknown>)[],
): Promise<TransportSubject> {
  const sessions = contractSessions();
  const transport = await within(startTransport(sessions.createSession), milliseconds, "start");
  let hasEnded = false;
  const ended = transport.ended.then(() => void (hasEnded = true));
  ended.catch(() => undefined);
  const stop = (): Promise<void> => within(transport.stop(), milliseconds, "stop");
  cleanUps.push(stop);
  return {
    milliseconds,
    stop,
    hasEnded: () => hasEnded,
    ended: () => within(ended, milliseconds, "the end of the transport"),
    sessions: () => sessions.counts(),
    disturb: (bytes) => within(transport.disturb(bytes), milliseconds, "writing bytes"),
    another: () => startSubject(startTransport, milliseconds, cleanUps),
    async client() {
      const end = await transport.connect();
      // A client that the transport has already left may fail to leave.
      cleanUps.push(() => Promise.allSettled([within(end.close(), milliseconds, "leaving")]));
      return ContractClient.open(end, milliseconds);
    },
  };
}
