// A small transport over TCP that keeps every promise, and can be told to break one.
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { McpSession, Transport } from "../../../src/core/plugin-api.js";
import type { TransportUnderTest } from "../../../src/testing/index.js";
import { LineEnd } from "../support/line-end.js";
import { ServerEnd, type Fault } from "../support/socket-end.js";

interface SocketTransport extends Transport {
  readonly port: number;
  /** Ends it whatever it was told to break. */
  kill(): void;
}

/** @param single whether it ends with its first client */
function socketTransport(port: number, single: boolean, fault?: Fault): SocketTransport {
  const ends = new Set<ServerEnd>();
  const sockets = new Set<Socket>();
  const sessions = new Set<McpSession>();
  let shared: Promise<McpSession> | undefined;
  let stopped = false;
  let killed = false;
  let finish: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (finish = resolve));
  const fail = (): void => {
    finish();
    for (const end of ends) end.socket.destroy();
    server.close();
  };
  const server = createServer();

  async function accept(
    socket: Socket,
    createSession: () => McpSession | Promise<McpSession>,
  ): Promise<void> {
    sockets.add(socket);
    if (single) server.close();
    const end: ServerEnd = new ServerEnd(socket, fault, fail, () => [...ends].at(-1) ?? end);
    ends.add(end);
    if (fault === "loses what comes before the session is there") await once(socket, "data");
    socket.once("close", () => {
      ends.delete(end);
      const waits = fault === "waits for answers to a client that has left" && end.pending.size > 0;
      if (single && fault !== "outlives its client" && !waits) finish();
      if (fault === "ends with its last client" && ends.size === 0) finish();
    });
    try {
      if (fault === "makes a session too many") await createSession();
      const sharing = fault === "shares a session";
      const session = await (sharing ? (shared ??= Promise.resolve(createSession())) : createSession());
      sessions.add(session);
      await session.connect(end);
    } catch {
      if (fault === "ends when a session cannot be made") fail();
      else if (fault !== "serves a client without a session") socket.destroy();
      else {
        end.onmessage = ({ id }) => void end.send({ jsonrpc: "2.0", id, result: {} });
        await end.start();
      }
      return;
    }
    const { onclose } = end;
    end.onclose = () => {
      if (fault === "keeps sessions whose clients have left" && !stopped) return;
      if (fault === "forgets its sessions" && stopped) return;
      onclose?.();
    };
  }

  let stopping: Promise<void> | undefined;
  async function stop(): Promise<void> {
    stopped = true;
    if (fault === "never stops") await new Promise(() => undefined);
    if (fault === "keeps its port") server.on("connection", (socket) => socket.destroy());
    else if (fault !== "goes on listening") server.close();
    if (fault === "waits for calls under way")
      await Promise.all(
        [...ends].filter(({ pending }) => pending.size > 0).map(() => new Promise(() => undefined)),
      );
    for (const end of ends) {
      if (fault === "keeps connections when it stops") continue;
      if (fault === "leaves calls under way hanging" && end.pending.size > 0) continue;
      end.socket.destroy();
    }
    const careless = [
      "forgets its sessions",
      "keeps connections when it stops",
      "leaves calls under way hanging",
    ];
    if (!careless.includes(fault ?? "")) for (const session of sessions) await session.close();
    finish();
  }

  return {
    ended,
    kill() {
      killed = true;
      server.close();
      for (const socket of sockets) socket.destroy();
    },
    get port() {
      return (server.address() as AddressInfo).port;
    },
    async start(createSession) {
      server.on("connection", (socket) => void accept(socket, createSession));
      if (fault === "says it has started before it listens") {
        void delay(200).then(() => killed || server.listen(port, "127.0.0.1"));
        return;
      }
      server.listen(port, "127.0.0.1");
      await once(server, "listening");
    },
    stop() {
      if (fault === "cannot be stopped twice" && stopped) return Promise.reject(new Error("it was stopped"));
      return (stopping ??= stop());
    },
  };
}

/** Starts transports on one port, the one that the first was given. */
export function socketTransports(
  single: boolean,
  fault?: Fault,
): {
  readonly start: (createSession: () => Promise<McpSession>) => Promise<TransportUnderTest>;
  /** Ends what a broken transport leaves behind. */
  readonly release: () => void;
} {
  let port = 0;
  const started: SocketTransport[] = [];
  const sockets: Socket[] = [];
  return {
    async start(createSession) {
      const transport = socketTransport(port, single, fault);
      started.push(transport);
      await transport.start(createSession);
      port = transport.port;
      let client: Socket | undefined;
      const open = async (): Promise<Socket> => {
        const socket = connect(port, "127.0.0.1");
        sockets.push(socket);
        await once(socket, "connect");
        return (client = socket);
      };
      return {
        ended: transport.ended,
        stop: () => transport.stop(),
        async connect() {
          const socket = await open();
          return new LineEnd(socket, socket);
        },
        async disturb(bytes) {
          const socket = single ? client! : await open();
          socket.on("error", () => undefined);
          await new Promise<void>((resolve) => socket.write(bytes, () => resolve()));
          if (!single) socket.end();
        },
      };
    },
    release() {
      for (const socket of sockets) socket.destroy();
      for (const transport of started) transport.kill();
    },
  };
}
