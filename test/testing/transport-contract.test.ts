import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { describe, expect, it } from "@jest/globals";
import type { McpSession } from "../../src/core/plugin-api.js";
import { transportContract, type TransportUnderTest } from "../../src/testing/index.js";
import { runContract, type Ran } from "./support/run-contract.js";
import type { Fault } from "./support/socket-end.js";
import { socketTransports } from "./support/socket-transport.js";

/** Connects the SDK's own linked ends. */
function startInMemory(createSession: () => Promise<McpSession>): Promise<TransportUnderTest> {
  const sessions: McpSession[] = [];
  let stopped = false;
  return Promise.resolve({
    ended: new Promise(() => undefined),
    async connect() {
      if (stopped) throw new Error("nobody is there");
      const [client, server] = InMemoryTransport.createLinkedPair();
      const session = await createSession();
      sessions.push(session);
      await session.connect(server);
      return client;
    },
    async stop() {
      stopped = true;
      for (const session of sessions) await session.close();
    },
    disturb: () => Promise.resolve(),
  });
}

describe("the transport contract, with linked ends of the SDK", () => {
  transportContract(startInMemory, { describe, it }, { connections: "many" });
});

/** What one fault must be caught by. */
const many: Readonly<Partial<Record<Fault, string>>> = {
  "says it has started before it listens":
    "connecting: takes requests once it has started, while the session is still being made",
  "loses what comes before the session is there":
    "connecting: takes requests once it has started, while the session is still being made",
  "shares a session": "connecting: gives each connection a session of its own",
  "answers whoever came last":
    "connecting: gives each of two clients its own answers, though they use the same ids",
  "ends when a session cannot be made":
    "connecting: turns away a client whose session cannot be made, and serves the others",
  "serves a client without a session":
    "connecting: turns away a client whose session cannot be made, and serves the others",
  "cuts messages": "messages: carries a request of almost 1 MiB, and the same back",
  "decodes piece by piece": "messages: carries a request of almost 1 MiB, and the same back",
  "cuts answers": "messages: carries an answer of several MiB",
  "doubles line breaks": "messages: carries every kind of text unchanged",
  "turns ids into text": "messages: keeps the ids of requests, be they numbers or texts",
  "loses answers": "messages: gives many requests at once each its own answer",
  "lets messages overtake each other": "messages: delivers messages in the order in which they were sent",
  "sends notifications late":
    "messages: delivers what a session tells about a request in order, and before the answer",
  "drops notifications about no request": "messages: delivers what a session tells without being asked",
  "handles one request after another": "messages: lets no request wait for another that takes long",
  "dies of a message that is none": "messages: serves on after messages that are none",
  "dies of a line that is no JSON": "messages: serves on after bytes that are not even JSON",
  "keeps sessions whose clients have left":
    "leaving: closes the session of a client that leaves, and no other",
  "keeps connections whose sessions have closed":
    "leaving: ends the connection of a session that closes, and no other",
  "dies when a client hangs up": "leaving: serves the others when a client leaves in the middle of an answer",
  "ends with its last client": "leaving: goes on when its last client has left",
  "never stops": "stopping: stops without a client",
  "waits for calls under way": "stopping: answers what is under way when it stops, or ends the connection",
  "leaves calls under way hanging":
    "stopping: answers what is under way when it stops, or ends the connection",
  "keeps connections when it stops": "stopping: answers nobody after it has stopped",
  "goes on listening": "stopping: takes no new client after it has stopped",
  "forgets its sessions": "stopping: closes every session when it stops",
  "cannot be stopped twice": "stopping: can be stopped twice, at once and later",
  "keeps its port": "stopping: leaves its place to another that is started after it",
};

const one: Readonly<Partial<Record<Fault, string>>> = {
  "makes a session too many": "connecting: makes one session for its one client",
  "outlives its client": "leaving: ends when its client leaves",
  "waits for answers to a client that has left":
    "leaving: ends when its client leaves, though a request is not answered",
};

/** Milliseconds that a broken transport is waited for. */
const patience = 400;

/** Runs the contract, or one test of it. */
async function run(single: boolean, fault?: Fault, only?: string): Promise<Ran> {
  const { start, release } = socketTransports(single, fault);
  try {
    return await runContract((runner) => {
      let group = "";
      transportContract(
        start,
        {
          describe(name, body) {
            group = name;
            runner.describe(name, body);
          },
          it: (name, body) =>
            only === undefined || only === `${group}: ${name}` ? runner.it(name, body) : undefined,
        },
        { connections: single ? "one" : "many", ...(fault && { milliseconds: patience }) },
      );
    });
  } finally {
    release();
  }
}

describe("the transport contract", () => {
  for (const single of [true, false])
    it(`passes a transport for ${single ? "one client" : "many clients"} that keeps every promise`, async () => {
      const { names, failures } = await run(single);
      expect([...failures]).toEqual([]);
      expect(new Set(names).size).toBe(names.length);
    });

  it("can fail in every test", () => {
    const names: string[] = [];
    for (const connections of ["one", "many"] as const) {
      let group = "";
      const describeGroup = (name: string, body: () => void): void => {
        group = name;
        body();
      };
      transportContract(
        startInMemory,
        { describe: describeGroup, it: (name) => names.push(`${group}: ${name}`) },
        { connections },
      );
    }
    expect(new Set([...Object.values(many), ...Object.values(one)])).toEqual(new Set(names));
  });

  for (const [single, caught] of [
    [false, many],
    [true, one],
  ] as const)
    for (const [fault, test] of Object.entries(caught) as [Fault, string][])
      it(`catches a transport that ${fault}`, async () => {
        const { names, failures } = await run(single, fault, test);
        expect(names).toEqual([test]);
        expect([...failures.keys()]).toEqual([test]);
      });
});
