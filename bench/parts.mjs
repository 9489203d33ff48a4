// The raw parts that the benchmarks compare with: the embedder alone, the store alone.
import { readFile, readdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { chunkDocument } from "../dist/core/indexing/chunker.js";
import { indexDirectory } from "../dist/core/config/load-config.js";
import { embeddingText } from "../dist/core/search/analyser/embedding-text.js";
import bundled from "../dist/plugins/embedders/bundled/index.js";
import md from "../dist/plugins/parsers/md/index.js";
import lancedb from "../dist/plugins/stores/lancedb/index.js";

const silent = { debug() {}, info() {}, warn() {}, error() {} };

function host(dataDirectory) {
  return { logger: silent, signal: new AbortController().signal, dataDirectory };
}

async function create(factory, dataDirectory) {
  const checked = await factory.optionsSchema?.["~standard"].validate({});
  return factory.create(checked?.value ?? {}, host(dataDirectory));
}

/** The bundled embedder, with a model of its own. */
export const openEmbedder = () => create(bundled.embedders[0], "");

/** The store with its data in a directory. */
export const openStoreIn = (directory) => create(lancedb.stores[0], directory);

/** The store that kb-mcp built for a folder. */
export const openStore = async (notes) => openStoreIn(await storeDirectory(notes));

async function storeDirectory(notes) {
  return join(indexDirectory(process.env.KB_MCP_DATA_DIR, await realpath(notes)), "lancedb");
}

/** As openRawChunksIn, for the store that kb-mcp built for a folder. */
export const openRawChunks = async (notes) => openRawChunksIn(await storeDirectory(notes));

/** LanceDB's own queries over the chunks of a store, without exact scores. `where` is a filter in SQL, if any. */
export async function openRawChunksIn(directory) {
  const { BooleanQuery, connect, MatchQuery, Occur } = await import("@lancedb/lancedb");
  const table = await (await connect(join(directory, "index"))).openTable("chunks");
  const keys = (query, where) =>
    (where === undefined ? query : query.where(where)).select(["path", "position"]);
  const rows = (query, k, where) => keys(query, where).limit(k).toArray();
  return {
    byWords({ clauses }, k, where) {
      const matches = clauses
        .filter(({ terms }) => terms.length > 0)
        .map(({ field, terms, weight }) => [
          Occur.Should,
          new MatchQuery(terms.join(" "), field, { boost: weight }),
        ]);
      return rows(table.query().fullTextSearch(new BooleanQuery(matches)), k, where);
    },
    byMeaning: (vector, k, where) => rows(table.query().nearestTo(vector).distanceType("cosine"), k, where),
    passing: (where) => keys(table.query(), where).toArray(),
  };
}

/** The texts that an index run of a folder of Markdown gives to the embedder. */
export async function embeddingTextsOf(notes) {
  const parser = await create(md.parsers[0], "");
  const { chunkTokens } = await openEmbedder();
  const names = (await readdir(notes, { recursive: true })).filter((name) => name.endsWith(".md")).sort();
  const texts = [];
  for (const path of names) {
    const text = await readFile(join(notes, path), "utf8");
    const parsed = await parser.parse({ path, text, bytes: Buffer.from(text), signal: host("").signal });
    for (const { headingPath, content } of chunkDocument(parsed, chunkTokens, []))
      texts.push(embeddingText({ title: parsed.title, headingPath, content }));
  }
  return texts;
}
