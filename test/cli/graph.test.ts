import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { formatGraph } from "../../src/cli/format-graph.js";
import { formatDot } from "../../src/cli/graph-dot.js";
import { formatSvg } from "../../src/cli/graph-svg.js";
import type { GraphNode, GraphReply } from "../../src/core/index.js";
import { runCli, type CliResult } from "../support/kb-mcp-process.js";
import { sampleGraph } from "../support/sample-graph.js";
import { writeTree } from "../support/temporary-folder.js";

const evil = `</text></svg><script>alert("1")</script>&lt;&'" \\ \\" ]; x -> y [\\N\\l \u001b[2J\r\n\u202e\uFFFE\uD800 %s`;

function reply(nodes: Partial<GraphNode>[], more: Partial<GraphReply> = {}): GraphReply {
  const whole = nodes.map((node, id) => ({
    id,
    depth: 0,
    path: `${id}.md`,
    title: `Note ${id}`,
    snippet: "",
    ...(id > 0 && { score: 0.7, via: "meaning" as const }),
    ...node,
  }));
  return sampleGraph(whole, { start: "a.md", ...more });
}
const hostile = reply(
  [
    { path: evil, title: evil, snippet: evil },
    { parent_id: 0, depth: 1, path: evil, title: evil, heading: evil, snippet: evil, via: "words" },
  ],
  { start: evil, notes: [evil], truncated: true, truncation: [{ limit: "max_nodes", message: evil }] },
);

