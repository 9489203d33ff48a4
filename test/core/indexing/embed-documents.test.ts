import { describe, expect, it } from "@jest/globals";
import { embedDocuments } from "../../../src/core/indexing/embed-documents.js";
import type { PreparedDocument } from "../../../src/core/indexing/prepare-document.js";
import { KbError, type Embedder } from "../../../src/core/plugin-api.js";
import { indexDocuments } from "../../support/indexed-documents.js";

const never = new AbortController().signal;

async function prepared(chunks: number, title?: string): Promise<PreparedDocument> {
  const contents = Array.from({ length: chunks }, (_, n) => `chunk ${n}`);
  const [write] = await indexDocuments([{ path: "a.md", chunks: contents }]);
  if (write === undefined) throw new Error("no document");
  return { kind: "document", path: "a.md", ...write, warnings: [], ...(title !== undefined && { title }) };
}

function embedder(dimensions: number, vectorOf: (text: string) => Float32Array | null): Embedder {
  return {
    model: "test@1",
    dimensions,
    chunkTokens: { target: 1, max: 1 },
    fusionWeight: 0.5,
    embedDocuments: (texts) => Promise.resolve(texts.map(vectorOf)),
    embedQuery: (text) => Promise.resolve(vectorOf(text)),
    dispose: () => Promise.resolve(),
  };
}

describe("embedding a group of documents", () => {
  it("gives the embedder each chunk under the title that the document gives itself", async () => {
    const texts: string[] = [];
    const noted = embedder(1, (text) => {
      texts.push(text);
      return null;
    });
    await embedDocuments([await prepared(1, "Own title"), await prepared(2)], noted, never);
    expect(texts).toEqual(["Own title\nchunk 0", "chunk 0", "chunk 1"]);
  });

  it("refuses a number that is none in the last of very many vectors", async () => {
    const flawed = embedder(1024, (text) => {
      const vector = new Float32Array(1024).fill(0.03125);
      if (text === "chunk 2199") vector[1023] = Number.NaN;
      return vector;
    });
    const { writes, failures } = await embedDocuments([await prepared(2200)], flawed, never);
    expect(writes).toEqual([]);
    expect(failures).toMatchObject([{ path: "a.md", error: { code: "KB_EMBED_FAILED" } }]);
  });

  it("tries the documents of a group by themselves where their texts are to blame", async () => {
    const asked: number[] = [];
    const picky: Embedder = {
      ...embedder(1, () => null),
      embedDocuments: (texts) => {
        asked.push(texts.length);
        if (texts.length > 2) return Promise.reject(new KbError("KB_EMBED_FAILED", "A text was refused"));
        return Promise.resolve(texts.map(() => null));
      },
    };
    const group = [await prepared(3), await prepared(2)];
    const { writes, failures } = await embedDocuments(group, picky, never);
    expect(asked).toEqual([5, 3, 2]);
    expect(writes).toHaveLength(1);
    expect(failures).toHaveLength(1);
  });

  it.each(["KB_EMBED_SERVER", "KB_EMBED_KEY", "KB_EMBED_DIMENSIONS", "KB_MODEL_MISSING"] as const)(
    "gives up at once on %s, which every text would meet",
    async (code) => {
      let calls = 0;
      const absent: Embedder = {
        ...embedder(1, () => null),
        embedDocuments: () => {
          calls += 1;
          return Promise.reject(new KbError(code, "Nothing answers"));
        },
      };
      const group = [await prepared(1), await prepared(1)];
      await expect(embedDocuments(group, absent, never)).rejects.toMatchObject({ code });
      expect(calls).toBe(1);
    },
  );

  it.each<[string, unknown, string]>([
    ["nothing", undefined, "answered undefined"],
    ["no list", {}, "answered Object"],
    ["too few vectors", [], "answered a list of 0"],
    ["too many vectors", [null, null, null], "answered a list of 3"],
  ])("gives up at once on %s for a group: no text is to blame", async (_, answer, words) => {
    let calls = 0;
    const nonsense: Embedder = {
      ...embedder(1, () => null),
      embedDocuments: () => {
        calls += 1;
        return Promise.resolve(answer as null[]);
      },
    };
    await expect(
      embedDocuments([await prepared(1), await prepared(1)], nonsense, never),
    ).rejects.toMatchObject({
      code: "KB_EMBED_FAILED",
      message: `The embedder test@1, asked for the vectors of 2 texts, ${words}`,
    });
    expect(calls).toBe(1);
  });

  it.each<[string, unknown, string]>([
    ["nothing", undefined, "undefined instead of a Float32Array"],
    ["a list", [1], "a list of 1 instead of a Float32Array"],
    ["another length", new Float32Array(2), "a vector of 2 numbers instead of 1"],
    ["a number that is none", new Float32Array([Infinity]), "a vector that holds Infinity"],
  ])("names the document for which it was answered %s", async (_, answer, words) => {
    const nonsense = embedder(1, (text) => (text === "chunk 1" ? (answer as Float32Array) : null));
    const { writes, failures } = await embedDocuments(
      [await prepared(1), await prepared(2)],
      nonsense,
      never,
    );
    expect(writes).toHaveLength(1);
    expect(failures).toMatchObject([
      { path: "a.md", error: { code: "KB_EMBED_FAILED", message: `The embedder test@1 answered ${words}` } },
    ]);
  });

  it("does not wait for an embedder that ignores a cancellation", async () => {
    const stop = new AbortController();
    const deaf: Embedder = {
      ...embedder(1, () => null),
      embedDocuments: () => {
        stop.abort();
        return new Promise(() => undefined);
      },
    };
    await expect(embedDocuments([await prepared(1)], deaf, stop.signal)).rejects.toMatchObject({
      code: "KB_CANCELLED",
    });
  });
});
