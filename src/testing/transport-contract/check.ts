// One test of the transport contract, and what it is given.
import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import type { ContractClient } from "./client.js";
import type { SessionCounts } from "./sessions.js";

export interface TransportSubject {
  /** A client that has shaken hands. */
  readonly client: () => Promise<ContractClient>;
  /** Whether the transport has ended. */
  readonly hasEnded: () => boolean;
  /** Resolves when the transport has ended; rejects when that takes too long. */
  readonly ended: () => Promise<void>;
  readonly stop: () => Promise<void>;
  /** Writes bytes past the framing of messages. */
  readonly disturb: (bytes: Uint8Array) => Promise<void>;
  /** Of the sessions made in this process; none are where the transport runs elsewhere. */
  readonly sessions: () => SessionCounts;
  /** Starts one more transport as this one was started. */
  readonly another: () => Promise<TransportSubject>;
  readonly milliseconds: number;
}

export interface TransportCheck {
  /** A sentence of behaviour. */
  readonly name: string;
  /** Whether it is asked of transports that take one client, of those that take many, or of all. */
  readonly connections?: "one" | "many";
  run(subject: TransportSubject): Promise<void>;
}

/** A message there and back. */
export async function assertAnswers(client: ContractClient, who: string): Promise<void> {
  const params = { text: `${who} says こんにちは` };
  assert.deepEqual(await client.request("contract/echo", params), params, `${who} gets another's answer`);
}

/** What a client hears of the sessions. */
export async function sessionsSeen(
  client: ContractClient,
): Promise<{ readonly number: number; readonly made: number; readonly open: number }> {
  const { number, made, open } = await client.request("contract/sessions");
  return { number: Number(number), made: Number(made), open: Number(open) };
}

const pollingInterval = 20;

/** Waits for what comes about by itself. */
export async function eventually(
  holds: () => boolean | Promise<boolean>,
  milliseconds: number,
  what: string,
): Promise<void> {
  const deadline = performance.now() + milliseconds;
  while (!(await holds())) {
    assert.ok(performance.now() < deadline, `${what}: not within ${milliseconds} ms`);
    await delay(pollingInterval);
  }
}
