// Admits third-party packages: each is first loaded and tried in a process of its own, with bounds on time and memory,
// so that one that hangs, ends its process or takes all memory is refused by name.
import { fork, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import { isKbError, KbError, type ErrorCode } from "../errors.js";
import { limits } from "../limits.js";
import type { Logger } from "../plugin-api.js";
import { receivedCause, type SentError } from "../sent-error.js";
import { isSentLog } from "../sent-log.js";
import type { AdmissionRequest, AskedParser, PackageOffer, Stage } from "./admission-messages.js";
import { locatePackage, packagePhrase, type NamedPackage } from "./package-location.js";
import { pluginKinds } from "./plugin-shape.js";

/** A package that may be used. */
export interface AdmittedPackage extends PackageOffer {
  readonly named: NamedPackage;
  readonly moduleUrl: string;
}

export interface AdmissionOptions {
  /** By id, for the parsers that are enabled. */
  readonly enabledParsers: Readonly<Record<string, AskedParser>>;
  readonly logger: Logger;
  /** For each package. */
  readonly milliseconds?: number;
}

/**
 * Loads a package in a process of its own and tries its enabled parsers.
 * @throws KbError KB_PLUGIN_NOT_FOUND, KB_PLUGIN_LOAD, KB_PLUGIN_INVALID, KB_PLUGIN_API_VERSION, KB_PLUGIN_OPTIONS,
 *   KB_PLUGIN_CREATE, KB_PLUGIN_SAMPLE
 */
export async function admitPackage(
  named: NamedPackage,
  { enabledParsers, logger, milliseconds = limits.pluginMilliseconds }: AdmissionOptions,
): Promise<AdmittedPackage> {
  const moduleUrl = await locatePackage(named);
  const outcome = await inspect({ moduleUrl, enabledParsers }, packagePhrase(named), logger, milliseconds);
  if ("offer" in outcome) return { ...outcome.offer, named, moduleUrl };
  if ("failed" in outcome)
    logger.debug(`${packagePhrase(named)}: ${receivedCause(outcome.failed).stack ?? ""}`);
  throw refusal(outcome, named, milliseconds);
}

type Failed =
  | { readonly stage: Stage; readonly failed: SentError }
  | { readonly stage: Stage; readonly parser?: string; readonly how: "late" | "memory" | { ended: string } };

const watchedMiB = 128;

function inspect(
  request: AdmissionRequest,
  phrase: string,
  logger: Logger,
  milliseconds: number,
): Promise<{ readonly offer: PackageOffer } | Failed> {
  return new Promise((resolve) => {
    const memoryBytes = (2 * limits.parseHeapMiB + watchedMiB) * 1024 * 1024;
    const child = fork(
      fileURLToPath(new URL("./admission-worker.js", import.meta.url)),
      [String(memoryBytes)],
      {
        execArgv: [`--max-old-space-size=${limits.parseHeapMiB}`],
        serialization: "advanced",
        // Its standard output is never kb-mcp's own, which may belong to MCP.
        stdio: ["ignore", "pipe", "pipe", "ipc"],
        windowsHide: true,
        // A process group of its own, so that what the package starts ends with it.
        detached: process.platform !== "win32",
      },
    );
    let stage: { stage: Stage; parser?: string } = { stage: "load" };
    let lastWords = "";
    const settle = (outcome: { readonly offer: PackageOffer } | Failed): void => {
      clearTimeout(timer);
      end(child);
      resolve(outcome);
    };
    const timer = setTimeout(() => settle({ ...stage, how: "late" }), milliseconds);
    listen(child, (text) => {
      lastWords = (lastWords + text).slice(-8192);
      logger.debug(`${phrase}: ${text.trimEnd()}`);
    });
    child.on("message", (message: unknown) => {
      if (isSentLog(message)) logger[message.log](message.message);
      // A package may send what it likes over the same channel.
      else if (isStage(message)) stage = message;
      else if (isOffer(message)) settle(message);
      else if (isFailure(message)) settle({ ...stage, failed: message.failed });
    });
    child.on("error", (error) => settle({ ...stage, how: { ended: error.message } }));
    child.on("close", (code, signal) => {
      const memory = signal === "SIGKILL" || /out of memory|heap limit/iu.test(lastWords);
      const ended = signal === null ? `with exit code ${code}` : `by ${signal}`;
      settle({ ...stage, how: memory ? "memory" : { ended } });
    });
    child.send(request, (error) => {
      if (error !== null) settle({ ...stage, how: { ended: error.message } });
    });
  });
}

/** Ends the process and, where the platform can, all that it has started; what still holds its output is let go. */
function end(child: ChildProcess): void {
  child.stdout?.destroy();
  child.stderr?.destroy();
  if (process.platform !== "win32" && child.pid !== undefined)
    try {
      process.kill(-child.pid, "SIGKILL");
    } catch {
      // It has ended already.
    }
  child.kill("SIGKILL");
}

function isStage(message: unknown): message is { readonly stage: Stage; readonly parser?: string } {
  const stage = fieldOf(message, "stage");
  return typeof stage === "string" && Object.hasOwn(codes, stage);
}

function isFailure(message: unknown): message is { readonly failed: SentError } {
  return typeof fieldOf(fieldOf(message, "failed"), "message") === "string";
}

function isOffer(message: unknown): message is { readonly offer: PackageOffer } {
  const offer = fieldOf(message, "offer");
  const ids = fieldOf(offer, "ids");
  return (
    typeof fieldOf(offer, "name") === "string" &&
    typeof fieldOf(offer, "version") === "string" &&
    Array.isArray(fieldOf(offer, "parsers")) &&
    pluginKinds.every((kind) => Array.isArray(fieldOf(ids, kind)))
  );
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

function listen(child: ChildProcess, hear: (text: string) => void): void {
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding("utf8").on("data", hear);
}

const codes: Readonly<Record<Stage, ErrorCode>> = {
  load: "KB_PLUGIN_LOAD",
  options: "KB_PLUGIN_OPTIONS",
  create: "KB_PLUGIN_CREATE",
  sample: "KB_PLUGIN_SAMPLE",
};

function refusal(outcome: Failed, named: NamedPackage, milliseconds: number): KbError {
  const phrase = packagePhrase(named);
  if ("failed" in outcome) {
    const { failed } = outcome;
    const hint = named.path !== undefined ? ownHint(failed) : failed.hint;
    return new KbError(
      isKbError(failed) ? failed.code : codes[outcome.stage],
      `${phrase}: ${failed.message}`,
      {
        cause: receivedCause(failed),
        ...(hint !== undefined && { hint }),
      },
    );
  }
  const { stage, parser = "", how } = outcome;
  const act = {
    load: "loading",
    options: `checking the options of the parser ${parser}`,
    create: `creating the parser ${parser}`,
    sample: `reading a sample of six lines with the parser ${parser}`,
  }[stage];
  const what =
    how === "late"
      ? `${act} took more than ${milliseconds / 1000} s`
      : how === "memory"
        ? `${act} needed more than ${limits.parseHeapMiB} MiB of memory`
        : `its process ended ${how.ended} while ${act}`;
  return new KbError(codes[stage], `${phrase}: ${what}`, {
    hint:
      named.path !== undefined
        ? "Mend the plugin; a text that is not of its format must still give a document."
        : "Report this to the author of the plugin, and take the package out of [plugins].packages until it is mended.",
  });
}

/** A plugin that is named by its path is the operator's own. */
function ownHint({ code, hint }: SentError): string | undefined {
  switch (code) {
    case "KB_PLUGIN_LOAD":
      return "Mend the plugin, and install what it imports; KB_MCP_LOG=debug shows what it printed.";
    case "KB_PLUGIN_CREATE":
      return "Mend create() of the plugin, or correct the parser's options.";
    case "KB_PLUGIN_SAMPLE":
      return "Mend parse() of the plugin: a text that is not of its format must still give a document.";
    case undefined:
    default:
      return hint;
  }
}
