// The parse process: decodes and parses one file at a time with the parsers it is told to load, and cuts it into
// chunks where that is asked for. It may be ended at any moment, so it holds nothing that matters.
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { KbError } from "../errors.js";
import type { Logger, Parser, ParsedDocument } from "../plugin-api.js";
import { loadPlugin } from "../plugins/load-plugin.js";
import { firstLineOf, sentError } from "../sent-error.js";
import { decodeText } from "./decode-text.js";
import { documentText } from "./document-text.js";
import { parserHost, type ParserDirectories } from "./parser-host.js";
import type { ParseReply, ParseRequest } from "./parse-messages.js";
import { checkParsedDocument } from "./parsed-document.js";

const parsers = new Map<string, Promise<Parser>>();
let current: ParseRequest | undefined;

/** Tells the watchdog whether a file is being parsed. */
const busy = new Int32Array(new SharedArrayBuffer(4));
const watchdog = new Worker(fileURLToPath(new URL("./parse-watchdog.js", import.meta.url)), {
  workerData: { memoryBytes: Number(process.argv[2]), parentPid: process.ppid, busy },
});
watchdog.unref();

process.on("message", (request: ParseRequest) => void serve(request));
process.on("disconnect", () => process.exit());
// Keys pressed in the terminal and signals of a service manager reach every process of the group: kb-mcp decides.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);
// What a parser threw outside of its promise. Nobody knows what it left behind: the next file gets a new process.
process.on("uncaughtException", (error) => {
  if (current === undefined) logger.warn(`a parser failed after its file was done: ${firstLineOf(error)}`);
  else send({ id: current.id, error: sentError(error), last: true }, () => process.exit(1));
});

async function serve(request: ParseRequest): Promise<void> {
  current = request;
  Atomics.store(busy, 0, 1);
  let reply: ParseReply;
  try {
    reply = await answer(request, await parse(request));
  } catch (error) {
    reply = { id: request.id, error: sentError(error) };
  }
  Atomics.store(busy, 0, 0);
  current = undefined;
  send(reply);
}

/** The last reply to a request; the parts before it are sent on the way. */
async function answer({ id, path, want }: ParseRequest, parsed: ParsedDocument): Promise<ParseReply> {
  if (want.kind === "text") return { id, text: documentText(path, parsed, want) };
  const { chunkParts } = await import("../indexing/chunk-parts.js");
  let sent = Promise.resolve();
  for (const { outline, chunks } of chunkParts(path, parsed, want)) {
    const part = { id, chunks };
    // One part is on its way while the next is made, never more: a slow receiver does not fill the memory here.
    await sent;
    if (outline !== undefined) return { ...part, outline };
    sent = new Promise((resolve) => send(part, resolve));
  }
  throw new Error("The chunks have no last part");
}

async function parse(request: ParseRequest): Promise<ParsedDocument> {
  const { path, bytes, parser } = request;
  let text = "";
  if (!parser.binary) {
    const decoded = decodeText(bytes);
    if (!decoded.encoding.startsWith("utf-")) logger.debug(`${path} was read as ${decoded.encoding}`);
    text = decoded.text;
  }
  const instance = await parserFor(request);
  // Never aborted: whoever no longer wants the result ends the process.
  const { signal } = new AbortController();
  const result: unknown = await instance.parse({ path, bytes, text, signal });
  return checkParsedDocument(result, `The parser ${parser.id} on ${path}`);
}

function parserFor({ parser: { id, moduleUrl, options }, directories }: ParseRequest): Promise<Parser> {
  let parser = parsers.get(id);
  if (parser === undefined) {
    parser = createParser(id, moduleUrl, options, directories);
    parsers.set(id, parser);
    parser.catch(() => parsers.delete(id));
  }
  return parser;
}

async function createParser(
  id: string,
  moduleUrl: string,
  options: unknown,
  directories: ParserDirectories,
): Promise<Parser> {
  const plugin = await loadPlugin(moduleUrl);
  const factory = plugin.parsers?.find((candidate) => candidate.id === id);
  if (factory === undefined)
    throw new KbError("KB_PLUGIN_INVALID", `The plugin ${plugin.name} offers no parser "${id}"`);
  return factory.create(options, parserHost(directories, logger));
}

const logger: Logger = {
  debug: (message) => send({ log: "debug", message }),
  info: (message) => send({ log: "info", message }),
  warn: (message) => send({ log: "warn", message }),
  error: (message) => send({ log: "error", message }),
};

function send(reply: ParseReply, then?: () => void): void {
  process.send?.(reply, undefined, undefined, () => then?.());
}
