// The admission process: loads one third-party package, checks what it offers, and tries its enabled parsers on a
// sample. Whatever the package does at its start, it does here and not to kb-mcp.
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { parserHost } from "../documents/parser-host.js";
import { checkParsedDocument } from "../documents/parsed-document.js";
import { isKbError, KbError } from "../errors.js";
import type { Logger, ParserFactory, Plugin } from "../plugin-api.js";
import { firstLineOf, sentError } from "../sent-error.js";
import type {
  AdmissionReply,
  AdmissionRequest,
  AskedParser,
  PackageOffer,
  Stage,
} from "./admission-messages.js";
import { loadPlugin } from "./load-plugin.js";
import { pluginKinds } from "./plugin-shape.js";
import { validateOptions } from "./validate-options.js";

/** Six lines that any parser of text can make something of. */
const sample = "# Sample\n\nA paragraph in English.\n日本語の段落。\n\nThe last line.\n";

// Nobody gets past the memory bound or outlives kb-mcp by being busy.
new Worker(fileURLToPath(new URL("../documents/parse-watchdog.js", import.meta.url)), {
  workerData: {
    memoryBytes: Number(process.argv[2]),
    parentPid: process.ppid,
    busy: new Int32Array(new SharedArrayBuffer(4)).fill(1),
  },
}).unref();

process.on("disconnect", () => process.exit());
process.once("message", (request: AdmissionRequest) => {
  admit(request).then(
    (offer) => send({ offer }),
    (error: unknown) => send({ failed: sentError(error) }),
  );
});
// What a package threw outside of its promises.
process.on("uncaughtException", (error) => send({ failed: sentError(error) }));

async function admit({ moduleUrl, enabledParsers }: AdmissionRequest): Promise<PackageOffer> {
  enter("load");
  const plugin = await loadPlugin(moduleUrl);
  const parsers = [];
  for (const factory of plugin.parsers ?? []) {
    const { id, extensions, mediaType, binary } = factory;
    const asked = Object.hasOwn(enabledParsers, id) ? enabledParsers[id] : undefined;
    parsers.push({
      id,
      extensions: [...extensions],
      mediaType,
      binary,
      ...(asked !== undefined && { options: await tryParser(plugin, factory, asked) }),
    });
  }
  const ids = Object.fromEntries(
    pluginKinds.map((kind) => [kind, (plugin[kind] ?? []).map(({ id }) => id)]),
  ) as unknown as PackageOffer["ids"];
  return { name: plugin.name, version: plugin.version, ids, parsers };
}

/** The parser's options, after it has shown that it can be created with them and reads a sample. */
async function tryParser(
  plugin: Plugin,
  factory: ParserFactory,
  { options, directories }: AskedParser,
): Promise<unknown> {
  const { id } = factory;
  enter("options", id);
  const valid: unknown = await validateOptions(factory.optionsSchema, options, `[parsers.options.${id}]`);
  const plain = asPlainData(valid, id);
  enter("create", id);
  const parser: unknown = await attempt("KB_PLUGIN_CREATE", `The parser ${id} could not be created`, () =>
    factory.create(plain, parserHost(directories, logger)),
  );
  if (!canParse(parser)) throw new KbError("KB_PLUGIN_CREATE", `The parser ${id} has no method "parse"`);
  enter("sample", id);
  const where = `The parser ${id} on a sample of six lines`;
  await attempt(
    "KB_PLUGIN_SAMPLE",
    where,
    async () => {
      const result = await parser.parse({
        path: `sample.${factory.extensions[0] ?? ""}`,
        bytes: new TextEncoder().encode(sample),
        text: factory.binary ? "" : sample,
        signal: new AbortController().signal,
      });
      checkParsedDocument(result, "it");
    },
    // The sample is no file of a format that is not text: to say so is right, by an error.
    factory.binary ? (error) => isKbError(error) && error.code === "KB_PARSE_RESULT" : () => true,
  );
  return plain;
}

/** Names what was attempted where it fails. @param counts which failures are any */
async function attempt<Result>(
  code: "KB_PLUGIN_CREATE" | "KB_PLUGIN_SAMPLE",
  what: string,
  act: () => Result | Promise<Result>,
  counts: (error: unknown) => boolean = () => true,
): Promise<Result | undefined> {
  try {
    return await act();
  } catch (cause) {
    if (!counts(cause)) return undefined;
    throw new KbError(code, `${what}: ${firstLineOf(cause)}`, { cause });
  }
}

/** The options go to the process that parses. */
function asPlainData(options: unknown, id: string): unknown {
  try {
    return structuredClone(options);
  } catch (cause) {
    throw new KbError(
      "KB_PLUGIN_OPTIONS",
      `The options of the parser ${id}, as its schema returns them, are no plain data: ${firstLineOf(cause)}`,
      { cause, hint: "Report this to the author of the plugin." },
    );
  }
}

function canParse(parser: unknown): parser is { parse(input: unknown): unknown } {
  return (
    typeof parser === "object" && parser !== null && "parse" in parser && typeof parser.parse === "function"
  );
}

const logger: Logger = {
  debug: (message) => send({ log: "debug", message }),
  info: (message) => send({ log: "info", message }),
  warn: (message) => send({ log: "warn", message }),
  error: (message) => send({ log: "error", message }),
};

function enter(stage: Stage, parser?: string): void {
  send({ stage, ...(parser !== undefined && { parser }) });
}

function send(reply: AdmissionReply): void {
  process.send?.(reply);
}