/** The elements of well-formed XML in order; throws where it is not. */
function elementsOf(xml: string): { name: string; attributes: string; text: string }[] {
  const found: { name: string; attributes: string; text: string }[] = [];
  const open: string[] = [];
  // eslint-disable-next-line no-control-regex -- exactly what XML 1.0 forbids
  if (/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|\p{Surrogate}/u.test(xml))
    throw new Error("not XML");
  const token = /<(\/?)([a-z]+)((?: [a-zA-Z:-]+="[^"<&]*")*)(\/?)>|((?:[^<&>]|&(?:amp|lt|gt|quot|apos);)+)/gu;
  let at = 0;
  for (const match of xml.matchAll(token)) {
    if (match.index !== at) throw new Error(`not well-formed at ${xml.slice(at, at + 40)}`);
    at += match[0].length;
    const [, closing, name, attributes = "", alone, text] = match;
    if (text !== undefined) {
      const last = found.at(-1);
      if (last !== undefined) last.text += text;
    } else if (closing === "/") {
      if (open.pop() !== name) throw new Error(`</${name}> closes nothing`);
    } else {
      found.push({ name: name!, attributes, text: "" });
      if (alone !== "/") open.push(name!);
    }
  }
  if (at !== xml.length || open.length > 0) throw new Error("not well-formed at the end");
  return found.map((element) => ({ ...element, text: element.text.trim() }));
}

describe("the picture of a graph", () => {
  it("is one SVG that holds nothing but shapes and text, whatever documents are called", () => {
    const elements = elementsOf(formatSvg(hostile));
    const names = new Set(elements.map(({ name }) => name));
    expect([...names].sort()).toEqual(["desc", "g", "path", "rect", "svg", "text", "title"]);
    expect(elements.every(({ attributes }) => !/\son|href|url\(|style=/u.test(attributes))).toBe(true);
    expect(elements.some(({ text }) => text.startsWith("&lt;/text&gt;&lt;/svg&gt;&lt;script"))).toBe(true);
  });

  it("shows depth by colour, scores on edges, shared words by dashes, and says when it was cut", () => {
    const svg = formatSvg(
      reply(
        [
          { title: "冬の凍結対策" },
          { parent_id: 0, depth: 1, score: 0.745, via: "words" },
          { parent_id: 1, depth: 2, score: 0.61 },
          { parent_id: 2, depth: 3, score: 0.6 },
        ],
        { truncation: [{ limit: "max_nodes", message: "The walk ended at 4 nodes." }], truncated: true },
      ),
    );
    const elements = elementsOf(svg);
    const fills = new Set(
      elements.flatMap(({ name, attributes }) =>
        name === "rect" ? (/width="300".* fill="(#\w+)"/u.exec(attributes)?.[1] ?? []) : [],
      ),
    );
    expect(fills.size).toBe(4);
    const texts = elements.filter(({ name }) => name === "text").map(({ text }) => text);
    expect(texts).toEqual(expect.arrayContaining(["冬の凍結対策", "0.74", "0.61", "0.60"]));
    expect(texts).toContain("Cut: The walk ended at 4 nodes.");
    const edges = elements.filter(({ name, attributes }) => name === "path" && attributes.includes("C"));
    expect(edges.map(({ attributes }) => attributes.includes("dasharray"))).toEqual([false, false, true]);
  });

  it("breaks a caption's word that is longer than a line", () => {
    const settings = { ...reply([]).settings, category: "m".repeat(900) };
    const elements = elementsOf(formatSvg(reply([{}], { settings, notes: ["n".repeat(200)] })));
    const texts = elements.filter(({ name }) => name === "text").map(({ text }) => text);
    expect(texts.every(({ length }) => length <= 96)).toBe(true);
    for (const [letter, count] of [
      ["m", 900],
      ["n", 200],
    ] as const)
      expect(
        texts
          .join("")
          .match(new RegExp(`${letter}{30,}`, "gu"))!
          .join(""),
      ).toHaveLength(count);
  });

  it("puts no box on another, and every box inside the picture", () => {
    const many = reply(
      Array.from({ length: 200 }, (_, id) =>
        id === 0 ? {} : { parent_id: Math.floor((id - 1) / 6), depth: id < 7 ? 1 : id < 43 ? 2 : 3 },
      ),
    );
    const svg = formatSvg(many);
    expect(formatSvg(many)).toBe(svg);
    const [root] = elementsOf(svg);
    const [width, height] = [/ width="(\d+)"/u, / height="(\d+)"/u].map((part) =>
      Number(part.exec(root!.attributes)![1]),
    );
    const boxes = elementsOf(svg)
      .filter(({ name, attributes }) => name === "rect" && attributes.includes('width="300"'))
      .map(({ attributes }) => ({
        x: Number(/ x="([\d.]+)"/u.exec(attributes)![1]),
        y: Number(/ y="([\d.]+)"/u.exec(attributes)![1]),
      }));
    expect(boxes).toHaveLength(200);
    for (const [index, a] of boxes.entries()) {
      expect(a.x + 300).toBeLessThanOrEqual(width!);
      expect(a.y + 42).toBeLessThanOrEqual(height!);
      for (const b of boxes.slice(index + 1))
        expect(Math.abs(a.x - b.x) >= 300 || Math.abs(a.y - b.y) >= 42).toBe(true);
    }
  });
});

describe("a graph for Graphviz", () => {
  it("keeps what documents are called inside of its strings", () => {
    const dot = formatDot(hostile);
    // eslint-disable-next-line no-control-regex -- nothing that acts on a terminal
    expect(dot).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u202E]/u);
    // As Graphviz reads it: a quote ends a string unless a backslash that is not escaped itself precedes it.
    const bare = dot.replace(/"(?:\\[^]|[^"\\])*"/gu, "S");
    expect(bare).toBe(
      [
        "digraph connections {",
        "  graph [rankdir=LR, charset=S, fontname=S, labelloc=t, labeljust=l, label=S];",
        "  node [shape=box, style=S, fontname=S, fontsize=11];",
        "  edge [fontname=S, fontsize=10];",
        "  n0 [label=S, tooltip=S, fillcolor=S, color=S, fontcolor=S];",
        "  n1 [label=S, tooltip=S, fillcolor=S, color=S, fontcolor=S];",
        "  n0 -> n1 [label=S, color=S, style=dashed];",
        "}",
        "",
      ].join("\n"),
    );
    // Graphviz hands on what no XML may hold.
    expect(dot).not.toMatch(/[\uFFFE\uFFFF]|\p{Surrogate}/u);
    // Entities and escapes of labels are escaped too.
    expect(dot).toContain("&amp;lt;&amp;'");
    expect(dot).toContain("[\\\\N\\\\l");
  });
});

describe("a graph for a terminal", () => {
  it("is a tree, with what was cut and what to know below it", () => {
    const text = formatGraph(
      reply(
        [
          { path: "a.md", title: "A" },
          { parent_id: 0, depth: 1, path: "b.md", start_line: 3, title: "B", heading: "Part", score: 0.8 },
          { parent_id: 0, depth: 1, path: "c.md", title: "C", score: 0.7, via: "words" },
          { parent_id: 1, depth: 2, path: "d.md", title: "D", score: 0.65 },
        ],
        { truncated: true, truncation: [{ limit: "max_nodes", message: "Too many." }], notes: ["Note."] },
      ),
      {},
    );
    expect(text).toBe(
      [
        "a.md  A",
        "├─ 0.80  b.md:3  B › Part",
        "│  └─ 0.65  d.md  D",
        "└─ 0.70 words  c.md  C",
        "",
        "4 documents, depth 2, up to 5 neighbours each, similarity from 0.6",
        "cut: Too many.",
        "note: Note.",
        "",
      ].join("\n"),
    );
  });

  it.each([
    ["text", (given: GraphReply) => formatGraph(given, {})],
    ["dot", formatDot],
    ["svg", (given: GraphReply) => formatSvg(given)],
  ])("and each picture says what was left out: %s", (_, format) => {
    const excluded = (count: number): GraphReply =>
      reply([{}], {
        settings: {
          ...reply([]).settings,
          exclude_paths: Array.from({ length: count }, (_, index) => `${index}/**`),
        },
      });
    expect(format(reply([{}]))).not.toContain("without");
    expect(format(excluded(2))).toContain("without 0/** and 1/**");
    expect(format(excluded(64)).replaceAll("\n", " ")).toContain(
      "without 0/** and 1/** and 2/** and 61 more",
    );
  });

  it("shows nothing that acts on it", () => {
    // eslint-disable-next-line no-control-regex -- nothing that acts on a terminal
    expect(formatGraph(hostile, {})).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u202E]/u);
  });
});

