// Which proxy the environment names for an address. Never repeats what a variable holds: it may be a password.
import { KbError } from "../../../core/plugin-api.js";
import { isLoopback } from "./options.js";

export interface Proxy {
  readonly variable: string;
  readonly address: string;
}

/**
 * The proxy for an address, or undefined; what NO_PROXY says is not looked at. The lower-case names come first, and an
 * https address without a proxy of its own takes the one for http, as in the fetch of Node.js.
 * @throws KbError KB_EMBED_SERVER for a variable that holds no address
 */
export function proxyFor(baseUrl: string, environment: NodeJS.ProcessEnv): Proxy | undefined {
  const { hostname, protocol } = new URL(baseUrl);
  if (isLoopback(hostname)) return undefined;
  const names = [
    ...(protocol === "https:" ? ["https_proxy", "HTTPS_PROXY"] : []),
    "http_proxy",
    "HTTP_PROXY",
  ];
  for (const variable of names) {
    const value = environment[variable]?.trim() ?? "";
    if (value === "") continue;
    const address = value.includes("://") ? value : `http://${value}`;
    if (URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)) return { variable, address };
    throw new KbError(
      "KB_EMBED_SERVER",
      `The environment variable ${variable} holds no address of an http proxy`,
      { hint: `Set ${variable} to an address such as http://proxy.example.org:8080, or unset it.` },
    );
  }
  return undefined;
}
