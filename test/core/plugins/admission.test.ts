import { readdir } from "node:fs/promises";
import { resolve } from "node:path";
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
    { name: `./${name}.mjs`, isPath: true, folder, key },
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
  "throws-at-the-sample": ["KB_PLUGIN_SAMPLE", "not my format"],
  "throws-later": ["KB_PLUGIN_SAMPLE", "too late to catch"],
  "hangs-at-the-sample": ["KB_PLUGIN_SAMPLE", "with the parser x took more than 1 s", 1000],
  "ends-at-the-sample": ["KB_PLUGIN_SAMPLE", "its process ended with exit code 0 while reading a sample"],
};
/** These are in order by themselves; what they take from others is told where plugins meet. */
const admitted = ["takes-the-id-of-another", "takes-the-extension-of-another", "writes-to-standard-output"];

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
    expect(files.sort()).toEqual([...Object.keys(refusals), ...admitted].sort());
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
