// Requests through the proxy that the environment names; loopback goes without. Loads the library on first use.
import type { Dispatcher } from "undici";
import { KbError } from "../../../core/plugin-api.js";

export interface HttpClient {
  /** One request and its answer; redirects are answers. */
  send(
    method: "GET" | "HEAD",
    url: URL,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<Dispatcher.ResponseData>;
  /** Breaks off whatever is under way. */
  close(): Promise<void>;
}

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/u;

/**
 * @param stallMs milliseconds without an answer or a byte of it after which a request fails
 * @throws KbError KB_MODEL_DOWNLOAD for the address of a proxy that is none
 */
export async function httpClient(stallMs: number): Promise<HttpClient> {
  const { Agent, EnvHttpProxyAgent, request } = await import("undici");
  const direct = new Agent();
  const proxied = namesProxy() ? fromEnvironment(() => new EnvHttpProxyAgent()) : direct;
  return {
    send: (method, url, headers, signal) =>
      request(url, {
        method,
        headers,
        signal,
        dispatcher: loopback.test(url.hostname) ? direct : proxied,
        headersTimeout: stallMs,
        bodyTimeout: stallMs,
      }),
    async close() {
      await direct.destroy();
      if (proxied !== direct) await proxied.destroy();
    },
  };
}

function namesProxy(): boolean {
  return ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"].some((name) => process.env[name]);
}

function fromEnvironment(create: () => Dispatcher): Dispatcher {
  // The class warns on stderr that it is experimental, which the user of a proxy can do nothing about.
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = () => undefined;
  try {
    return create();
  } catch {
    // The value is not shown, nor the cause, which repeats it: it may hold a password.
    throw new KbError("KB_MODEL_DOWNLOAD", "HTTPS_PROXY or HTTP_PROXY is not the address of a proxy", {
      hint: "Give an address that begins with http://, such as http://proxy.example.org:3128.",
    });
  } finally {
    process.emitWarning = emitWarning;
  }
}
