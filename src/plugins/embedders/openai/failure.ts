// What a failed request means: worth another try, the texts' fault, or the end.
import { KbError } from "../../../core/plugin-api.js";
import { presentable } from "./api-key.js";
import type { HttpFailure } from "./http-failure.js";
import type { OpenAiOptions } from "./options.js";

/** A request that failed. `error` is what to throw when nothing else helps. */
export class RequestFailure extends Error {
  constructor(
    /** "rejected": the server understood the request and refuses its texts. */
    readonly kind: "transient" | "rejected" | "final",
    readonly error: KbError,
    /** Milliseconds that the server asks to wait. */
    readonly retryAfterMs?: number,
  ) {
    super(error.message);
  }
}

/** Milliseconds that the headers of an answer ask to wait; Retry-After holds seconds or a date. */
function retryAfterMs(headers: Headers, now: number): number | undefined {
  const exact = Number.parseFloat(headers.get("retry-after-ms") ?? "");
  if (exact >= 0) return exact;
  const header = headers.get("retry-after")?.trim() ?? "";
  if (/^\d+(?:\.\d+)?$/.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** The message in the body of an error: OpenAI, vLLM and FastAPI each put it elsewhere. */
function messageOf(body: string): { readonly said: string; readonly quota: boolean } {
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    // A page for a browser says nothing in its first line.
    return { said: body.trimStart().startsWith("<") ? "" : body, quota: false };
  }
  const pick = (value: unknown, key: string): unknown =>
    typeof value === "object" && value !== null ? (value as Record<string, unknown>)[key] : undefined;
  const error = pick(json, "error");
  const candidates = [pick(error, "message"), error, pick(json, "message"), pick(json, "detail")];
  const found = candidates.find((value) => typeof value === "string");
  const quota = [pick(error, "code"), pick(error, "type")].includes("insufficient_quota");
  return { said: typeof found === "string" ? found : body, quota };
}

/** The server that a redirect names. The rest of its address may repeat the key in any disguise. */
function whither(location: string | null, baseUrl: string): string {
  return location !== null && URL.canParse(location, baseUrl)
    ? `, to ${new URL(location, baseUrl).origin}`
    : "";
}

/** What an answer with another status than 2xx means. */
export function failureOfStatus(
  failure: HttpFailure,
  { model, baseUrl, apiKeyEnv }: OpenAiOptions,
  key: string | undefined,
): RequestFailure {
  const { status, headers } = failure;
  const { said, quota } = messageOf(failure.body);
  const line = presentable(said, key);
  const words = `${baseUrl} answers ${status}${line === "" ? "" : `: ${line}`}`;
  const server = (message: string, hint?: string): KbError =>
    new KbError("KB_EMBED_SERVER", message, hint === undefined ? {} : { hint });
  if (quota)
    return new RequestFailure(
      "final",
      server(`The account's quota is used up; ${words}`, "Check the plan and the billing of the account."),
    );
  if (status === 401 || status === 403) {
    const refused = key === undefined ? "A key is needed" : "The key is refused";
    const hint =
      key !== undefined
        ? undefined
        : apiKeyEnv === undefined
          ? "Put the key into an environment variable, and name that as api_key_env under [embedder] in kb-mcp.toml."
          : `Put the key into the environment variable ${apiKeyEnv}, which is not set.`;
    return new RequestFailure(
      "final",
      new KbError("KB_EMBED_KEY", `${refused}; ${words}`, hint === undefined ? {} : { hint }),
    );
  }
  if (status === 404)
    return new RequestFailure(
      "final",
      server(
        `No model ${model}, or nothing at this address; ${words}`,
        "Correct model, or base_url, under [embedder] in kb-mcp.toml.",
      ),
    );
  if (status >= 300 && status < 400)
    return new RequestFailure(
      "final",
      server(
        `${baseUrl} sends elsewhere (${status})${whither(headers.get("location"), baseUrl)}`,
        "Texts go to no address but base_url: set base_url under [embedder] to the right one.",
      ),
    );
  if (status === 400 || status === 413 || status === 422)
    return new RequestFailure("rejected", new KbError("KB_EMBED_FAILED", words));
  if (status === 429)
    return new RequestFailure(
      "transient",
      server(words, "Wait a while and run it again: it goes on where it stopped."),
      retryAfterMs(headers, Date.now()),
    );
  const transient = status === 408 || status >= 500;
  return new RequestFailure(
    transient ? "transient" : "final",
    server(words),
    transient ? retryAfterMs(headers, Date.now()) : undefined,
  );
}

/**
 * What a request without a whole answer means.
 * @param proxyVariable the environment variable that names the proxy in use
 */
export function failureOfConnection(
  error: unknown,
  { baseUrl }: OpenAiOptions,
  proxyVariable: string | undefined,
): RequestFailure {
  let code: unknown;
  let at = error;
  for (let depth = 0; depth < 5 && typeof at === "object" && at !== null; depth++) {
    if ("code" in at && typeof at.code === "string") code = at.code;
    at = "cause" in at ? at.cause : undefined;
  }
  const why = typeof code === "string" ? ` (${code})` : "";
  const message = `No whole answer from ${baseUrl}${why}`;
  if (typeof code === "string" && /CERT|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code))
    return new RequestFailure(
      "final",
      new KbError("KB_EMBED_SERVER", message, {
        hint: "Its certificate is not trusted: the environment variable NODE_EXTRA_CA_CERTS names a file of those to trust besides.",
      }),
    );
  return new RequestFailure(
    "transient",
    new KbError("KB_EMBED_SERVER", message, {
      ...(proxyVariable !== undefined && {
        hint: `Check the server, and the proxy in ${proxyVariable}; NO_PROXY lists hosts to reach without it.`,
      }),
    }),
  );
}
