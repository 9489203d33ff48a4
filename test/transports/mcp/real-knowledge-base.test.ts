// The surface over the real knowledge base, served by the real command line.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { UriTemplate } from "@modelcontextprotocol/sdk/shared/uriTemplate.js";
import type { DocumentReply, IndexSummary } from "../../../src/core/index.js";
import { textOf } from "../../support/connect-client.js";
import { connectClient, runCli } from "../../support/kb-mcp-process.js";
import { writeTree } from "../../support/temporary-folder.js";

/** Paths that need care in a URI, in a template, or both. */
const awkward = [
  "100% sure.md",
  "a b/c+d&e=f.md",
  "issue #42?.md",
  "メモ/第1回 打合せ.md",
  "über/naïve.md",
  "[draft] (old) {x}.md",
  "it's; a, list@home!.md",
];
const long = Array.from({ length: 4000 }, (_, i) => `Line ${i + 1} tells of the harbour.`).join("\n");

let folder: string;
let data: string;
let client: Client;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "kb-mcp-surface-"));
  data = await mkdtemp(join(tmpdir(), "kb-mcp-surface-data-"));
  await writeTree(folder, {
    ...Object.fromEntries(awkward.map((path) => [path, `# ${path}\n\nThe lighthouse keeper wrote this.\n`])),
    "long.md": long,
  });
  await runCli(["index", "--kb-path", folder], data);
  ({ client } = await connectClient(["--kb-path", folder], data));
  await client.listTools();
}, 60_000);

afterAll(async () => {
  await client.close();
  await rm(folder, { recursive: true });
  await rm(data, { recursive: true });
});

const call = (name: string, args: Record<string, unknown> = {}) => client.callTool({ name, arguments: args });

describe("over the real knowledge base", () => {
  it("every tool's reply passes the client's own validation", async () => {
    for (const [name, args] of [
      ["search", { query: "lighthouse", limit: 100 }],
      ["search", { query: "nothing of the kind" }],
      ["list_topics", {}],
      ["get_document", { path: awkward[0] }],
      ["rebuild_index", {}],
    ] as const) {
      const result = await call(name, args);
      expect([name, result.isError ?? false]).toEqual([name, false]);
      expect(JSON.parse(textOf(result))).toEqual(result.structuredContent);
    }
  });

  it("every path that completes can be read through the template, as get_document reads it", async () => {
    const { completion } = await client.complete({
      ref: { type: "ref/resource", uri: "kb://doc/{+path}" },
      argument: { name: "path", value: "" },
    });
    expect([...completion.values].sort()).toEqual([...awkward, "long.md"].sort());
    const template = new UriTemplate("kb://doc/{+path}");
    for (const path of completion.values) {
      const { contents } = await client.readResource({ uri: template.expand({ path }) });
      const document = (await call("get_document", { path })).structuredContent as DocumentReply;
      expect(contents[0]).toMatchObject({ mimeType: document.media_type, text: document.text });
    }
  });

  it("every uri of a hit and every listed topic can be read", async () => {
    const reply = (await call("search", { query: "lighthouse", limit: 100 })).structuredContent;
    const hits = (reply as { results: { uri?: string }[] }).results.map(({ uri }) => uri!);
    const topics = (await client.listResources()).resources.map(({ uri }) => uri);
    expect(new Set(hits).size).toBeGreaterThanOrEqual(awkward.length);
    expect(topics.length).toBeGreaterThan(3);
    for (const uri of [...hits, ...topics])
      expect((await client.readResource({ uri })).contents.length).toBe(1);
  });

  it("says of a long document how to read it in parts", async () => {
    const { notes, text } = (await call("get_document", { path: "long.md" })).structuredContent as {
      notes: string[];
      text: string;
    };
    expect(text).toBe(long);
    const way = expect.stringMatching(/in parts of \d+ lines: start_line 1, end_line \d+/u);
    expect(notes).toContainEqual(way);
  });

  it("refuses a file outside the index as a resource although get_document reads it, until it is indexed", async () => {
    await writeTree(folder, { "new.md": "# New\n\nJust written.\n" });
    const uri = "kb://doc/new.md";
    expect((await call("get_document", { path: "new.md" })).isError ?? false).toBe(false);
    await expect(client.readResource({ uri })).rejects.toMatchObject({ code: -32002 });
    const summary = (await call("rebuild_index")).structuredContent as IndexSummary;
    expect(summary).toMatchObject({ added: 1, skipped: [] });
    expect((await client.readResource({ uri })).contents[0]).toMatchObject({
      text: "# New\n\nJust written.\n",
    });
  });

  it.each([
    ["get_document", { path: "../outside.md" }, "KB_READ_OUTSIDE"],
    ["get_document", { path: "/etc/hostname" }, "KB_READ_"],
    ["get_document", { path: "nowhere.md" }, "KB_READ_NOT_FOUND"],
    ["get_document", { path: "long.md", start_line: 9000 }, "KB_READ_RANGE"],
    ["search", { query: "   " }, "KB_SEARCH_QUERY"],
    ["search", { query: "x", date_from: "yesterday" }, "KB_SEARCH_FILTER"],
    ["search", { query: "much ".repeat(400) }, "KB_SEARCH_QUERY"],
  ])("%s %j fails as a model can read it, without a path of the machine", async (name, args, code) => {
    const result = await call(name, args);
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(new RegExp(`^${code}`, "u"));
    expect(textOf(result)).not.toContain(folder);
    expect(textOf(result)).not.toContain(data);
  });
});
