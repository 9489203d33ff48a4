import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { estimateTokens } from "../../../../src/core/estimate-tokens.js";
import type { GraphNode, GraphReply, GraphRequest } from "../../../../src/core/index.js";
import { fitGraph } from "../../../../src/transports/mcp/fit-graph.js";
import { connectClient, textOf } from "../../../support/connect-client.js";
import { memoryKnowledgeBase } from "../../../support/memory-knowledge-base.js";
import { sampleGraph } from "../../../support/sample-graph.js";

function node(id: number, parent: number | undefined, extra: Partial<GraphNode> = {}): GraphNode {
  return {
    id,
    depth: parent === undefined ? 0 : 1,
    path: `${id}.md`,
    title: `Note ${id}`,
    snippet: "Moss likes shade and rain. ".repeat(7),
    ...(parent !== undefined && { parent_id: parent, score: 0.7, via: "meaning" as const }),
    ...extra,
  };
}

/** What a client is sent. */
function sentTokens(sent: GraphReply): number {
  const result = { content: [{ type: "text", text: JSON.stringify(sent) }], structuredContent: sent };
  return estimateTokens(JSON.stringify(result));
}

describe("get_connection_graph", () => {
  it("hands the arguments on, converted, and returns the graph twice alike", async () => {
    const asked: GraphRequest[] = [];
    const kb = memoryKnowledgeBase(
      {},
      {
        connectionGraph: (request) => {
          asked.push(request);
          return Promise.resolve(sampleGraph([node(0, undefined), node(1, 0)]));
        },
      },
    );
    const { client, close } = await connectClient(kb);
    const result = await client.callTool({
      name: "get_connection_graph",
      arguments: {
        start: "0.md",
        depth: "3",
        min_similarity: "0.5",
        seed_strategy: "Centroid",
        dedup_by_path: "false",
        exclude_paths: "a/**",
        topic: "",
      },
    });
    await close();
    expect(asked).toEqual([
      {
        start: "0.md",
        depth: 3,
        min_similarity: 0.5,
        seed_strategy: "centroid",
        dedup_by_path: false,
        exclude_paths: ["a/**"],
      },
    ]);
    expect(result.isError).toBeUndefined();
    expect(JSON.parse(textOf(result))).toEqual(result.structuredContent);
  });

  it("names the strategies in its schema", async () => {
    const { client, close } = await connectClient(memoryKnowledgeBase({}));
    const { tools } = await client.listTools();
    await close();
    const schema = tools.find(({ name }) => name === "get_connection_graph")!.inputSchema;
    expect(schema.properties).toMatchObject({ seed_strategy: { enum: ["all_chunks", "centroid"] } });
  });

  it.each([
    [
      { start: "0.md", seed_strategy: "middle" },
      /^KB_TOOL_ARGUMENT: .*all_chunks or centroid, not "middle"/u,
    ],
    [{ start: "0.md", depth: 4 }, /^KB_TOOL_ARGUMENT: .*from 1 to 3/u],
    [{}, /^KB_TOOL_ARGUMENT: get_connection_graph needs the argument "start"/u],
    [{ start: "nowhere.md" }, /^KB_GRAPH_START: "nowhere\.md" is not in the index\./u],
  ])("refuses %j as a model can read it", async (args, message) => {
    const { client, close } = await connectClient(memoryKnowledgeBase({}));
    const result = await client.callTool({ name: "get_connection_graph", arguments: args });
    await close();
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(message);
  });
});

