// A server on loopback that gives out a model as the hub does: large files by a redirect, with their digests told.
import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export const model = "Some/tiny-model";
export const commit = "0123456789abcdef0123456789abcdef01234567";
export const onnx = Buffer.alloc(300_000, "weights of a model; ");
export const files: Readonly<Record<string, Buffer>> = {
  "config.json": Buffer.from('{"model_type": "bert"}'),
  "tokenizer.json": Buffer.from('{"version": "1.0"}'),
  "onnx/model_quantized.onnx": onnx,
};

export interface Asked {
  readonly method: string;
  /** Path within the model; empty for addresses that are none of a file. */
  readonly file: string;
  readonly redirected: boolean;
  readonly headers: IncomingMessage["headers"];
  /** Bytes of the body that were sent. */
  sent: number;
}

export type Misbehave = (
  asked: Asked,
  response: ServerResponse,
  content: Buffer | undefined,
) => boolean | undefined;

export interface Hub {
  readonly url: string;
  readonly port: number;
  readonly asked: readonly Asked[];
  /** GET requests of a file that its bytes were to be sent for. */
  gets(file: string): Asked[];
  /** Called first; true where it answered by itself. */
  misbehave: Misbehave | undefined;
}

/** Runs `use` with a hub, which is closed after. */
export async function withHub<T>(
  use: (hub: Hub) => Promise<T>,
  content: Readonly<Record<string, Buffer>> = files,
): Promise<T> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    const [, cdn, file = ""] =
      /^(\/cdn)?\/Some\/tiny-model\/resolve\/[\w.-]+\/(.+)$/u.exec(request.url ?? "") ?? [];
    const one: Asked = {
      method: request.method ?? "",
      file,
      redirected: cdn !== undefined,
      headers: request.headers,
      sent: 0,
    };
    asked.push(one);
    if (hub.misbehave?.(one, response, content[file]) !== true) answer(one, request, response, content[file]);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const hub: Hub = {
    url: `http://127.0.0.1:${port}`,
    port,
    asked,
    gets: (file) =>
      asked.filter((one) => one.file === file && one.method === "GET" && one.redirected === isLarge(file)),
    misbehave: undefined,
  };
  try {
    return await use(hub);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

const isLarge = (file: string): boolean => file.endsWith(".onnx");

export function digestOf(file: string, content: Buffer): string {
  return isLarge(file)
    ? createHash("sha256").update(content).digest("hex")
    : createHash("sha1").update(`blob ${content.byteLength}\0`).update(content).digest("hex");
}

function answer(
  asked: Asked,
  request: IncomingMessage,
  response: ServerResponse,
  content: Buffer | undefined,
): void {
  const { file, redirected } = asked;
  response.setHeader("x-repo-commit", commit);
  if (content === undefined) {
    response.writeHead(404, { "x-error-code": "EntryNotFound" }).end("Entry not found");
    return;
  }
  const etag = `"${digestOf(file, content)}"`;
  if (isLarge(file) && !redirected) {
    response
      .writeHead(302, {
        location: `/cdn${request.url ?? ""}`,
        "x-linked-size": content.byteLength,
        "x-linked-etag": etag,
      })
      .end();
    return;
  }
  sendBytes(asked, response, content, redirected ? '"etag-of-the-bytes"' : etag);
}

/** Sends a file, or what Range asks for of it. */
export function sendBytes(asked: Asked, response: ServerResponse, content: Buffer, etag: string): void {
  const [, from] = /^bytes=(\d+)-$/u.exec(asked.headers.range ?? "") ?? [];
  const condition = asked.headers["if-range"];
  const start = from !== undefined && (condition === undefined || condition === etag) ? Number(from) : 0;
  if (start > 0)
    response.setHeader("content-range", `bytes ${start}-${content.byteLength - 1}/${content.byteLength}`);
  response.writeHead(start > 0 ? 206 : 200, {
    etag,
    "content-length": content.byteLength - start,
    "content-type": "application/octet-stream",
  });
  if (asked.method === "HEAD") response.end();
  else {
    asked.sent = content.byteLength - start;
    response.end(content.subarray(start));
  }
}
