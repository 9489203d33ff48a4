// The connections to the server, through a proxy where the environment names one.
import type { Dispatcher } from "undici";
import type { Proxy } from "./proxy.js";

export async function createDispatcher(proxy: Proxy | undefined): Promise<Dispatcher> {
  const { Agent, EnvHttpProxyAgent } = await import("undici");
  // Each request has a time limit of its own, which may be longer than these.
  const options = { headersTimeout: 0, bodyTimeout: 0 };
  if (proxy === undefined) return new Agent(options);
  // The class warns on stderr that it is experimental, which the user of a proxy can do nothing about.
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = () => undefined;
  try {
    return new EnvHttpProxyAgent({
      ...options,
      // An http address is asked for, not tunnelled to: many proxies tunnel to port 443 only.
      ...{ proxyTunnel: false },
      // An https address takes the one for http where its own is empty. NO_PROXY is read from the environment.
      httpProxy: proxy.address,
      httpsProxy: "",
    });
  } finally {
    process.emitWarning = emitWarning;
  }
}