describe("the budget of a graph", () => {
  it("leaves one alone that fits", () => {
    const small = sampleGraph([node(0, undefined)]);
    expect(fitGraph(small, 16_000)).toBe(small);
  });

  it("shortens snippets first, and says where to read on", () => {
    const full = sampleGraph(Array.from({ length: 100 }, (_, id) => node(id, id === 0 ? undefined : 0)));
    const fitted = fitGraph(full, 14_000);
    expect(fitted.nodes).toHaveLength(100);
    expect(fitted.nodes[5]!.snippet).toMatch(/^Moss likes .*…$/u);
    expect(fitted.truncation).toEqual([
      {
        limit: "max_reply_tokens",
        message: expect.stringMatching(/100 snippets were shortened.*get_document/u),
      },
    ]);
  });

  it("then leaves out nodes from the end, counted, and what hangs on a monstrous one", () => {
    const monster = node(1, 0, { path: `${"長".repeat(4000)}.md` });
    const rest = Array.from({ length: 300 }, (_, at) => node(at + 2, at === 0 ? 1 : 0));
    const fitted = fitGraph(sampleGraph([node(0, undefined), monster, ...rest]), 16_000);
    const ids = fitted.nodes.map(({ id }) => id);
    expect(ids.slice(0, 3)).toEqual([0, 3, 4]);
    expect(fitted.truncated).toBe(true);
    expect(fitted.truncation[0]).toMatchObject({ limit: "max_reply_tokens", left_out: 302 - ids.length });
  });

  it("says it of one", () => {
    const nodes = [node(0, undefined), node(1, 0, { path: `${"長".repeat(1000)}.md` })];
    expect(fitGraph(sampleGraph(nodes), 2000).truncation[0]!.message).toContain(
      "tokens, 1 snippet was shortened and 1 node was left out.",
    );
  });

  const longPath = (id: number): Partial<GraphNode> => {
    const path = `${"長".repeat(60)}/${id}/メモ帳.md`;
    return { path, uri: `kb://doc/${encodeURIComponent(path)}`, snippet: "冬".repeat(200) };
  };

  it("keeps the start and some of the others where all have long paths", () => {
    const nodes = Array.from({ length: 10 }, (_, id) => node(id, id === 0 ? undefined : 0, longPath(id)));
    const whole = sampleGraph(nodes, { start: nodes[0]!.path });
    const fitted = fitGraph(whole, 2000);
    expect(fitted.nodes.map(({ id }) => id)).toEqual([0, 1]);
    expect(sentTokens(fitted)).toBeLessThanOrEqual(2000);
  });

  it("keeps of a start with a very long path what fits", () => {
    const path = `${"長".repeat(110)}.md`;
    const uri = `kb://doc/${encodeURIComponent(path)}`;
    const start = node(0, undefined, { path, uri, heading: "Moss" });
    const fitted = fitGraph(sampleGraph([start, node(1, 0)], { start: path }), 1000);
    expect(fitted.nodes[0]).toEqual({ id: 0, depth: 0, path, title: "Note 0", snippet: "" });
    expect(fitted.nodes).toHaveLength(2);
    expect(sentTokens(fitted)).toBeLessThanOrEqual(1000);
    expect(fitGraph(sampleGraph([{ ...start, path: "長".repeat(1365) }]), 1000).nodes).toEqual([]);
  });

  it("shortens a start that would crowd out the others", () => {
    const start = node(0, undefined, { title: "題".repeat(1000), heading: "題".repeat(1000) });
    const rest = Array.from({ length: 300 }, (_, at) => node(at + 1, 0));
    const fitted = fitGraph(sampleGraph([start, ...rest]), 4000);
    expect(fitted.nodes[0]).toEqual({
      id: 0,
      depth: 0,
      path: "0.md",
      title: `${"題".repeat(39)}…`,
      heading: `${"題".repeat(39)}…`,
      snippet: "",
    });
    expect(fitted.nodes.length).toBeGreaterThan(5);
  });

  it("echoes of exclude_paths what leaves room for nodes", () => {
    const entries = Array.from({ length: 64 }, (_, index) => `${index}/${"長".repeat(300)}/**`);
    const nodes = Array.from({ length: 20 }, (_, id) => node(id, id === 0 ? undefined : 0));
    const plain = sampleGraph(nodes);
    const whole = { ...plain, settings: { ...plain.settings, exclude_paths: entries } };
    const fitted = fitGraph(whole, 8000);
    const shown = fitted.settings.exclude_paths!;
    expect(shown).toEqual(entries.slice(0, shown.length));
    expect([shown.length > 0, fitted.nodes]).toEqual([true, nodes]);
    expect(fitted.truncation).toEqual([
      {
        limit: "max_reply_tokens",
        message: `To keep the reply within 8000 tokens, settings show ${shown.length} of the 64 entries of exclude_paths.`,
      },
    ]);
  });

  it("is never exceeded, and what is kept is one tree", () => {
    const text = fc
      .tuple(fc.constantFrom("word ", "漢字", '"\\"', "\u{1F600}"), fc.nat({ max: 60 }))
      .map(([piece, times]) => piece.repeat(times));
    const name = fc.tuple(fc.constantFrom("a", "長", '"'), fc.constantFrom(3, 30, 200));
    const path = name.map(([piece, times]) => piece.repeat(times));
    const nodes = fc
      .array(fc.tuple(text, text, path, fc.nat()), { minLength: 1, maxLength: 150 })
      .map((all) =>
        all.map(([title, snippet, folder, parent], id) => {
          const path = `${folder}/${id}.md`;
          const uri = `kb://doc/${encodeURIComponent(path)}`;
          return node(id, id === 0 ? undefined : parent % id, { title, snippet, path, uri });
        }),
      );
    fc.assert(
      fc.property(
        nodes,
        fc.array(path),
        fc.integer({ min: 2000, max: 20_000 }),
        (given, excluded, maxTokens) => {
          const plain = sampleGraph(given, { start: given[0]!.path });
          const whole = { ...plain, settings: { ...plain.settings, exclude_paths: excluded } };
          const fitted = fitGraph(whole, maxTokens);
          expect(sentTokens(fitted)).toBeLessThanOrEqual(maxTokens);
          const kept = new Set(fitted.nodes.map(({ id }) => id));
          expect(kept.has(0)).toBe(true);
          for (const { parent_id: parent } of fitted.nodes)
            if (parent !== undefined) expect(kept.has(parent)).toBe(true);
          if (fitted !== whole) expect(fitted.truncated).toBe(true);
          const left = given.length - fitted.nodes.length;
          if (left > 0) expect(fitted.truncation.at(-1)!.left_out).toBe(left);
        },
      ),
      { numRuns: 150 },
    );
  });
});
