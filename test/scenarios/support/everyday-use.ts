// What a user does with a knowledge base, by the command line and over MCP, with any embedder over one store.
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { IndexSummary, SearchReply, StatusReply } from "../../../src/core/index.js";
import type { PluginsReply } from "../../../src/core/plugins/list-plugins.js";
import {
  combinationNeeds,
  combinations,
  type Combination,
  type CombinationNeeds,
} from "../../support/combinations.js";
import { KnowledgeBaseFolder } from "../../support/knowledge-base-folder.js";
import { callTool, searchWhenIndexed } from "../../support/running-server.js";
import { writeTree } from "../../support/temporary-folder.js";
import { bilingualNotes, english, japanese } from "../support/bilingual-notes.js";

/** Each embedder with this store; the index lives as long as the store says. */
export function describeEverydayUse(store: Combination["store"]): void {
  let needs: CombinationNeeds;
  beforeAll(async () => {
    needs = await combinationNeeds();
  });
  afterAll(() => needs.close());

  describe.each(combinations.filter((one) => one.store === store))("$embedder with $store", (combination) => {
    const { embedder } = combination;
    const lasts = store !== "memory";
    let folder: KnowledgeBaseFolder;
    let client: Client;
    beforeAll(async () => {
      folder = await KnowledgeBaseFolder.make(bilingualNotes);
      await folder.configure(needs.toml(combination));
    });
    afterAll(async () => {
      // Undefined where the server could not be started.
      await (client as Client | undefined)?.close();
      await folder.remove();
    });

    /** The bundled model reads English alone, and says so. */
    const expectJapaneseAnswer = ({ results, mode, notes }: SearchReply): void => {
      expect(results[0]).toMatchObject({
        path: japanese.answer,
        uri: `kb://doc/${encodeURI(japanese.answer)}`,
      });
      if (embedder === "bundled")
        expect([mode, notes]).toEqual(["lexical", [expect.stringContaining("cannot read this query")]]);
      else expect([mode, notes]).toEqual(["hybrid", []]);
    };

    it("shows the parts that the configuration names as those in use", async () => {
      const { plugins, refused } = await folder.read<PluginsReply>("plugins");
      const active = plugins.filter((plugin) => plugin.active).map(({ kind, id }) => `${kind} ${id}`);
      expect(active.sort()).toEqual(
        [`embedder ${embedder}`, "parser md", "parser txt", `store ${store}`, "transport stdio"].sort(),
      );
      expect(refused).toEqual([]);
    }, 60_000);

    it("is indexed and searched by command", async () => {
      const summary = await folder.read<IndexSummary>("index");
      expect(summary).toMatchObject({
        added: 4,
        documents: 4,
        embedded: summary.chunks,
        declined_by_embedder: embedder === "bundled" ? 1 : 0,
        skipped: [],
      });
      const { results, mode, notes } = await folder.search(english.query, "--explain");
      expect({ mode, notes }).toEqual({ mode: "hybrid", notes: [] });
      expect(results[0]).toMatchObject({
        path: english.answer,
        uri: `kb://doc/${english.answer}`,
        explanation: { lexical: { rank: 1 }, vector: { rank: expect.any(Number) } },
      });
    }, 60_000);

    it("tells its status", async () => {
      const status = await folder.read<StatusReply>("status");
      expect(status).toMatchObject({ kb_path: folder.notes, indexed: lasts });
      if (lasts) expect(status).toMatchObject({ overview: { documents: 4, embedder } });
      else expect([status.ephemeral, status.index_directory]).toEqual([true, undefined]);
      expect(status).not.toHaveProperty("changed");
      expect(status).not.toHaveProperty("embedder_failure");
    }, 60_000);

    it("is searched and read over MCP", async () => {
      ({ client } = await folder.serve());
      const reply = await searchWhenIndexed(client, { query: english.query });
      expect(reply).toMatchObject({ mode: "hybrid", notes: [], low_confidence: false });
      const [{ uri, path } = { uri: "none", path: "none" }] = reply.results;
      expect([path, uri]).toEqual([english.answer, `kb://doc/${english.answer}`]);
      expectJapaneseAnswer(await callTool(client, "search", { query: japanese.query }));
      const { contents } = await client.readResource({ uri: uri! });
      expect(contents).toEqual([
        expect.objectContaining({ uri, text: bilingualNotes["ops/backup.md"], mimeType: "text/markdown" }),
      ]);
      const { resources } = await client.listResources();
      expect(resources.map((topic) => decodeURIComponent(topic.uri)).sort()).toEqual([
        "kb://topic/kitchen",
        "kb://topic/ops",
        "kb://topic/設備",
      ]);
    }, 60_000);

    it("takes in what changes, and embeds no more than that", async () => {
      await writeTree(folder.notes, {
        "ops/pump.md": "# The pump\n\nThe pump is greased thrice: see the apricot folder.\n",
        "ops/new.md": "# New\n\nA walnut log is kept for two years.\n",
      });
      await rm(join(folder.notes, "kitchen/pie.md"));
      expect(await callTool(client, "rebuild_index", {})).toMatchObject({
        added: 1,
        updated: 1,
        unchanged: 2,
        deleted: 1,
        embedded: 2,
        documents: 4,
      });
      const first = async (query: string) =>
        (await callTool<SearchReply>(client, "search", { query })).results[0]?.path;
      expect([await first("apricot"), await first("walnut")]).toEqual(["ops/pump.md", "ops/new.md"]);
      await expect(client.readResource({ uri: "kb://doc/kitchen/pie.md" })).rejects.toMatchObject({
        data: { code: "KB_READ_NOT_SERVABLE" },
      });
      // The next process has it too, from the index or anew.
      expect(await folder.read<IndexSummary>("index")).toMatchObject(
        lasts ? { unchanged: 4, embedded: 0 } : { added: 4, embedded: 4 },
      );
    }, 60_000);
  });
}

/**
 * A reranker, switched on by configuration, over one combination.
 * @param query one whose hits it orders in another way
 */
export function describeReranker(combination: Combination, query: string): void {
  describe(`a reranker over ${combination.embedder} with ${combination.store}`, () => {
    it("orders the hits where it is configured, and not where the request leaves it out", async () => {
      const needs = await combinationNeeds();
      const folder = await KnowledgeBaseFolder.make(bilingualNotes);
      try {
        await folder.configure(needs.toml(combination));
        await folder.read("index");
        const paths = ({ results, notes }: SearchReply): string[] => {
          expect(notes).toEqual([]);
          return results.map(({ path }) => path);
        };
        const without = paths(await folder.search(query));
        await folder.configure(`${needs.toml(combination)}${needs.rerankerToml}`);
        const reranked = await folder.search(query, "--explain");
        expect(paths(reranked)).not.toEqual(without);
        expect(paths(reranked).sort()).toEqual(without.toSorted());
        const scores = reranked.results.map(({ explanation }) => explanation?.reranked ?? -1);
        expect(scores).toEqual(scores.toSorted((a, b) => b - a));
        expect(scores).not.toContain(-1);

        const { client } = await folder.serve();
        try {
          expect(paths(await searchWhenIndexed(client, { query, rerank: false }))).toEqual(without);
          const asked = await callTool<SearchReply>(client, "search", { query });
          expect(paths(asked)).toEqual(paths(reranked));
        } finally {
          await client.close();
        }
        expect(paths(await folder.search(query, "--no-rerank"))).toEqual(without);
      } finally {
        await folder.remove();
        await needs.close();
      }
    }, 60_000);
  });
}
