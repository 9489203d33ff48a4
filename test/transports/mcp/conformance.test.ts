// The official MCP conformance suite against the whole surface over a real index. Its scenarios ask for tools,
// prompts and resources of its own: a name that has a counterpart here is replaced by it on the way in.
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { KnowledgeBase } from "../../../src/core/index.js";
import { openKnowledgeBase } from "../../../src/index.js";
import { serveOverHttp, type HttpHarness } from "../../support/http-harness.js";
import { writeTree } from "../../support/temporary-folder.js";

const suite = createRequire(import.meta.url).resolve("@modelcontextprotocol/conformance/dist/index.js");

/** What the suite asks for, and what it gets. */
const counterparts: readonly [string, string][] = [
  ["test://static-text", "kb://doc/static.md"],
  ["test://template/123/data", "kb://doc/template/123.md"],
  ["test://watched-resource", "kb://doc/watched.md"],
  ['"name":"test_simple_text"', '"name":"list_topics"'],
  ['"name":"test_error_handling"', '"name":"get_document"'],
  ['"name":"test_tool_with_progress","arguments":{}', '"name":"rebuild_index","arguments":{"force":true}'],
  ['"name":"test_simple_prompt"', '"name":"whats_new"'],
  [
    '"name":"test_prompt_with_arguments"},"argument":{"name":"arg1"',
    '"name":"find_gaps"},"argument":{"name":"topic"',
  ],
  [
    '"name":"test_prompt_with_arguments","arguments":{"arg1":"testValue1","arg2":"testValue2"}',
    '"name":"deep_dive","arguments":{"question":"testValue1 or testValue2?"}',
  ],
];

/** Scenarios for what this server does not offer, with the reason. */
const notOffered = {
  "logging-set-level": "the log goes to standard error; MCP logging is not declared",
  "tools-call-image": "no tool answers with an image",
  "tools-call-audio": "no tool answers with audio",
  "tools-call-embedded-resource": "no tool embeds a resource; hits carry its uri",
  "tools-call-mixed-content": "no tool answers with mixed content",
  "tools-call-with-logging": "the log goes to standard error; MCP logging is not declared",
  "tools-call-sampling": "the server never asks the client's model",
  "tools-call-elicitation": "the server never asks the client's user",
  "json-schema-2020-12": "asks for a tool whose schema has $defs and $ref, which some clients refuse",
  "elicitation-sep1034-defaults": "the server never asks the client's user",
  "elicitation-sep1330-enums": "the server never asks the client's user",
  "server-sse-polling": "a matter of an HTTP transport, which is not part of this version",
  "server-sse-multiple-streams": "a matter of an HTTP transport, which is not part of this version",
  "resources-read-binary": "resources are text",
  "prompts-get-embedded-resource": "no prompt embeds a resource",
  "prompts-get-with-image": "no prompt holds an image",
  "dns-rebinding-protection": "a matter of an HTTP transport, which is not part of this version",
};

const offered = [
  "server-initialize",
  "ping",
  "completion-complete",
  "tools-list",
  "tools-call-simple-text",
  "tools-call-error",
  "tools-call-with-progress",
  "resources-list",
  "resources-read-text",
  "resources-templates-read",
  "resources-subscribe",
  "resources-unsubscribe",
  "prompts-list",
  "prompts-get-simple",
  "prompts-get-with-args",
];

let folder: string;
let kb: KnowledgeBase;
let harness: HttpHarness;
/** Replacements that were made. */
const replaced = new Set<string>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "kb-mcp-conformance-"));
  await writeTree(join(folder, "notes"), {
    "static.md": "# Static\n\nThis is the content of the static text resource.\n",
    "template/123.md": "# 123\n\nThis document has the number 123.\n",
    "watched.md": "# Watched\n\nThis one is watched.\n",
  });
  process.env["KB_MCP_DATA_DIR"] = join(folder, "data");
  kb = await openKnowledgeBase({ kbPath: join(folder, "notes") });
  await kb.index();
  harness = await serveOverHttp(kb, (body) =>
    counterparts.reduce((changed, [theirs, ours]) => {
      if (changed.includes(theirs)) replaced.add(theirs);
      return changed.replace(theirs, ours);
    }, body),
  );
}, 60_000);

afterAll(async () => {
  await harness.close();
  await kb.close();
  delete process.env["KB_MCP_DATA_DIR"];
  await rm(folder, { recursive: true });
});

const run = (args: readonly string[]) =>
  new Promise<{ code: number; output: string }>((resolve) => {
    execFile(process.execPath, [suite, ...args], { cwd: folder }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : 1, output: stdout + stderr }),
    );
  });

describe("the official conformance suite", () => {
  it.each(offered)(
    "passes %s",
    async (scenario) => {
      const { code, output } = await run(["server", "--url", harness.url, "--scenario", scenario]);
      expect(output).toMatch(/passed/iu);
      expect({ code, output }).toMatchObject({ code: 0 });
    },
    30_000,
  );

  it("was given a counterpart for each of its names", () => {
    expect([...replaced].sort()).toEqual(counterparts.map(([theirs]) => theirs).sort());
  });

  it("has no other scenario than these and those that are not offered", async () => {
    const { output } = await run(["list"]);
    const servers = output.slice(0, output.indexOf("Client scenarios"));
    const scenarios = [...servers.matchAll(/^\s+- (\S+)/gmu)].map(([, name]) => name!);
    expect(scenarios.sort()).toEqual([...offered, ...Object.keys(notOffered)].sort());
  });
});
