import { describe, expect, it } from "@jest/globals";
import { pluginApiVersion } from "../../src/core/plugin-api.js";
import type {
  ParsedDocument,
  Parser,
  ParserFactory,
  ParserInput,
  Plugin,
} from "../../src/core/plugin-api.js";
import { parserContract, type TestRunner } from "../../src/testing/index.js";
import { runContract, type Ran } from "./support/run-contract.js";

/** Each line is a section under a heading of its first word. */
function parseLog({ text }: ParserInput): ParsedDocument {
  const sections = text.split(/\r\n?|\n/).flatMap((line, index) => {
    const heading = line.split(" ")[0]!;
    if (heading === "") return [];
    return [{ heading, level: 1, text: line, startLine: index + 1, endLine: index + 1 }];
  });
  return { frontmatter: { lines: sections.length }, sections, text };
}

const samples = [
  { path: "a/monday.log", content: "pump stopped\n\nポンプ 始動\n" },
  { path: "a/tuesday.log", content: Buffer.from("\ufeffvalve opened") },
];

interface Changes {
  readonly milliseconds?: number;
  readonly parse?: Parser["parse"];
  readonly factory?: Partial<ParserFactory>;
  readonly plugin?: Partial<Plugin>;
  readonly options?: Readonly<Record<string, unknown>>;
}

/** @param only the test to run, as "group: name"; all if absent */
function run(
  { parse = parseLog, factory, plugin, options, milliseconds = 5000 }: Changes = {},
  only?: string,
): Promise<Ran> {
  const parser: ParserFactory = {
    id: "log",
    extensions: ["log"],
    mediaType: "text/plain",
    binary: false,
    create: () => ({ parse }),
    ...factory,
  };
  const whole = { name: "log", version: "1", apiVersion: pluginApiVersion, parsers: [parser], ...plugin };
  const subject = { plugin: whole, id: "log", samples, milliseconds, ...(options && { options }) };
  return runContract((runner) =>
    parserContract(subject, only === undefined ? runner : limited(runner, only)),
  );
}

function limited(runner: TestRunner, only: string): TestRunner {
  let group = "";
  return {
    describe(name, body) {
      group = name;
      runner.describe(name, body);
    },
    it: (name, body) => (`${group}: ${name}` === only ? runner.it(name, body) : undefined),
  };
}

/** A parser whose documents are changed after they are made. */
function changed(change: (document: ParsedDocument, input: ParserInput) => unknown): Changes {
  return { parse: (input) => change(parseLog(input), input) as ParsedDocument };
}

let parses = 0;
const refuse = (thrown: unknown, when: (text: string) => boolean): Changes =>
  changed((document, { text }) => {
    if (when(text)) throw thrown;
    return document;
  });
const why = "with a document, or with an Error that says why";

