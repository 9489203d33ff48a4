// Fetch for the client library: never follows a redirect, never reads more than it was told to, sends nothing of the
// environment.
import type { Dispatcher } from "undici";
import { AnswerTooLong, HttpFailure } from "./http-failure.js";

/** Bytes read of an answer that is an error. */
const maxErrorBytes = 64 * 1024;

/**
 * The headers a request needs. The library adds more: some tell of this machine, and those in OPENAI_CUSTOM_HEADERS may
 * hold a secret that is meant for another server.
 */
const neededHeaders = ["accept", "authorization", "content-type", "user-agent"];

async function readAtMost(
  body: AsyncIterable<Uint8Array> | null,
  most: number,
): Promise<{ text: string; whole: boolean }> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of body ?? []) {
    bytes += part.byteLength;
    if (bytes > most) return { text: Buffer.concat(parts).toString(), whole: false };
    parts.push(part);
  }
  return { text: Buffer.concat(parts).toString(), whole: true };
}

/** @throws HttpFailure, AnswerTooLong, and what fetch throws */
export function boundedFetch(dispatcher: Dispatcher, maxBytes: number): typeof globalThis.fetch {
  return async (input, init = {}) => {
    // Not the fetch of Node.js: it takes no dispatcher of a package.
    const { fetch } = await import("undici");
    const given = new Headers(init.headers);
    const headers = neededHeaders.flatMap((name): [string, string][] => {
      const value = given.get(name);
      return value === null ? [] : [[name, value]];
    });
    const response = await fetch(input instanceof Request ? input.url : input, {
      method: init.method ?? "GET",
      headers,
      body: typeof init.body === "string" ? init.body : null,
      signal: init.signal ?? null,
      dispatcher,
      // Following would send the notes to an address that nobody configured.
      redirect: "manual",
    });
    const { text, whole } = await readAtMost(response.body, response.ok ? maxBytes : maxErrorBytes);
    if (!response.ok) throw new HttpFailure(response.status, new Headers([...response.headers]), text);
    if (!whole) throw new AnswerTooLong("The answer is too long");
    return new Response(text, { headers: { "content-type": "text/plain" } });
  };
}
