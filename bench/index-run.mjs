// An index run against the embedder alone on the same chunks, each in a process-fresh embedder.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { openKnowledgeBase } from "../dist/index.js";
import { writeEnglishCorpus } from "./corpus.mjs";
import { inTemporaryFolder, milliseconds } from "./measure.mjs";
import { embeddingTextsOf, openEmbedder } from "./parts.mjs";

export const benchIndex = () =>
  inTemporaryFolder(async (folder) => {
    const notes = join(folder, "notes");
    await mkdir(notes);
    await writeEnglishCorpus(notes, 150);
    const texts = await embeddingTextsOf(notes);
    const alone = async () => {
      const embedder = await openEmbedder();
      const taken = await milliseconds(() => embedder.embedDocuments(texts, new AbortController().signal));
      await embedder.dispose();
      return taken;
    };
    const before = await alone();
    const knowledgeBase = await openKnowledgeBase({ kbPath: notes });
    const ours = await milliseconds(() => knowledgeBase.index());
    await knowledgeBase.close();
    const after = await alone();
    return [
      {
        what: `index run of ${texts.length} chunks`,
        ours,
        peer: (before + after) / 2,
        peerName: "embedder alone",
        target: 1.15,
      },
    ];
  });
