import { readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "@jest/globals";
import { createLogger } from "../../../src/core/logger.js";
import { admitPackage, type AdmittedPackage } from "../../../src/core/plugins/admission.js";

const folder = resolve("test/fixtures/plugins/hostile");
const key = "[plugins].packages in kb-mcp.toml";

/** Admits a fixture with its parser "x" enabled. */
async function admit(
  name: string,
  { milliseconds = 10_000, log = [] as string[] } = {},
): Promise<AdmittedPackage> {
  return admitPackage(
    { name: `./${name}.mjs`, path: join(folder, `${name}.mjs`), folder, key },
    {
      enabledParsers: { x: { options: {}, directories: { config: folder, data: folder } } },
      logger: createLogger("debug", (line) => log.push(line)),
      milliseconds,
    },
  );
}

interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  readonly cause?: { readonly message: string; readonly stack: string };
}

async function refusal(name: string, milliseconds?: number): Promise<Refusal> {
  return admit(name, { ...(milliseconds !== undefined && { milliseconds }) }).then(
    (admitted) => {
      throw new Error(`${admitted.name} was admitted`);
    },
    (error: unknown) => error as Refusal,
  );
}

/** What each hostile package is refused with; those that never end are given a second. */
const refusals: Readonly<Record<string, [code: string, message: string, milliseconds?: number]>> = {
  "throws-at-import": ["KB_PLUGIN_LOAD", "could not be loaded: no licence for this machine"],
  "ends-at-import": ["KB_PLUGIN_LOAD", "its process ended with exit code 7 while loading"],
  "hangs-at-import": ["KB_PLUGIN_LOAD", "loading took more than 1 s", 1000],
  "waits-at-import": ["KB_PLUGIN_LOAD", "loading took more than 1 s", 1000],
  "takes-all-memory-at-import": ["KB_PLUGIN_LOAD", "loading needed more than 512 MiB of memory"],
  "takes-all-buffers-at-import": ["KB_PLUGIN_LOAD", "loading needed more than 512 MiB of memory"],
  "is-no-plugin": ["KB_PLUGIN_INVALID", "has no plugin as its default export"],
  "is-of-another-version": ["KB_PLUGIN_API_VERSION", "made for version 2"],
  "lies-about-its-fields": ["KB_PLUGIN_LOAD", "not today"],
  "has-a-wrong-media-type": ["KB_PLUGIN_INVALID", '"mediaType" is neither text/markdown nor text/plain'],
  "has-a-broken-schema": ["KB_PLUGIN_OPTIONS", "schema lost"],
  "has-odd-options": ["KB_PLUGIN_OPTIONS", "are no plain data"],
  "throws-at-create": ["KB_PLUGIN_CREATE", "could not be created: cannot read properties of undefined"],
  "creates-no-parser": ["KB_PLUGIN_CREATE", 'The parser x has no method "parse"'],
  "returns-no-document": ["KB_PLUGIN_SAMPLE", 'not a document: "title" is not a text'],
  "returns-nothing": ["KB_PLUGIN_SAMPLE", "nothing came back; is a return missing?"],
  "throws-at-the-sample": ["KB_PLUGIN_SAMPLE", "not my format"],
  "throws-later": ["KB_PLUGIN_SAMPLE", "too late to catch"],
  "hangs-at-the-sample": ["KB_PLUGIN_SAMPLE", "with the parser x took more than 1 s", 1000],
  "ends-at-the-sample": ["KB_PLUGIN_SAMPLE", "its process ended with exit code 0 while reading a sample"],
};
/** These send what they like over the channel that the answer comes on; it counts for nothing. */
const talkative = ["sends-other-messages"];
/** These are in order by themselves; what they take from others is told where plugins meet. */
const admitted = ["takes-the-id-of-another", "takes-the-extension-of-another", "writes-to-standard-output"];

/** These leave a process behind that holds their output. */
const leaving = ["leaves-a-process-behind"];

describe("a hostile package", () => {
  it.each(Object.entries(refusals))(
    "that %s is refused by name",
    async (name, [code, message, milliseconds]) => {
      const error = await refusal(name, milliseconds);
      expect([error.code, error.message]).toEqual([code, expect.stringContaining(message)]);
      expect(error.message).toContain(`${key}: "./${name}.mjs": `);
      expect(error.message).not.toContain("\n");
      expect(error.hint).not.toBe("");
    },
  );

  it("is among the fixtures if and only if something is expected of it", async () => {
    const files = (await readdir(folder)).map((file) => file.replace(/\.mjs$/u, ""));
    expect(files.sort()).toEqual([...Object.keys(refusals), ...admitted, ...talkative, ...leaving].sort());
  });

  it("is refused with what it threw as the cause", async () => {
    const { cause } = await refusal("throws-at-import");
    expect(cause?.message).toBe("no licence for this machine");
    expect(cause?.stack).toContain("throws-at-import.mjs:2");
  });

  it("that writes to standard output reaches the log at most", async () => {
    const log: string[] = [];
    const { name } = await admit("writes-to-standard-output", { log });
    expect(name).toBe("writes-to-standard-output");
    expect(log.join("\n")).toContain("jsonrpc");
    expect(log.every((line) => line.startsWith("kb-mcp debug: "))).toBe(true);
  });
});

describe("a package that talks on its own", () => {
  it("is not listened to, but for log lines", async () => {
    const log: string[] = [];
    const { name } = await admit("sends-other-messages", { log });
    expect(name).toBe("sends-other-messages");
    expect(log).toContain("kb-mcp warn: a line of its own");
    expect(log.join("\n")).not.toContain("nowhere");
  });
});

describe("a package that leaves a process behind", () => {
  it("is admitted without waiting for it, and the process ends", async () => {
    const log: string[] = [];
    await admit("leaves-a-process-behind", { log });
    const pid = Number(/left (\d+)/u.exec(log.join("\n"))?.[1]);
    expect(pid).toBeGreaterThan(0);
    for (let tries = 0; tries < 100 && isAlive(pid); tries++) await sleep(50);
    expect(isAlive(pid)).toBe(false);
  });
});

/** A process that has ended and that nobody has asked about yet counts as ended. */
function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/su.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

describe("an admitted package", () => {
  it("is described in plain data", async () => {
    expect(await admit("takes-the-extension-of-another")).toMatchObject({
      name: "kb-mcp-parser-other",
      version: "1.0.0",
      ids: { parsers: ["x"], embedders: [], stores: [], rerankers: [], transports: [] },
      parsers: [{ id: "x", extensions: ["x", "md"], mediaType: "text/plain", binary: false, options: {} }],
      moduleUrl: expect.stringMatching(/^file:\/\/.*takes-the-extension-of-another\.mjs$/u),
    });
  });
});
