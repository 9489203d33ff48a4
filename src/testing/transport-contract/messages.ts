// What must hold of messages: they arrive whole, in order, each answer at its request, whatever else is sent.
import assert from "node:assert/strict";
import { assertAnswers, eventually, type TransportCheck } from "./check.js";
import { longText } from "./sessions.js";

/** UTF-16 units of a text that stays just below 1 MiB as UTF-8 in JSON, which is what kb-mcp lets a request take. */
const longRequest = 540_000;
/** The same for an answer: a document of 1 MiB is sent twice, as text and as JSON. */
const longAnswer = 2_000_000;

const manyRequests = 100;

const ids = [0, 1, "1", "0", -7, 2 ** 40, "a b/c", "日本語", "🔧"];

const texts = [
  "",
  "日本語のメモ",
  "👩‍👩‍👧‍👦",
  "é",
  "line\nline\r\nline\u2028line\u2029",
  "\u0000\u001b\u007f",
  '"\\',
];

/** What is JSON, but no message of JSON-RPC. */
const noMessages = [{}, { jsonrpc: "2.0" }, { jsonrpc: "1.0", id: 1, method: 3 }, { id: {} }, "text", 7];

/** What is not even JSON; ends with a line end, after which a stream of lines begins anew. */
const garbage = [
  Buffer.from("this is not a message\n"),
  Buffer.from('{"jsonrpc":"2.0","id":1,\n'),
  Buffer.from([0xff, 0xfe, 0x00, 0xc3, 0x28, 0x0a]),
  Buffer.from("\n\n"),
];

export const messageChecks: readonly TransportCheck[] = [
  {
    name: "carries a request of almost 1 MiB, and the same back",
    async run({ client }) {
      const params = { text: longText(longRequest) };
      const result = await (await client()).request("contract/echo", params);
      assert.ok(result["text"] === params.text, "the text came back changed");
    },
  },
  {
    name: "carries an answer of several MiB",
    async run({ client }) {
      const { text } = await (await client()).request("contract/text", { length: longAnswer });
      assert.ok(text === longText(longAnswer), "the text arrived changed");
    },
  },
  {
    name: "carries every kind of text unchanged",
    async run({ client }) {
      const params = { texts, nested: { 鍵: [null, true, 0.5] } };
      assert.deepEqual(await (await client()).request("contract/echo", params), params);
    },
  },
  {
    name: "keeps the ids of requests, be they numbers or texts",
    async run({ client }) {
      const one = await client();
      for (const id of ids) await one.request("contract/echo", { id }, id);
    },
  },
  {
    name: "gives many requests at once each its own answer",
    async run({ client }) {
      const one = await client();
      const answers = Array.from({ length: manyRequests }, (_, number) =>
        one.request("contract/echo", { number, text: longText(number * 50) }),
      );
      for (const [number, { number: found }] of (await Promise.all(answers)).entries())
        assert.equal(found, number, "a request has the answer to another");
    },
  },
  {
    name: "delivers messages in the order in which they were sent",
    async run({ client }) {
      const one = await client();
      const values = Array.from({ length: manyRequests }, (_, number) => number);
      for (const value of values) await one.notify("contract/record", { value });
      await eventually(
        async () => ((await one.request("contract/recorded"))["values"] as unknown[]).length >= values.length,
        1000,
        "the arrival of all notifications",
      );
      assert.deepEqual((await one.request("contract/recorded"))["values"], values);
    },
  },
  {
    name: "delivers what a session tells about a request in order, and before the answer",
    async run({ client }) {
      const one = await client();
      one.received.length = 0;
      await one.request("contract/notify", { count: 20, related: true });
      assert.deepEqual(one.received, [...Array.from({ length: 20 }, (_, number) => number), "answer"]);
    },
  },
  {
    name: "delivers what a session tells without being asked",
    async run({ client, milliseconds }) {
      const one = await client();
      // A client over HTTP may not listen yet when the first is sent.
      await eventually(
        async () => {
          await one.request("contract/notify", { count: 1, related: false });
          return one.received.includes(0);
        },
        milliseconds,
        "the arrival of a notification",
      );
    },
  },
  {
    name: "lets no request wait for another that takes long",
    async run({ client, stop }) {
      const one = await client();
      const long = Promise.allSettled([one.request("contract/never")]);
      await assertAnswers(one, "the client that waits");
      await stop();
      await Promise.race([long, one.disturbed]);
    },
  },
  {
    name: "serves on after messages that are none",
    async run({ client, hasEnded }) {
      const one = await client();
      // Refusing them is as good as ignoring them.
      for (const message of noMessages) await Promise.allSettled([one.send(message)]);
      await assertAnswers(one, "the client that sent them");
      assert.ok(!hasEnded(), "the transport has ended");
    },
  },
  {
    name: "serves on after bytes that are not even JSON",
    async run({ client, disturb, hasEnded }) {
      const one = await client();
      for (const bytes of garbage) await disturb(bytes);
      await assertAnswers(one, "a client after them");
      assert.ok(!hasEnded(), "the transport has ended");
    },
  },
];
