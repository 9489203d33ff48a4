import { afterAll, describe, expect, it } from "@jest/globals";
import {
  createGuardedParser,
  type GuardedParser,
  type GuardedParserOptions,
} from "../../../src/core/documents/guarded-parse.js";
import type { KbError } from "../../../src/core/errors.js";
import { createParserRegistry } from "../../../src/core/documents/parser-registry.js";
import { createLogger } from "../../../src/core/logger.js";
import { fixtureRegistry } from "../../support/fixture-parsers.js";

const open: GuardedParser[] = [];
afterAll(async () => {
  for (const parser of open.splice(0)) await parser.dispose();
});

const never = new AbortController().signal;
const bytes = new TextEncoder().encode("some text");
const whole = { maxBytes: 1_000_000, withSections: false };
const sizes = { chunkTokens: { target: 300, max: 450 }, excludeHeadings: [] };

interface Fixture {
  readonly parse: (path: string, signal?: AbortSignal) => Promise<string>;
  readonly parser: GuardedParser;
  readonly log: string[];
}

async function start(
  options: GuardedParserOptions = {},
  parserOptions: Record<string, unknown> = {},
): Promise<Fixture> {
  const log: string[] = [];
  const registry = await fixtureRegistry("misbehaving-parsers.mjs", parserOptions);
  const parser = createGuardedParser(
    registry,
    createLogger("debug", (line) => log.push(line)),
    options,
  );
  open.push(parser);
  const parse = async (path: string, signal = never): Promise<string> =>
    (await parser.readText(path, bytes, whole, signal)).text;
  return { parse, parser, log };
}

let usual: Promise<Fixture> | undefined;
/** The same for all tests that need no limits of their own: a process takes a while to start. */
const misbehaving = (): Promise<Fixture> => (usual ??= start());

async function failure(promise: Promise<unknown>): Promise<Pick<KbError, "code" | "message" | "hint">> {
  return promise.then(
    (value) => {
      throw new Error(`expected a failure, got ${JSON.stringify(value)}`);
    },
    (error: unknown) => error as KbError,
  );
}

