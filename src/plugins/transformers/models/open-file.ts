// Asks the source for one file: follows redirects, gathers what is told of the file, refuses what cannot be it.
import type { Readable } from "node:stream";
import type { Dispatcher } from "undici";
import { KbError } from "../../../core/plugin-api.js";
import { DownloadFailure, failureOfConnection } from "./download-failure.js";
import { failureOfStatus } from "./failure-of-status.js";
import type { HttpClient } from "./http-client.js";
import type { ModelRequest } from "./model-request.js";
import { redirectTarget, type ModelSource } from "./model-source.js";

/** What a server says of a file. */
export interface FileFacts {
  /** Bytes of the whole file. */
  readonly size?: number;
  /** Hexadecimal: 64 digits are its SHA-256, 40 the SHA-1 of its content or of its git blob. */
  readonly digest?: string;
  /** The strong ETag by which the server of the bytes knows this version. */
  readonly validator?: string;
  /** The commit of the model's repository. */
  readonly commit?: string;
}

export interface FileAnswer {
  readonly facts: FileFacts;
  /** Where in the file the body begins; undefined where the server has nothing from the place that was asked for. */
  readonly start: number | undefined;
  readonly body: Readable;
}

export interface FileQuestion {
  readonly client: HttpClient;
  readonly source: ModelSource;
  readonly request: ModelRequest;
  readonly file: string;
  readonly signal: AbortSignal;
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** @throws DownloadFailure */
export async function askFile(question: FileQuestion): Promise<FileFacts> {
  const { answer, facts } = await exchange("HEAD", question, {});
  discard(answer.body);
  return facts;
}

/**
 * @param from continue there, where the server still has the version that `validator` names
 * @throws DownloadFailure
 */
export async function openFile(
  question: FileQuestion,
  from: { readonly offset: number; readonly validator?: string } | undefined,
): Promise<FileAnswer> {
  const { answer, facts } = await exchange("GET", question, {
    ...(from !== undefined && { range: `bytes=${from.offset}-` }),
    ...(from?.validator !== undefined && { "if-range": from.validator }),
  });
  const { statusCode, headers, body } = answer;
  if (statusCode === 416) {
    discard(body);
    return { facts, start: undefined, body };
  }
  const type = headerOf(headers, "content-type") ?? "";
  if (/^\s*(?:text\/html|application\/xhtml)/iu.test(type)) {
    discard(body);
    throw webPage(question);
  }
  if (statusCode !== 206) return { facts, start: 0, body };
  const range = /^bytes (\d{1,15})-/u.exec(headerOf(headers, "content-range") ?? "");
  return { facts, start: range === null ? undefined : Number(range[1]), body };
}

/** A page for people in place of the file, as networks with a sign-in page send. */
export function webPage({ file, source }: Pick<FileQuestion, "file" | "source">): DownloadFailure {
  return new DownloadFailure(
    "final",
    new KbError(
      "KB_MODEL_DOWNLOAD",
      `A web page came from ${source.host} instead of ${file}; it was thrown away`,
      {
        hint: "If the network has a sign-in page, sign in with a browser and run kb-mcp models pull again; otherwise check mirror in kb-mcp.toml and HF_ENDPOINT in the environment.",
      },
    ),
  );
}

async function exchange(
  method: "GET" | "HEAD",
  question: FileQuestion,
  extra: Readonly<Record<string, string>>,
): Promise<{ answer: Dispatcher.ResponseData; facts: FileFacts }> {
  const { client, source, request, file, signal } = question;
  let url = source.addressOf(request, file);
  let told: FileFacts = {};
  for (let hops = 0; ; hops++) {
    const ofSource = url.origin === source.origin;
    const headers = {
      "user-agent": "kb-mcp",
      // A compressed body has another length, and no part of it can be continued.
      "accept-encoding": "identity",
      ...(ofSource && source.authorization !== undefined && { authorization: source.authorization }),
      ...extra,
    };
    const answer = await client.send(method, url, headers, signal).catch((error: unknown) => {
      signal.throwIfAborted();
      throw failureOfConnection(error, url.host);
    });
    // What breaks off is told to whoever reads; without a listener it would end the process.
    answer.body.on("error", () => undefined);
    if (ofSource) told = { ...factsOfSource(answer.headers), ...told };
    if ([301, 302, 303, 307, 308].includes(answer.statusCode)) {
      discard(answer.body);
      if (method === "HEAD" && told.size !== undefined) return { answer, facts: told };
      url = redirectTarget(url, headerOf(answer.headers, "location"), hops);
      continue;
    }
    const isFine = [200, 206, ...("range" in extra ? [416] : [])].includes(answer.statusCode);
    if (!isFine) {
      discard(answer.body);
      throw failureOfStatus(answer.statusCode, answer.headers, question, url);
    }
    if (
      /\S/u.test(headerOf(answer.headers, "content-encoding") ?? "") &&
      !/^identity$/iu.test(headerOf(answer.headers, "content-encoding") ?? "")
    ) {
      discard(answer.body);
      throw new DownloadFailure(
        "final",
        new KbError("KB_MODEL_DOWNLOAD", `${url.host} sends ${file} compressed, which was not asked for`),
      );
    }
    return { answer, facts: { ...factsOfBytes(answer), ...told } };
  }
}

/** What the source says of a file that it may keep elsewhere. */
function factsOfSource(headers: Headers): FileFacts {
  const size = lengthOf(headerOf(headers, "x-linked-size"));
  const digest = /^(?:W\/)?"?([\da-f]{64}|[\da-f]{40})"?$/iu.exec(
    headerOf(headers, "x-linked-etag") ?? headerOf(headers, "etag") ?? "",
  )?.[1];
  const commit = /^[\da-f]{40,64}$/iu.exec(headerOf(headers, "x-repo-commit") ?? "")?.[0];
  return {
    ...(size !== undefined && { size }),
    ...(digest !== undefined && { digest: digest.toLowerCase() }),
    ...(commit !== undefined && { commit: commit.toLowerCase() }),
  };
}

/** What the server of the bytes says. */
function factsOfBytes({ statusCode, headers }: Dispatcher.ResponseData): FileFacts {
  const size =
    statusCode === 200
      ? lengthOf(headerOf(headers, "content-length"))
      : lengthOf(/^bytes .*\/(\d+)$/u.exec(headerOf(headers, "content-range") ?? "")?.[1]);
  const validator = /^"[!#-~]{0,200}"$/u.exec(headerOf(headers, "etag") ?? "")?.[0];
  return { ...(size !== undefined && { size }), ...(validator !== undefined && { validator }) };
}

function lengthOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/u.test(text) ? Number(text) : undefined;
}

function headerOf(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

function discard(body: Readable): void {
  body.destroy();
}
