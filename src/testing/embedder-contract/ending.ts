// What the interface promises of work that is cancelled and of an embedder that is done with.
import assert from "node:assert/strict";
import { assertCancelled } from "../assert-cancelled.js";
import { never, vectorsOf, type EmbedderCheck } from "./check.js";

export const endingChecks: readonly EmbedderCheck[] = [
  {
    name: "rejects as cancelled when the signal is aborted",
    async run({ embedder, texts }) {
      const aborted = AbortSignal.abort();
      await assertCancelled(embedder.embedDocuments(texts, aborted), "embedDocuments");
      await assertCancelled(embedder.embedQuery(texts[0] ?? "", aborted), "embedQuery");
    },
  },
  {
    name: "works on after work that was cancelled",
    async run({ embedder, texts }) {
      const controller = new AbortController();
      const work = embedder.embedDocuments(texts, controller.signal);
      controller.abort();
      // What was done before the signal came may be delivered.
      const outcome = await work.then(
        () => "delivered",
        () => "rejected",
      );
      if (outcome === "rejected") await assertCancelled(work, "embedDocuments");
      await vectorsOf(embedder, texts);
    },
  },
  {
    name: "can be disposed of twice, before and after work",
    async run({ embedder, texts }) {
      await vectorsOf(embedder, texts.slice(0, 1));
      await Promise.all([embedder.dispose(), embedder.dispose()]);
      await embedder.dispose();
    },
  },
  {
    name: "can be disposed of unused",
    async run({ embedder }) {
      await embedder.dispose();
    },
  },
  {
    name: "embeds nothing after it was disposed of",
    async run({ embedder, texts }) {
      await embedder.dispose();
      await assert.rejects(embedder.embedDocuments(texts, never), "embedDocuments still works");
      await assert.rejects(embedder.embedQuery(texts[0] ?? "", never), "embedQuery still works");
    },
  },
  {
    name: "leaves no work waiting for ever when it is disposed of",
    async run({ embedder, texts }) {
      const work = Promise.allSettled([embedder.embedDocuments(texts, never)]);
      await embedder.dispose();
      await work;
    },
  },
];
