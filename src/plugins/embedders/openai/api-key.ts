// The key: where it comes from, and that no message shows it.
import { KbError } from "../../../core/plugin-api.js";
import { isLoopback, type OpenAiOptions } from "./options.js";

/**
 * The key, or undefined for a server that gets none.
 * @throws KbError KB_EMBED_KEY if the variable holds none, or none that a header can carry
 */
export function readApiKey({ apiKeyEnv, baseUrl }: OpenAiOptions): string | undefined {
  if (apiKeyEnv === undefined) return undefined;
  const key = process.env[apiKeyEnv]?.trim() ?? "";
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  if (key !== "")
    throw new KbError("KB_EMBED_KEY", `The environment variable ${apiKeyEnv} holds characters no key has`);
  if (isLoopback(new URL(baseUrl).hostname)) return undefined;
  throw new KbError("KB_EMBED_KEY", `The environment variable ${apiKeyEnv} holds no key for ${baseUrl}`);
}

/** The first line of what a server said, printable, at most 200 characters, without the key. */
export function presentable(said: string, key: string | undefined): string {
  const hidden = key === undefined ? said : said.replaceAll(key, "[key]");
  const line = hidden
    .replace(/\bsk-[\w*-]+/g, "[key]")
    .trimStart()
    .split(/[\r\n]/, 1)[0];
  return (line ?? "").replace(/\p{C}/gu, "").slice(0, 200).trim();
}
