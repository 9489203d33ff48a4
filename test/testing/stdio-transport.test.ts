import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { describe, it } from "@jest/globals";
import { transportContract, type TransportUnderTest } from "../../src/testing/index.js";
import { LineEnd } from "./support/line-end.js";

const fixture = fileURLToPath(new URL("../fixtures/contracts/stdio-transport.mjs", import.meta.url));

async function startStdio(): Promise<TransportUnderTest> {
  const child = spawn(process.execPath, [fixture], { stdio: "pipe" });
  const ended = once(child, "exit");
  await once(child.stderr, "data");
  return {
    ended,
    connect: () => new LineEnd(child.stdout, child.stdin),
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
    async disturb(bytes) {
      await new Promise<void>((resolve) => child.stdin.write(bytes, () => resolve()));
    },
  };
}

describe("the built-in stdio transport", () => {
  transportContract(startStdio, { describe, it }, { connections: "one" });
});
