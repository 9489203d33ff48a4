// Where models come from: the hub or a mirror of it. Credentials in an address are told to nobody but that server.
import { KbError } from "../../../core/plugin-api.js";
import { DownloadFailure } from "./download-failure.js";
import type { ModelRequest } from "./model-request.js";

const hub = "https://huggingface.co";
const maxHops = 5;

export interface ModelSource {
  /** As messages may show it. */
  readonly name: string;
  /** The host alone, as messages may show it. */
  readonly host: string;
  readonly origin: string;
  /** Value of the header Authorization, for this origin alone. */
  readonly authorization: string | undefined;
  addressOf(request: ModelRequest, file: string): URL;
}

/** @throws KbError KB_MODEL_DOWNLOAD for an address that is none */
export function modelSource(mirror: string | undefined): ModelSource {
  const named = mirror ?? process.env["HF_ENDPOINT"];
  const given = named === undefined || named.trim() === "" ? hub : named.trim();
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (
    url === undefined ||
    !["https:", "http:"].includes(url.protocol) ||
    url.search !== "" ||
    url.hash !== ""
  )
    // The value is not shown: it may hold a password.
    throw new KbError(
      "KB_MODEL_DOWNLOAD",
      `${mirror === undefined ? "HF_ENDPOINT in the environment" : "mirror"} is not an address that begins with https:// or http://`,
      { hint: "Give an address such as https://hub.example.org." },
    );
  const { username, password } = url;
  const authorization =
    username === "" && password === ""
      ? undefined
      : `Basic ${Buffer.from(`${decode(username)}:${decode(password)}`).toString("base64")}`;
  const name = url.origin + url.pathname.replace(/\/+$/u, "");
  return {
    name,
    host: url.host,
    origin: url.origin,
    authorization,
    addressOf: ({ model, revision }, file) =>
      new URL(
        `${name}/${[...model.split("/"), "resolve", revision, ...file.split("/")].map(encodeURIComponent).join("/")}`,
      ),
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Where a redirect leads. Never from an encrypted address to a clear one; from a clear one only to an encrypted one
 * or to the same host, so that no mirror sends kb-mcp to other machines of the network.
 * @param hops redirects followed before this one
 * @throws DownloadFailure
 */
export function redirectTarget(from: URL, location: string | undefined, hops: number): URL {
  const to =
    location !== undefined && URL.canParse(location, from.href) ? new URL(location, from.href) : undefined;
  const refuse = (why: string): DownloadFailure =>
    new DownloadFailure(
      "final",
      new KbError("KB_MODEL_DOWNLOAD", `${from.host} ${why}`, {
        hint: "Check mirror in kb-mcp.toml and HF_ENDPOINT in the environment; a network with a sign-in page needs signing in first.",
      }),
    );
  if (to === undefined) throw refuse("sends elsewhere without an address");
  const secure = to.protocol === "https:";
  const sameClearHost = to.protocol === "http:" && from.protocol === "http:" && to.hostname === from.hostname;
  if (!secure && !sameClearHost) throw refuse(`sends to ${to.protocol}//${to.host}, which is not followed`);
  if (hops >= maxHops) throw refuse("sends from one address to the next without an end");
  to.username = to.password = "";
  return to;
}
