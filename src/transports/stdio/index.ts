// MCP over stdin and the protocol's output stream: one client, one session, for as long as both ends are there.
import type { Writable } from "node:stream";
import { definePlugin, pluginApiVersion } from "../../core/plugin-api.js";
import type { McpSession, PluginHost, Transport } from "../../core/plugin-api.js";
import { whenParentGone } from "./parent-watch.js";
import { watchRequests } from "./pending-requests.js";
import { endStream, openProtocolStream } from "./protocol-stream.js";

/** Milliseconds that requests have to be answered after the input has ended. */
const answerTime = 1000;

/** Milliseconds that written answers have to go out at the end. */
const flushTime = 500;

export default definePlugin({
  name: "kb-mcp-stdio",
  version: "1",
  apiVersion: pluginApiVersion,
  transports: [{ id: "stdio", create: (_options, host) => createStdioTransport(host) }],
});

function createStdioTransport({ logger }: PluginHost): Transport {
  let session: McpSession | undefined;
  let output: Writable | undefined;
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const logRejection = (reason: unknown): void =>
    logger.error(
      `unhandled rejection: ${reason instanceof Error ? (reason.stack ?? reason.message) : String(reason)}`,
    );

  return {
    ended,
    async start(createSession) {
      process.on("unhandledRejection", logRejection);
      void whenParentGone().then(end);
      output = openProtocolStream();
      // A client that stops reading the log is no reason to end. Behind the shield, stdout is the log too.
      process.stderr.on("error", () => undefined);
      process.stdout.on("error", () => undefined);
      output.on("error", (error) => {
        logger.debug(`the client stopped reading: ${error.message}`);
        end();
      });

      const { StdioServerTransport } = await import("@modelcontextprotocol/sdk/server/stdio.js");
      const transport = new StdioServerTransport(process.stdin, output);
      const requests = watchRequests(transport);
      process.stdin.once("end", () => void requests.settled(answerTime).then(end));
      process.stdin.once("close", () => void requests.settled(answerTime).then(end));
      process.stdin.on("error", end);
      session = await createSession();
      await session.connect(transport);
    },
    async stop() {
      await session?.close();
      if (output) await endStream(output, flushTime);
      process.off("unhandledRejection", logRejection);
      end();
    },
  };
}
