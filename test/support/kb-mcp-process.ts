// Runs the real command line and the real MCP client against it, with a data directory of the test's own.
import { spawn, type ChildProcess } from "node:child_process";
import { resolve } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const cliPath = resolve("dist/cli/main.js");

export interface CliResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Nothing of the surrounding machine's configuration reaches the test. */
function isolatedEnvironment(dataDirectory: string): Record<string, string> {
  return {
    PATH: process.env["PATH"] ?? "",
    HOME: dataDirectory,
    XDG_CONFIG_HOME: dataDirectory,
    KB_MCP_DATA_DIR: dataDirectory,
  };
}

/** Starts kb-mcp and hands the child to the caller. */
export function startCli(args: readonly string[], dataDirectory: string, cwd = dataDirectory): ChildProcess {
  return spawn(process.execPath, [cliPath, ...args], { cwd, env: isolatedEnvironment(dataDirectory) });
}

/** Runs kb-mcp to its end. */
export async function runCli(
  args: readonly string[],
  dataDirectory: string,
  cwd = dataDirectory,
): Promise<CliResult> {
  const child = startCli(args, dataDirectory, cwd);
  let stdout = "";
  let stderr = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const code = await new Promise<number | null>((done, failed) => {
    child.once("error", failed);
    child.once("close", done);
  });
  return { code, stdout, stderr };
}

/** A client connected to `kb-mcp serve` over stdio; close it when done. */
export async function connectClient(
  args: readonly string[],
  dataDirectory: string,
): Promise<{ client: Client; stderr: () => string }> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [cliPath, "serve", ...args],
    cwd: dataDirectory,
    env: isolatedEnvironment(dataDirectory),
    stderr: "pipe",
  });
  let stderr = "";
  transport.stderr?.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const client = new Client({ name: "kb-mcp-test", version: "1.0.0" });
  await client.connect(transport);
  return { client, stderr: () => stderr };
}
