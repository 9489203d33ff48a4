// What must hold of clients that come: one session each, and no mixing of them.
import assert from "node:assert/strict";
import { assertAnswers, sessionsSeen, type TransportCheck } from "./check.js";

/** Requests with the same ids that two clients have under way at once. */
const sameIds = 20;

export const connectingChecks: readonly TransportCheck[] = [
  {
    name: "takes requests once it has started, while the session is still being made",
    async run({ client }) {
      await assertAnswers(await client(), "the first client");
    },
  },
  {
    name: "makes one session for its one client",
    connections: "one",
    async run({ client }) {
      const { made, open } = await sessionsSeen(await client());
      assert.deepEqual({ made, open }, { made: 1, open: 1 }, "it is not one session");
    },
  },
  {
    name: "gives each connection a session of its own",
    connections: "many",
    async run({ client }) {
      const clients = await Promise.all([client(), client(), client()]);
      const seen = await Promise.all(clients.map(sessionsSeen));
      assert.equal(new Set(seen.map(({ number }) => number)).size, 3, "two connections have one session");
      for (const { made, open } of seen)
        assert.deepEqual(
          { made, open },
          { made: 3, open: 3 },
          "there are not as many sessions as connections",
        );
    },
  },
  {
    name: "gives each of two clients its own answers, though they use the same ids",
    connections: "many",
    async run({ client }) {
      const clients = [await client(), await client()];
      await Promise.all(
        clients.flatMap((each, number) =>
          Array.from({ length: sameIds }, async (_, id) => {
            const params = { text: `client ${number}, request ${id}` };
            assert.deepEqual(await each.request("contract/echo", params, id), params);
          }),
        ),
      );
    },
  },
  {
    name: "turns away a client whose session cannot be made, and serves the others",
    connections: "many",
    async run({ client, hasEnded }) {
      const first = await client();
      await first.request("contract/refuse");
      await assert.rejects(client(), "the client is served without a session");
      await assertAnswers(first, "the client before");
      await assertAnswers(await client(), "the client after");
      assert.ok(!hasEnded(), "the transport has ended");
    },
  },
];
