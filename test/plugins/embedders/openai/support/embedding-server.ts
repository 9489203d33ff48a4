// A server of embeddings on loopback that keeps what it was asked and answers as a test wants, well or badly.
import { createHash } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

/** Length of the vectors that it answers. */
export const dimensions = 8;

export interface Asked {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
  readonly input: readonly string[];
}

/** @param number of the request, counted from 0 */
export type Behaviour = (asked: Asked, response: ServerResponse, number: number) => void;

export interface EmbeddingServer {
  readonly origin: string;
  readonly asked: Asked[];
  close(): Promise<void>;
}

/** Numbers that depend on the text alone, and are not of unit length. */
export function numbersOf(text: string): number[] {
  return [...createHash("sha256").update(text).digest().subarray(0, dimensions)].map((byte) => byte - 127.5);
}

export function reply(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}

/** An answer as OpenAI gives it. */
export function embeddings(input: readonly string[]): { object: string; data: Record<string, unknown>[] } {
  return {
    object: "list",
    data: input.map((text, index) => ({ object: "embedding", index, embedding: numbersOf(text) })),
  };
}

export const answerWell: Behaviour = ({ input }, response) => reply(response, 200, embeddings(input));

/** Answers the requests one after another as listed, and those after the list well. */
export function inTurn(...behaviours: readonly Behaviour[]): Behaviour {
  return (asked, response, number) => (behaviours[number] ?? answerWell)(asked, response, number);
}

export function answering(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Behaviour {
  return (_asked, response) => reply(response, status, body, headers);
}

export async function startEmbeddingServer(behave: Behaviour = answerWell): Promise<EmbeddingServer> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      const record = body as Record<string, unknown>;
      const one: Asked = {
        url: request.url ?? "",
        headers: request.headers,
        body: record,
        input: record["input"] as string[],
      };
      behave(one, response, asked.push(one) - 1);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
