// The keys that open a remote index: where they come from, and that no error shows them.
import { KbError } from "../../../core/plugin-api.js";
import type { RemoteOptions } from "./options.js";

const defaultKeyVariable = "LANCEDB_API_KEY";

/** Names of what must not be shown, among storage options and environment variables. */
const secretName = /key|secret|token|password|signature|sas|credential/i;
const providerVariable = /^(?:AWS|AZURE|GOOGLE|LANCEDB)_/;

/** Shorter ones are no secrets, and would be found within words. */
const shortestSecret = 6;

/**
 * The key for a database server.
 * @throws KbError KB_STORE_FAILED if the variable holds none
 */
export function readApiKey(location: string, { apiKeyEnv = defaultKeyVariable }: RemoteOptions): string {
  const key = process.env[apiKeyEnv]?.trim() ?? "";
  if (key !== "") return key;
  throw new KbError("KB_STORE_FAILED", `The environment variable ${apiKeyEnv} holds no key for ${location}`, {
    hint: "Put the key into the environment variable that api_key_env under [store] in kb-mcp.toml names.",
  });
}

/** The same error without keys: a server may repeat in its answer what it was sent. */
export function withoutSecrets(error: unknown, { storageOptions = {}, apiKeyEnv }: RemoteOptions): Error {
  const variables = Object.entries(process.env).filter(
    ([name]) => name === apiKeyEnv || (providerVariable.test(name) && secretName.test(name)),
  );
  const options = Object.entries(storageOptions).filter(([name]) => secretName.test(name));
  let message = String(error);
  for (const [, value] of [...variables, ...options]) {
    const secret = value?.trim() ?? "";
    if (secret.length >= shortestSecret) message = message.replaceAll(secret, "[key]");
  }
  return new Error(message.replace(/^Error: /, ""));
}
