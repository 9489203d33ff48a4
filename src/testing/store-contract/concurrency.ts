// What a reader may see while the same store is being written.
import assert from "node:assert/strict";
import type { DocumentWrite, VectorStore } from "../../core/plugin-api.js";
import { assertSame } from "./assert-same.js";
import { fill, type Check } from "./check.js";
import { randomDocuments, under } from "./corpus.js";

const path = "busy.md";
const generations = 10;

export const concurrencyChecks: readonly Check[] = [
  {
    name: "shows the old chunks of a document or the new ones, never a mixture",
    async run({ store }) {
      await fill(store, [generation(1), ...randomDocuments(22, 20)]);
      await readWhile(write(store), async () => {
        const chunks = await store.documentChunks(path);
        assertOneGeneration(chunks.map(({ content }) => content));
      });
    },
  },
  {
    name: "moves hundreds of documents in one batch, each of them whole at every moment",
    async run({ store, reopen }) {
      const before = randomDocuments(23, 300).map((write, index) => under(`old/${index}.md`, write));
      const moving = before.slice(0, 256);
      const moved = moving.map((write, index) => under(`new/${index}.md`, write));
      const after = [...moved, ...before.slice(256)];
      await fill(store, before);
      const batch = { put: moved, delete: moving.map(({ document }) => document.path) };
      let turn = 0;
      await readWhile(store.write(batch), async () => {
        const [from, to] = [moving[turn % 256], moved[turn++ % 256]];
        assert.ok(from && to);
        for (const { document, chunks } of [from, to]) {
          const found = await store.documentChunks(document.path);
          if (found.length > 0) assert.deepEqual(found, chunks);
        }
      });
      await assertSame(store, after);
      await assertSame(await reopen(), after);
    },
  },
];

/** A version of the document: its number says how many chunks it has, and each holds the number. */
function generation(number: number): DocumentWrite {
  const pattern = randomDocuments(21, 20).find(({ chunks }) => chunks.length > 0);
  const [chunk] = pattern?.chunks ?? [];
  assert.ok(pattern && chunk);
  const count = 1 + (number % 4);
  const terms = { text: ["busy", `word${number}`], title: [], bigrams: [] };
  return under(path, {
    document: { ...pattern.document, chunkCount: count, declinedCount: 0 },
    chunks: Array.from({ length: count }, (_, position) => ({
      ...chunk,
      position,
      terms,
      content: `${number}`,
    })),
  });
}

async function write(store: VectorStore): Promise<void> {
  for (let number = 2; number <= generations; number++) await store.write({ put: [generation(number)] });
}

function assertOneGeneration(contents: readonly string[]): void {
  const number = Number(contents[0]);
  assert.deepEqual(
    contents,
    generation(number).chunks.map(({ content }) => content),
    `a reader saw [${contents.join(", ")}]`,
  );
}

/** Reads over and over until the work is done. */
async function readWhile(work: Promise<void>, read: () => Promise<void>): Promise<void> {
  const state = { done: false };
  const finish = work.finally(() => (state.done = true));
  const reader = (async () => {
    while (!state.done) {
      await read();
      // A store whose promises resolve at once would otherwise never let the writer's timers run.
      await new Promise((resolve) => setImmediate(resolve));
    }
  })();
  await Promise.all([finish, reader]);
}
