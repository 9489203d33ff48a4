// What must hold when one side of a connection goes: its session ends, and nothing that does not belong to it.
import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { assertAnswers, eventually, sessionsSeen, type TransportCheck } from "./check.js";
import { within } from "./client.js";

/** UTF-16 units of an answer that takes a while to send. */
const longAnswer = 4_000_000;

/** Milliseconds in which a transport that ends with its last client would do so. */
const endingTime = 100;

export const leavingChecks: readonly TransportCheck[] = [
  {
    name: "ends when its client leaves",
    connections: "one",
    async run({ client, ended, hasEnded }) {
      const one = await client();
      await assertAnswers(one, "the client");
      assert.ok(!hasEnded(), "the transport ends while its client is there");
      await one.close();
      await ended();
    },
  },
  {
    name: "ends when its client leaves, though a request is not answered",
    connections: "one",
    async run({ client, ended }) {
      const one = await client();
      const open = Promise.allSettled([one.request("contract/never")]);
      await assertAnswers(one, "the client");
      await one.close();
      await ended();
      await open;
    },
  },
  {
    name: "closes the session of a client that leaves, and no other",
    connections: "many",
    async run({ client, milliseconds }) {
      const [staying, leaving] = [await client(), await client()];
      await leaving.close();
      const open = async (): Promise<boolean> => (await sessionsSeen(staying)).open === 1;
      await eventually(open, milliseconds, "the end of a session whose client has left");
      await assertAnswers(staying, "the client that stays");
    },
  },
  {
    name: "ends the connection of a session that closes, and no other",
    connections: "many",
    async run({ client, milliseconds }) {
      const [staying, closed] = [await client(), await client()];
      // The end may overtake the answer.
      await Promise.allSettled([closed.request("contract/close")]);
      const refused = closed.request("contract/echo").then(
        () => false,
        (error: unknown) => !/not within/.test(String(error)),
      );
      assert.ok(
        await within(Promise.race([refused, closed.disturbed.then(() => true)]), milliseconds, "the end"),
        "a session that has closed is still connected",
      );
      await assertAnswers(staying, "the other client");
    },
  },
  {
    name: "serves the others when a client leaves in the middle of an answer",
    connections: "many",
    async run({ client, hasEnded }) {
      const staying = await client();
      for (let round = 0; round < 3; round++) {
        const leaving = await client();
        const cut = Promise.allSettled([leaving.request("contract/text", { length: longAnswer })]);
        await leaving.close();
        await assertAnswers(staying, "the client that stays");
        await cut;
      }
      await assertAnswers(await client(), "a new client");
      assert.ok(!hasEnded(), "the transport has ended");
    },
  },
  {
    name: "goes on when its last client has left",
    connections: "many",
    async run({ client, hasEnded, milliseconds }) {
      await (await client()).close();
      // A transport that ends now needs a moment to do so.
      await delay(endingTime);
      const next = await client();
      const alone = async (): Promise<boolean> => (await sessionsSeen(next)).open === 1;
      await eventually(alone, milliseconds, "the end of a session whose client has left");
      assert.ok(!hasEnded(), "the transport has ended");
    },
  },
];
