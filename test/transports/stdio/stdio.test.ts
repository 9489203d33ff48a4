import { afterEach, describe, expect, it } from "@jest/globals";
import { execFile, spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { textOf } from "../../support/connect-client.js";
import {
  isGoneWithin,
  isRunning,
  startStdioServer,
  stdioServerPath,
  type RunningServer,
} from "../../support/stdio-server.js";

/** What a client has to wait at most before the server it left is gone, in milliseconds. */
const patience = 2000;

let server: RunningServer | undefined;
afterEach(() => {
  server?.process.kill("SIGKILL");
  server = undefined;
});

const search = (query: string) => ({ name: "search", arguments: { query } });

describe("MCP over stdio, with the SDK's own client", () => {
  async function connect() {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [stdioServerPath],
      stderr: "pipe",
    });
    let stderr = "";
    transport.stderr?.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
    const client = new Client({ name: "test", version: "0" });
    const errors: Error[] = [];
    client.onerror = (error) => errors.push(error);
    await client.connect(transport);
    await client.listTools();
    return { client, errors, stderr: () => stderr };
  }

  it("answers", async () => {
    const { client } = await connect();
    const result = await client.callTool(search("hello"));
    expect(result.structuredContent).toMatchObject({ results: [{ content: "hello" }] });
    await client.close();
  });

  it("keeps the protocol clean of whatever a library prints, from any thread", async () => {
    const { client, errors, stderr } = await connect();
    const result = await client.callTool(search("print"));
    expect(result.structuredContent).toMatchObject({ results: [{ content: "print" }] });
    await client.callTool(search("after"));
    await client.close();
    expect(errors).toEqual([]);
    for (const way of ["console.log", "process.stdout.write", "writeSync", "worker", "worker writeSync"])
      expect(stderr()).toContain(`stray: ${way}\n`);
  });

  it("delivers a document larger than a pipe holds", async () => {
    const { client } = await connect();
    const result = await client.callTool({ name: "get_document", arguments: { path: "a.md" } });
    expect((JSON.parse(textOf(result)) as { text: string }).text.length).toBe(400_000);
    await client.close();
  });

  it("logs a rejection that nobody handles and serves on", async () => {
    const { client, stderr } = await connect();
    await client.callTool(search("reject"));
    await expect(client.callTool(search("after"))).resolves.toHaveProperty("structuredContent");
    await client.close();
    expect(stderr()).toMatch(/error: unhandled rejection: Error: nobody waits for this/u);
  });
});

describe("the end", () => {
  it("comes with the end of the input, with exit code 0", async () => {
    server = await startStdioServer();
    server.end();
    expect(await server.exit()).toEqual([0, null]);
    expect(await isGoneWithin(server.serverPid, patience)).toBe(true);
  });

  it("waits for requests that are being answered when the input ends", async () => {
    server = await startStdioServer();
    server.send("tools/call", search("slow"));
    server.end();
    expect(await server.exit()).toEqual([0, null]);
    expect(server.stdout()).toContain('"content":"slow"');
  });

  it("does not wait for a request that is never answered", async () => {
    server = await startStdioServer();
    server.send("tools/call", search("stuck"));
    server.end();
    expect(await isGoneWithin(server.serverPid, patience)).toBe(true);
  });

  it("comes when the client stops reading", async () => {
    server = await startStdioServer();
    server.output.destroy();
    server.send("tools/call", search("large"));
    expect(await isGoneWithin(server.serverPid, patience)).toBe(true);
  });

  it("survives a client that stops reading the log", async () => {
    server = await startStdioServer();
    server.log.destroy();
    for (const [id, query] of ["reject", "print", "after", "long after"].entries()) {
      server.send("tools/call", search(query), id);
      await server.answered(new RegExp(`"id":${id}\\b`, "u"));
    }
    expect(server.stdout()).toContain('"content":"long after"');
  });

  it("comes when the shield is killed, although the input stays open", async () => {
    const idle = spawn("sleep", ["60"], { stdio: ["ignore", "pipe", "ignore"] });
    server = await startStdioServer(idle.stdout);
    expect(server.serverPid).not.toBe(server.process.pid);
    server.process.kill("SIGKILL");
    const gone = await isGoneWithin(server.serverPid, patience);
    const inputStayedOpen = isRunning(idle.pid!);
    idle.kill();
    expect([gone, inputStayedOpen]).toEqual([true, true]);
  });
});

describe("the shield", () => {
  it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
    "ends the server on %s, without a second signal to one that a terminal has signalled too",
    async (signal) => {
      server = await startStdioServer();
      server.process.kill(signal);
      expect(await server.exit()).toEqual([0, null]);
      expect(server.stderr()).not.toContain("received");
    },
  );

  it("passes the signal on to a server that does not end, and its exit code back", async () => {
    server = await startStdioServer(undefined, "--deaf");
    server.process.kill("SIGTERM");
    expect(await server.exit()).toEqual([40, null]);
    expect(server.stderr()).toContain("received SIGTERM");
  });

  it("passes a second signal on at once", async () => {
    server = await startStdioServer(undefined, "--deaf");
    server.process.kill("SIGTERM");
    // The shield has its turn before the second signal, or both would be one.
    await new Promise((resolve) => setTimeout(resolve, 100));
    server.process.kill("SIGINT");
    expect(await server.exit()).toEqual([40, null]);
    expect(server.stderr()).toContain("received SIGINT");
  });

  it("passes back the exit code of a server that ends by itself", async () => {
    server = await startStdioServer();
    server.send("tools/call", search("exit"));
    expect(await server.exit()).toEqual([7, null]);
  });

  it("reports a server that was killed as a shell would", async () => {
    server = await startStdioServer();
    process.kill(server.serverPid, "SIGKILL");
    expect(await server.exit()).toEqual([137, null]);
  });

  it("does not hand its variable on to programs that the server starts", async () => {
    server = await startStdioServer();
    expect(server.stderr()).toContain("variable undefined");
  });
});

describe("output", () => {
  const session = (query: string): string =>
    [
      {
        id: 1,
        method: "initialize",
        params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "0" } },
      },
      { method: "notifications/initialized" },
      { id: 2, method: "tools/call", params: search(query) },
    ]
      .map((message) => JSON.stringify({ jsonrpc: "2.0", ...message }))
      .join("\n");
  const ids = (output: string): number[] =>
    output
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as { id: number }).id);

  it.each(["", "--unshielded"])("goes to a pipe %s", async (flag) => {
    const shell = `printf '%s\\n' "$1" | "$2" "$3" ${flag} | cat`;
    const { stdout } = await promisify(execFile)("sh", [
      "-c",
      shell,
      "sh",
      session("large"),
      process.execPath,
      stdioServerPath,
    ]);
    expect(ids(stdout)).toEqual([1, 2]);
  });

  it("goes to a file", async () => {
    const directory = await mkdtemp(join(tmpdir(), "kb-mcp-stdio-"));
    const file = join(directory, "out.jsonl");
    const shell = 'printf "%s\\n" "$1" | "$2" "$3" > "$4"';
    await promisify(execFile)("sh", [
      "-c",
      shell,
      "sh",
      session("print"),
      process.execPath,
      stdioServerPath,
      file,
    ]);
    expect(ids(await readFile(file, "utf8"))).toEqual([1, 2]);
    await rm(directory, { recursive: true });
  });
});