describe("guarded parsing", () => {
  it("gives the parser decoded text, or bytes alone if the format is binary", async () => {
    const { parser, parse } = await misbehaving();
    expect(await parse("notes/a.echo")).toBe("some text");
    const shiftJis = Uint8Array.from([0x93, 0xfa, 0x96, 0x7b, 0x8c, 0xea]);
    expect((await parser.readText("b.echo", shiftJis, whole, never)).text).toBe("日本語");
    expect((await parser.readText("c.bytes", shiftJis, whole, never)).text).toBe("147,250,150,123,140,234 ");
  });

  it("reads the view it is given, not the buffer behind it", async () => {
    const { parser } = await misbehaving();
    const view = new TextEncoder().encode("before text after").subarray(7, 11);
    expect((await parser.readText("a.echo", view, whole, never)).text).toBe("text");
    expect(view.length).toBe(4);
  });

  it("lets a read go ahead of files that wait for the index", async () => {
    const { parser, parse } = await misbehaving();
    const done: string[] = [];
    const cut = (path: string): Promise<unknown> =>
      parser.readChunks(path, bytes, sizes, never).finally(() => done.push(path));
    const index = ["1.echo", "2.echo", "3.echo", "4.echo"].map(cut);
    const read = parse("read.echo").finally(() => done.push("read.echo"));
    await Promise.all([...index, read]);
    expect(done).toEqual(["1.echo", "read.echo", "2.echo", "3.echo", "4.echo"]);
  });

  it("does not let a read wait for a long file of the index", async () => {
    const { parser, parse } = await start();
    const running = new AbortController();
    const long = failure(parser.readChunks("long.hang", bytes, sizes, running.signal));
    const waiting = failure(parser.readChunks("waiting.echo", bytes, sizes, running.signal));
    expect(await Promise.all([parse("1.echo"), parse("2.echo")])).toEqual(["some text", "some text"]);
    running.abort();
    expect(await Promise.all([long, waiting])).toMatchObject([
      { code: "KB_CANCELLED" },
      { code: "KB_CANCELLED" },
    ]);
  });

  it("serves calls in order, also those that wait", async () => {
    const { parse } = await misbehaving();
    const done: string[] = [];
    const paths = ["1.echo", "2.throw", "3.echo", "4.echo"];
    await Promise.allSettled(paths.map((path) => parse(path).finally(() => done.push(path))));
    expect(done).toEqual(paths);
  });

  it("refuses a file without a parser", async () => {
    const { parse } = await misbehaving();
    expect(await failure(parse("a.unknown"))).toMatchObject({ code: "KB_READ_EXTENSION" });
  });

  it("refuses bytes that are not text, by name", async () => {
    const { parser } = await misbehaving();
    const error = await failure(
      parser.readText("a/b.echo", Uint8Array.from([1, 0, 2, 0, 0, 7]), whole, never),
    );
    expect(error.code).toBe("KB_PARSE_ENCODING");
    expect(error.message).toContain("a/b.echo");
  });

  it.each(["hang", "never"])("gives up on a parser that does not end (%s), and goes on", async (id) => {
    const { parse } = await start({ milliseconds: 1500 });
    const slow = failure(parse(`notes/a.${id}`));
    const next = parse("b.echo");
    const error = await slow;
    expect(error.code).toBe("KB_PARSE_TIMEOUT");
    expect(error.message).toContain(id);
    expect(error.message).toContain(`notes/a.${id}`);
    expect(await next).toBe("some text");
  });

  it.each(["heap", "allocation", "buffers"])(
    "ends a parser that uses up memory (%s), and goes on",
    async (id) => {
      const { parse } = await start({ heapMiB: 64 });
      const error = await failure(parse(`a.${id}`));
      expect(error.code).toBe("KB_PARSE_MEMORY");
      expect(error.message).toContain(id);
      expect(await parse("b.echo")).toBe("some text");
    },
  );

  it("names the parser and the file when a parser throws, in one line", async () => {
    const { parse } = await misbehaving();
    const error = await failure(parse("notes/a.throw"));
    expect(error.code).toBe("KB_PARSE_FAILED");
    expect(error.message).toBe("The parser throw could not read notes/a.throw: the file is upside down");
  });

  it("keeps the code and the hint of a KbError that a parser throws", async () => {
    const { parse } = await misbehaving();
    expect(await failure(parse("notes/a.refuse"))).toMatchObject({
      code: "KB_READ_TOO_LARGE",
      message: "notes/a.refuse: too wide",
      hint: "Fold it.",
    });
  });

  it("names the place of a file in the log only when a parser's message does", async () => {
    const { parse, log } = await start();
    const error = await failure(parse("notes/a.missing"));
    expect(error).toMatchObject({
      code: "KB_PARSE_FAILED",
      message: "The parser missing could not read notes/a.missing",
    });
    expect(error.hint).toContain("log");
    const line = log.find((each) => each.includes("no such place")) ?? "";
    expect(line).toContain("kb-mcp warn: The parser missing could not read notes/a.missing: Error: ENOENT");
    expect(line).toContain("misbehaving-parsers.mjs");
  });

  it("shows a KbError of a parser only if it is one for callers or about a file", async () => {
    const { parse } = await misbehaving();
    expect(await failure(parse("a.startup"))).toMatchObject({
      code: "KB_PARSE_FAILED",
      message: "The parser startup could not read a.startup",
    });
  });

  it("names the place of a plugin that cannot be loaded in the log only", async () => {
    const moduleUrl = "file:///srv/plugins/gone.mjs";
    const entry = { id: "gone", version: "1", extensions: ["gone"], mediaType: "text/plain" } as const;
    const registry = createParserRegistry([
      { ...entry, owner: "gone 1", binary: false, moduleUrl, options: {} },
    ]);
    const log: string[] = [];
    const parser = createGuardedParser(
      registry,
      createLogger("warn", (line) => log.push(line)),
    );
    open.push(parser);
    const error = await failure(parser.readText("a.gone", bytes, whole, never));
    expect(error.message).toBe("The parser gone could not read a.gone");
    expect(log.join("\n")).toContain(moduleUrl);
  });

  it.each([
    ["throwlater", "too late"],
    ["rejectlater", "nobody listens"],
    ["exit", "exit code 3"],
    ["exitcleanly", "exit code 0"],
  ])("survives a parser that fails outside of its call (%s)", async (id, reason) => {
    const { parse } = await misbehaving();
    const error = await failure(parse(`a.${id}`));
    expect(error.code).toBe("KB_PARSE_FAILED");
    expect(error.message).toContain(id);
    expect(error.message).toContain(reason);
    expect(await parse("b.echo")).toBe("some text");
  });

  it("gives a parser its options, a logger and a directory of its own", async () => {
    const { parse, log } = await start({}, { options: { depth: 3 } });
    expect(await parse("a.options")).toBe('{"depth":3}');
    await parse("a.log");
    expect(log).toContain("kb-mcp warn: directory log");
  });

  it("refuses options that are no plain data", async () => {
    const { parse } = await start({}, { options: { call: () => undefined } });
    expect(await failure(parse("a.options"))).toMatchObject({ code: "KB_PARSE_FAILED" });
    expect(await parse("a.echo")).toBe("some text");
  });

  it("cancels a file that waits and one that is being parsed", async () => {
    const { parse } = await misbehaving();
    const running = new AbortController();
    const waiting = new AbortController();
    const first = failure(parse("1.hang", running.signal));
    const second = failure(parse("2.echo", waiting.signal));
    const third = parse("3.echo");
    waiting.abort();
    expect(await second).toMatchObject({ code: "KB_CANCELLED" });
    running.abort();
    expect(await first).toMatchObject({ code: "KB_CANCELLED" });
    expect(await third).toBe("some text");
    expect(await failure(parse("4.echo", AbortSignal.abort()))).toMatchObject({ code: "KB_CANCELLED" });
  });

  it("cancels everything when it is disposed of", async () => {
    const { parse, parser } = await start();
    const results = [failure(parse("1.hang")), failure(parse("2.echo"))];
    await parser.dispose();
    for (const result of results) expect(await result).toMatchObject({ code: "KB_CANCELLED" });
    expect(await failure(parse("3.echo"))).toMatchObject({ code: "KB_CANCELLED" });
  });
});

describe("a parser's result", () => {
  it("is refused when it is no document, with the parser, the file and what is wrong", async () => {
    const registry = await fixtureRegistry("rubbish-parsers.mjs");
    const parser = createGuardedParser(registry, createLogger("error"));
    open.push(parser);
    for (const { id } of registry.entries) {
      const error = await failure(parser.readText(`a.${id}`, bytes, whole, never));
      expect([id, error.code]).toEqual([id, "KB_PARSE_RESULT"]);
      expect(error.message).toContain(`The parser ${id} on a.${id} returned what is not a document: `);
    }
  });
});
