// The suite that every parser must pass: each promise of the interface, checked from outside.
import assert from "node:assert/strict";
import type { ParserFactory, Plugin } from "../core/plugin-api.js";
import type { ParserSubject, SampleFile } from "./parser-contract/check.js";
import { damagedChecks } from "./parser-contract/damaged.js";
import { observeParse } from "./parser-contract/observe-parse.js";
import { readingChecks } from "./parser-contract/reading.js";
import { factoryOf, shapeChecks } from "./parser-contract/shape.js";
import { withPlainHost } from "./plain-host.js";
import type { TestRunner } from "./test-runner.js";

/** A whole file that the parser reads. */
export interface ParserSample {
  /** As in a knowledge base, with an extension of the parser: "notes/a.csv". */
  readonly path: string;
  /** UTF-8 where the format is text. */
  readonly content: string | Uint8Array;
}

export interface ParserUnderTest {
  /** The default export of the plugin's module. */
  readonly plugin: Plugin;
  /** Of the parser. */
  readonly id: string;
  /** As in kb-mcp.toml; none if absent. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** At least one; those of binary formats hold neither U+FFFD nor NUL in their text. */
  readonly samples: readonly ParserSample[];
  /** What one file may take; 10 seconds if absent, a third of what kb-mcp allows. */
  readonly milliseconds?: number;
}

const defaultMilliseconds = 10_000;

const unknownOption = "no_such_option";

/**
 * Defines the tests of a parser. Each creates a parser of its own and parses in this process, where a loop that never
 * ends can only be ended by the test runner. While it parses, `console`, `process.stdout.write` and `process.exit` are
 * replaced: run no other tests in the same process at the same time.
 * @param runner for example `{ describe, it }` of the runner in use
 */
export function parserContract(
  { plugin, id, options = {}, samples, milliseconds = defaultMilliseconds }: ParserUnderTest,
  runner: TestRunner,
): void {
  const paths = samples.map(({ path }) => path);
  const run = (use: (subject: ParserSubject) => Promise<void>): Promise<void> =>
    withPlainHost(async (host) => {
      const factory = factoryOf(plugin, id);
      const parser = await factory.create(await acceptedOptions(factory, options), host);
      await use({
        factory,
        parser,
        samples: samples.map((sample) => sampleFile(sample, factory.binary)),
        observe: (file) => observeParse(parser, file, milliseconds),
      });
    });

  runner.describe("plugin", () => {
    for (const check of shapeChecks)
      runner.it(check.name, async () => {
        await Promise.resolve();
        check.run(plugin, id, paths);
      });
    runner.it("accepts the options and creates a parser", () =>
      run(async ({ parser }) => {
        await Promise.resolve();
        assert.equal(typeof parser.parse, "function", "what was created has no function parse");
      }),
    );
    runner.it("refuses an option that it does not know", async () => {
      await assertStrict(factoryOf(plugin, id), options);
    });
  });
  for (const [group, checks] of Object.entries({ reading: readingChecks, "damaged files": damagedChecks }))
    runner.describe(group, () => {
      for (const check of checks) runner.it(check.name, () => run((subject) => check.run(subject)));
    });
}

async function acceptedOptions(
  { optionsSchema }: ParserFactory,
  options: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  if (optionsSchema === undefined) {
    assert.deepEqual(Object.keys(options), [], "options are given, but the parser has no optionsSchema");
    return options;
  }
  const result = await optionsSchema["~standard"].validate(options);
  if (result.issues === undefined) return result.value;
  assert.fail(`the options are refused: ${result.issues.map(({ message }) => message).join("; ")}`);
}

/** A parser without a schema takes no options: kb-mcp refuses them for it. */
async function assertStrict(
  { optionsSchema }: ParserFactory,
  options: Readonly<Record<string, unknown>>,
): Promise<void> {
  const result = await optionsSchema?.["~standard"].validate({ ...options, [unknownOption]: true });
  assert.ok(
    result === undefined || result.issues !== undefined,
    `optionsSchema accepts an option "${unknownOption}": a misspelt one would be without effect`,
  );
}

function sampleFile({ path, content }: ParserSample, binary: boolean): SampleFile {
  const bytes = Uint8Array.from(typeof content === "string" ? Buffer.from(content, "utf8") : content);
  return { path, bytes, text: binary ? "" : decode(path, bytes) };
}

function decode(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new Error(`The sample ${path} is not UTF-8, but the parser is not binary`, { cause });
  }
}