describe("kb-mcp graph", () => {
  let folder: string;
  const run = (...args: string[]): Promise<CliResult> =>
    runCli(["graph", ...args, "--kb-path", join(folder, "notes")], join(folder, "data"));
  beforeAll(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), "kb-mcp-test-")));
    await writeTree(folder, {
      "data/": "",
      "notes/駅弁.md": "# 駅弁\n\n駅弁は新幹線の時刻表に合わせて、朝のうちに届きます。\n",
      "notes/鉄道/新幹線.md": "# 新幹線\n\n新幹線の時刻表と駅弁の案内を窓口で配ります。\n",
      "notes/鉄道/線路.md": "# 線路\n\n夜の点検では工具の数を二人で確かめます。\n",
    });
    const indexed = await runCli(["index", "--kb-path", join(folder, "notes")], join(folder, "data"));
    expect(indexed).toMatchObject({ code: 0 });
  }, 60_000);
  afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));

  it("prints the graph in each format", async () => {
    const json = await run("駅弁.md", "--format", "json", "--depth", "1");
    expect([json.code, json.stderr]).toEqual([0, ""]);
    const graph = JSON.parse(json.stdout) as GraphReply;
    expect(graph.settings).toMatchObject({ depth: 1, dedup_by_path: true });
    expect(graph.nodes.map(({ path, via }) => [path, via])).toEqual([
      ["駅弁.md", undefined],
      ["鉄道/新幹線.md", "words"],
    ]);
    expect((await run("駅弁.md")).stdout).toMatch(/^└─ 0\.\d\d words {2}鉄道\/新幹線\.md:1 {2}新幹線$/mu);
    expect((await run("駅弁.md", "--format", "dot")).stdout).toMatch(/^ {2}n0 -> n1 \[/mu);
    const svg = await run("kb://doc/%E9%A7%85%E5%BC%81.md", "--format", "svg", "--max-nodes", "1");
    expect(elementsOf(svg.stdout).some(({ text }) => text.startsWith("Cut: The walk ended at 1 node;"))).toBe(
      true,
    );
  }, 60_000);

  it("hands its flags on", async () => {
    const args = [
      "--exclude-path",
      "鉄道/**",
      "--exclude-path",
      "none.md",
      "--min-similarity",
      "0",
      "--no-dedup-by-path",
    ];
    const { stdout } = await run("駅弁.md", ...args, "--format", "json", "--seed-strategy", "centroid");
    const graph = JSON.parse(stdout) as GraphReply;
    expect(graph.nodes).toHaveLength(1);
    expect(graph.settings).toMatchObject({
      min_similarity: 0,
      dedup_by_path: false,
      seed_strategy: "centroid",
      exclude_paths: ["鉄道/**", "none.md"],
    });
    expect(graph.notes.join()).toContain('excluded by "none.md"');
    expect((await run("./駅弁.md", "--topic", "鉄道")).stdout).toContain("topic 鉄道");
  });

  it.each([
    [["新幹線.md"], "KB_GRAPH_START", 'Did you mean "鉄道/新幹線.md"?'],
    [["../駅弁.md"], "KB_GRAPH_START", 'holds ".."'],
    [["駅弁.md", "--exclude-path", "!鉄道/**"], "KB_SEARCH_FILTER", 'leave the "!" out'],
    [["駅弁.md", "--depth", "4"], "KB_CLI_USAGE", "a whole number from 1 to 3"],
    [["駅弁.md", "--format", "png"], "KB_CLI_USAGE", "Allowed choices are text, json, dot, svg"],
    [[], "KB_CLI_USAGE", "missing required argument 'start'"],
  ])("ends with 2 for what must be corrected: %j", async (args, code, message) => {
    const result = await run(...args);
    expect([result.code, result.stdout]).toEqual([2, ""]);
    expect(result.stderr).toContain(code);
    expect(result.stderr).toContain(message);
  });
});