const caught: Readonly<Record<string, readonly [test: string, changes: Changes]>> = {
  "has no version": [
    "plugin: is a plugin with a name and a version, made for this version of the interface",
    { plugin: { version: "" } },
  ],
  "was made for another interface": [
    "plugin: is a plugin with a name and a version, made for this version of the interface",
    { plugin: { apiVersion: pluginApiVersion + 1 } },
  ],
  "has another id": ["plugin: offers one parser with the id", { factory: { id: "other" } }],
  "writes its extension with a dot": [
    "plugin: claims extensions in lower case without a dot",
    { factory: { extensions: [".log", "log"] } },
  ],
  "writes its extension in capitals": [
    "plugin: claims extensions in lower case without a dot",
    { factory: { extensions: ["LOG", "log"] } },
  ],
  "delivers an unknown kind": [
    "plugin: says what it delivers and whether it reads bytes",
    { factory: { mediaType: "text/html" as "text/plain" } },
  ],
  "does not claim its samples": [
    "plugin: claims the extension of each sample",
    { factory: { extensions: ["txt"] } },
  ],
  "takes no options": ["plugin: accepts the options and creates a parser", { options: { colour: "red" } }],
  "is silent on misspelt options": [
    "plugin: refuses an option that it does not know",
    {
      factory: {
        optionsSchema: { "~standard": { version: 1, vendor: "log", validate: (value) => ({ value }) } },
      },
    },
  ],
  "cannot be created": [
    "plugin: accepts the options and creates a parser",
    { factory: { create: () => Promise.reject(new Error("no")) } },
  ],
  "delivers a function": [
    "reading: delivers a plain document that can be cloned",
    changed((document) => ({ ...document, frontmatter: { later: () => 1 } })),
  ],
  "delivers an instance": [
    "reading: delivers a plain document that can be cloned",
    changed((document) => Object.assign(Object.create({ inherited: 1 }) as object, document)),
  ],
  "misspells a field": [
    "reading: delivers a plain document that can be cloned",
    changed((document) => ({ ...document, warning: "lost" })),
  ],
  "delivers a Date": [
    "reading: delivers metadata of JSON values",
    changed((document) => ({ ...document, frontmatter: { date: new Date(0) } })),
  ],
  "has a heading at level 0": [
    "reading: gives a heading to the sections above level 0, and to no other",
    changed((document) => ({
      ...document,
      sections: document.sections.map((each) => ({ ...each, level: 0 })),
    })),
  ],
  "has a level 7": [
    "reading: gives a heading to the sections above level 0, and to no other",
    changed((document) => ({
      ...document,
      sections: document.sections.map((each) => ({ ...each, level: 7 })),
    })),
  ],
  "counts lines from 0": [
    "reading: gives each section exactly its lines, in order and without overlap",
    changed((document) => ({
      ...document,
      sections: document.sections.map((each) => ({
        ...each,
        startLine: each.startLine! - 1,
        endLine: each.endLine! - 1,
      })),
    })),
  ],
  "trims its sections": [
    "reading: gives each section exactly its lines, in order and without overlap",
    changed((document) => ({
      ...document,
      sections: document.sections.map((each) => ({ ...each, text: each.text.slice(1) })),
    })),
  ],
  "overlaps its sections": [
    "reading: gives each section exactly its lines, in order and without overlap",
    changed((document) => ({ ...document, sections: document.sections.flatMap((each) => [each, each]) })),
  ],
  "warns in objects": [
    "reading: warns in texts",
    changed((document) => ({ ...document, warnings: [{ line: 1 }] })),
  ],
  "finds nothing": [
    "reading: finds text in a sample",
    changed((document) => ({ ...document, sections: [] })),
  ],
  "loses characters": [
    "reading: adds no U+FFFD and no NUL to the text",
    changed((document) => ({ ...document, text: document.text.replace("p", "\ufffd") })),
  ],
  "numbers its documents": [
    "reading: makes the same of a file each time, whatever was parsed between",
    changed((document) => ({ ...document, frontmatter: { number: parses++ } })),
  ],
  "writes into the bytes": [
    "reading: leaves the bytes as they are",
    changed((document, { bytes }) => {
      bytes.reverse();
      return document;
    }),
  ],
  "writes to stdout": [
    "reading: prints nothing to stdout, which may belong to the protocol",
    changed((document) => {
      process.stdout.write("a stray line\n");
      return document;
    }),
  ],
  "uses the console": [
    "reading: prints nothing to stdout, which may belong to the protocol",
    changed((document) => {
      globalThis.console.log("a stray line");
      return document;
    }),
  ],
  "ends the process": [
    "reading: does not end the process",
    changed((document, { text }) => {
      if (text === "") process.exit(3);
      return document;
    }),
  ],
  "throws a text at an empty file": [
    `damaged files: answers an empty file ${why}`,
    refuse("empty", (text) => text === ""),
  ],
  "gives no reason for refusing a line break": [
    `damaged files: answers a file of one line break ${why}`,
    refuse(new Error(""), (text) => text === "\n"),
  ],
  "delivers nothing for a file that was cut off": [
    `damaged files: answers a file that was cut off ${why}`,
    changed((document, { text }) => (text === "valve open" ? undefined : document)),
  ],
  "throws null at random content": [
    `damaged files: answers random content ${why}`,
    refuse(null, (text) => text.includes("\u001b")),
  ],
  "loses its place in a very long line": [
    `damaged files: answers a very long line ${why}`,
    changed((document, { text }) => (text.length < 100_000 ? document : { ...document, sections: [{}] })),
  ],
  "is quadratic in the blanks of a line": [
    `damaged files: answers a line with very many blanks ${why}`,
    {
      // Takes 64 s for the longest; the others are tried first.
      parse: (input) => {
        const lines = input.text.split("\n").map((line) => line.replace(/\s+$/, ""));
        return { ...parseLog(input), frontmatter: { blank: lines.filter((line) => line === "").length } };
      },
      milliseconds: 300,
    },
  ],
  "knows one line end only": [
    "damaged files: finds the same sections whether lines end in LF or CRLF",
    changed((document, { text }) => (text.includes("\r") ? { ...document, sections: [] } : document)),
  ],
};

describe("the parser contract", () => {
  it("passes a parser that keeps every promise", async () => {
    const { names, failures } = await run();
    expect([...failures]).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  });

  for (const [fault, [test, changes]] of Object.entries(caught))
    it(`catches a parser that ${fault}`, async () => {
      expect([...(await run(changes, test)).failures.keys()]).toEqual([test]);
    });

  it("says in words what is missing or wrong", async () => {
    const nothing = await run(changed(() => undefined));
    expect(nothing.failures.get("reading: finds text in a sample")).toMatch(
      "a/monday.log: parse returned nothing; is a `return` missing?",
    );
    const shape = "plugin: is a plugin with a name and a version, made for this version of the interface";
    const later = await run({ plugin: { apiVersion: pluginApiVersion + 1 } });
    expect(later.failures.get(shape)).toMatch(
      'made for version 2 of the plugin interface ("apiVersion"); this is version 1',
    );
    const text = await run({ plugin: { apiVersion: "1" as unknown as number } });
    expect(text.failures.get(shape)).toMatch('"apiVersion" is not a number');
  });

  it("says which file took too long", async () => {
    const parse = (): Promise<ParsedDocument> => new Promise(() => undefined);
    const parser: ParserFactory = {
      id: "slow",
      extensions: ["log"],
      mediaType: "text/plain",
      binary: false,
      create: () => ({ parse }),
    };
    const plugin = { name: "slow", version: "1", apiVersion: pluginApiVersion, parsers: [parser] };
    const { failures } = await runContract((runner) =>
      parserContract({ plugin, id: "slow", samples, milliseconds: 20 }, runner),
    );
    expect(failures.get("reading: finds text in a sample")).toMatch(
      "a/monday.log was not parsed within 20 ms",
    );
  });
});
