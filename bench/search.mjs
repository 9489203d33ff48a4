// A search against its raw parts run one after another: query embedding, raw vector query, raw text query.
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import { compileQuery } from "../dist/core/search/compile-query.js";
import { openKnowledgeBase } from "../dist/index.js";
import { writeEnglishCorpus } from "./corpus.mjs";
import { inTemporaryFolder, median, milliseconds } from "./measure.mjs";
import { openEmbedder, openRawChunks } from "./parts.mjs";

const rounds = 3;
/** Hits that each leg of a search asks for. */
const legDepth = 100;

export const benchSearch = () =>
  inTemporaryFolder(async (folder) => {
    const notes = join(folder, "notes");
    await mkdir(notes);
    await writeEnglishCorpus(notes, 250);
    const knowledgeBase = await openKnowledgeBase({ kbPath: notes });
    const { chunks } = await knowledgeBase.index();
    const [embedder, raw] = await Promise.all([openEmbedder(), openRawChunks(notes)]);
    const golden = parse(await readFile(new URL("../examples/golden.yml", import.meta.url), "utf8"));
    const queries = golden.queries.filter(({ tag }) => tag === "en").map(({ query }) => query);
    const { signal } = new AbortController();

    const rawParts = async (query) => {
      let vector;
      const embedding = await milliseconds(async () => (vector = await embedder.embedQuery(query, signal)));
      const { textQuery } = compileQuery(query);
      const byMeaning = await milliseconds(() => raw.byMeaning(vector, legDepth));
      const byWords = await milliseconds(() => raw.byWords(textQuery, legDepth));
      return embedding + byMeaning + byWords;
    };
    // Both warm: models loaded, index pages read.
    for (const query of queries) {
      await knowledgeBase.search({ query });
      await rawParts(query);
    }
    const ours = [];
    const parts = [];
    for (let round = 0; round < rounds; round++)
      for (const query of queries) {
        ours.push(await milliseconds(() => knowledgeBase.search({ query })));
        parts.push(await rawParts(query));
      }
    await Promise.all([knowledgeBase.close(), embedder.dispose()]);
    return [
      {
        what: `search in ${chunks} chunks (median of ${ours.length})`,
        ours: median(ours),
        peer: median(parts),
        peerName: "raw parts in turn",
        target: 1.3,
      },
    ];
  });
