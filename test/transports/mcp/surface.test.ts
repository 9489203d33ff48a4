import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { ListToolsResult } from "@modelcontextprotocol/sdk/types.js";
import { Ajv } from "ajv";
import { connectClient, type ConnectedClient } from "../../support/connect-client.js";
import { memoryKnowledgeBase } from "../../support/memory-knowledge-base.js";

/** The public contract: a name that changes here breaks somebody's client. */
const contract = {
  search: [
    "query",
    "limit",
    "category",
    "topic",
    "path_globs",
    "tags_any",
    "tags_all",
    "date_from",
    "date_to",
    "min_quality",
    "include_low_quality",
    "rerank",
    "mmr",
    "mmr_lambda",
    "mmr_same_doc_penalty",
    "parent_retriever",
    "min_confidence",
  ],
  get_document: ["path", "start_line", "end_line"],
  list_topics: [],
  get_connection_graph: [
    "start",
    "depth",
    "fan_out",
    "min_similarity",
    "seed_strategy",
    "dedup_by_path",
    "category",
    "topic",
    "exclude_paths",
    "max_nodes",
    "max_seed_chunks",
  ],
  get_best_practice: ["target", "category"],
  rebuild_index: ["force"],
};

describe("the MCP surface", () => {
  let connected: ConnectedClient;
  let listed: ListToolsResult["tools"];
  beforeAll(async () => {
    connected = await connectClient(memoryKnowledgeBase({ "ops/backup.md": "We back up every night." }));
    listed = (await connected.client.listTools()).tools;
  });
  afterAll(() => connected.close());

  it("offers the tools and arguments of the contract", () => {
    const offered = listed.map(({ name, inputSchema }) => [name, Object.keys(inputSchema.properties ?? {})]);
    expect(Object.fromEntries(offered)).toEqual(contract);
  });

  it("requires query for search, path for get_document, start for a graph and target for get_best_practice, nothing else", () => {
    expect(
      Object.fromEntries(listed.map(({ name, inputSchema }) => [name, inputSchema.required ?? []])),
    ).toEqual({
      search: ["query"],
      get_document: ["path"],
      list_topics: [],
      get_connection_graph: ["start"],
      get_best_practice: ["target"],
      rebuild_index: [],
    });
  });

  it("marks every tool but rebuild_index as read-only, and none as reaching the open world", () => {
    const hints = listed.map(({ name, annotations }) => [name, annotations?.readOnlyHint]);
    expect(Object.fromEntries(hints)).toEqual({
      search: true,
      get_document: true,
      list_topics: true,
      get_connection_graph: true,
      get_best_practice: true,
      rebuild_index: false,
    });
    expect(listed.every(({ annotations }) => annotations?.openWorldHint === false)).toBe(true);
  });

  it("advertises schemas that a strict validator compiles and that even simple clients take", () => {
    const ajv = new Ajv({ strict: true, allErrors: true });
    for (const { inputSchema, outputSchema } of listed) {
      expect(() => ajv.compile(inputSchema)).not.toThrow();
      expect(() => ajv.compile(outputSchema!)).not.toThrow();
      expect(inputSchema).toMatchObject({ type: "object", additionalProperties: false });
      expect(JSON.stringify(inputSchema)).not.toMatch(/\$ref|anyOf|oneOf|allOf|\$defs/u);
      expect(JSON.stringify(outputSchema)).not.toMatch(/\$ref|\$defs/u);
    }
  });

  it("describes every argument, with examples that its own schema accepts", () => {
    const ajv = new Ajv({ strict: true });
    const properties = listed.flatMap(({ inputSchema }) => Object.values(inputSchema.properties ?? {}));
    expect(properties.length).toBe(34);
    for (const property of properties as { description: string; examples: unknown[] }[]) {
      expect(property.description.length).toBeGreaterThan(20);
      const validate = ajv.compile(property);
      for (const example of property.examples) expect(validate(example)).toBe(true);
    }
  });

  it("gives in each description an example of a call that the tool's schema accepts", () => {
    const ajv = new Ajv({ strict: true });
    for (const { description, inputSchema } of listed) {
      const examples = description!.match(/\{.*?\}/gu)!.filter((text) => /^\{("|\})/u.test(text));
      expect(examples.length).toBeGreaterThan(0);
      for (const example of examples) expect(ajv.validate(inputSchema, JSON.parse(example))).toBe(true);
    }
  });

  it("declares what works and nothing more", () => {
    expect(connected.client.getServerCapabilities()).toEqual({
      tools: {},
      resources: { subscribe: true, listChanged: true },
      prompts: {},
      completions: {},
    });
    expect(connected.client.getServerVersion()).toMatchObject({ name: "kb-mcp", version: "1.2.3" });
  });

  it("answers a ping", async () => {
    await expect(connected.client.ping()).resolves.toEqual({});
  });
});
