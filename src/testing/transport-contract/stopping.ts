// What must hold of stop(): it ends everything, whatever is under way, and leaves nothing behind.
import assert from "node:assert/strict";
import { assertAnswers, eventually, type TransportCheck } from "./check.js";
import { within } from "./client.js";

export const stoppingChecks: readonly TransportCheck[] = [
  {
    name: "stops without a client",
    run: ({ stop }) => stop(),
  },
  {
    name: "answers what is under way when it stops, or ends the connection",
    async run({ client, stop, milliseconds }) {
      const one = await client();
      const settled = one.request("contract/never").then(
        () => undefined,
        (error: unknown) => assert.doesNotMatch(String(error), /not within/, "the call hangs"),
      );
      const end = Promise.race([settled, one.disturbed]);
      end.catch(() => undefined);
      await assertAnswers(one, "the client");
      await stop();
      await within(end, milliseconds, "the end of a call under way");
    },
  },
  {
    name: "answers nobody after it has stopped",
    async run({ client, stop }) {
      const one = await client();
      await stop();
      await assert.rejects(one.request("contract/echo"), "a connection outlives the transport");
    },
  },
  {
    name: "takes no new client after it has stopped",
    connections: "many",
    async run({ client, stop }) {
      await stop();
      await assert.rejects(client(), "a transport that has stopped takes clients");
    },
  },
  {
    name: "closes every session when it stops",
    async run({ client, stop, sessions, milliseconds }) {
      await client();
      await stop();
      await eventually(() => sessions().open === 0, milliseconds, "the end of every session");
    },
  },
  {
    name: "can be stopped twice, at once and later",
    async run({ client, stop }) {
      await client();
      await Promise.all([stop(), stop()]);
      await stop();
    },
  },
  {
    name: "leaves its place to another that is started after it",
    async run({ client, stop, another }) {
      await assertAnswers(await client(), "a client of the first");
      await stop();
      const next = await another();
      await assertAnswers(await next.client(), "a client of the next");
      await next.stop();
    },
  },
];
