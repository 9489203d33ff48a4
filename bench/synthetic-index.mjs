// An index of any size without documents on disk: passages put together from sentences of the sample knowledge base,
// a quarter of them Japanese without a vector. The same every time.
import { estimateTokens } from "../dist/core/estimate-tokens.js";
import { analyseChunk } from "../dist/core/search/analyser/analyse-chunk.js";
import { fold } from "../dist/core/text/fold.js";
import { englishParagraphs, japaneseParagraphs, random } from "./corpus.mjs";

const chunksPerDocument = 8;
const documentsPerWrite = 64;
/** Length of the noise in a vector of length 1: passages of one subject are alike, none is the same. */
const noise = 0.3;

/** Filters and about which share of the chunks passes them. */
export const filters = {
  "category, 50 %": { category: "guides" },
  "topic, 5 %": { topic: "area-7" },
  "tag and dates, 0.1 %": { tags_all: ["audit"], date_from: "2025-01-01", date_to: "2025-01-09" },
  "min_quality, 50 %": { min_quality: 0.65 },
};

/** Builds the index in an empty store, a batch at a time. */
export async function buildSyntheticIndex(store, size, embedder, signal) {
  const sources = await sourcesOf(embedder, signal);
  const next = random(2);
  await store.reset({ dimensions: embedder.dimensions, meta: { origin: "bench" } });
  let put = [];
  for (let n = 0, left = size; left > 0; n++, left -= chunksPerDocument) {
    // The event loop has its turn with every write.
    put.push(documentOf(n, Math.min(left, chunksPerDocument), sources, next));
    if (put.length < documentsPerWrite && left > chunksPerDocument) continue;
    await store.write({ put });
    put = [];
  }
  await store.maintain(signal);
}

async function sourcesOf(embedder, signal) {
  const english = await englishParagraphs();
  const japanese = await japaneseParagraphs();
  return {
    english: sourceOf(english, /(?<=[.!?:])\s+/u, " ", await embedder.embedDocuments(english, signal)),
    japanese: sourceOf(japanese, /(?<=。)\s*/u, "", []),
  };
}

function sourceOf(paragraphs, end, separator, vectors) {
  const subjects = paragraphs.map((paragraph, index) => ({
    sentences: paragraph.split(end),
    vector: vectors[index] ?? null,
  }));
  return { subjects, sentences: subjects.flatMap(({ sentences }) => sentences), separator };
}

function documentOf(n, chunkCount, { english, japanese }, next) {
  const source = n % 4 === 1 ? japanese : english;
  const path = `area-${Math.floor(next() * 20)}/team-${Math.floor(next() * 5)}/note-${n}.md`;
  const topic = path.slice(0, path.lastIndexOf("/"));
  const category = next() < 0.5 ? "guides" : "records";
  // Every 25th document has the tag, one in forty each of the dates.
  const tags = n % 25 === 3 ? ["audit"] : ["note"];
  const date = new Date(Date.UTC(2025, 0, 1 + (Math.floor(n / 25) % 40) * 9)).toISOString().slice(0, 10);
  const title = `${source === japanese ? "議事録" : "Note"} ${n}`;
  const chunks = Array.from({ length: chunkCount }, (_, position) =>
    chunkOf({ path, title }, position, n * chunksPerDocument + position, source, next),
  );
  const document = {
    path,
    title,
    mediaType: "text/markdown",
    parser: "md@1",
    sizeBytes: 4096,
    modifiedMs: 1,
    contentHash: `hash-${n}`,
    lineCount: chunkCount,
    chunkCount,
    declinedCount: chunks.filter(({ vector }) => vector === null).length,
    category,
    categoryKey: fold(category),
    topic,
    topicKey: fold(topic),
    date,
    tags,
    tagKeys: tags,
    pathKey: fold(path),
  };
  return { document, chunks };
}

/** Half of the sentences on one subject, five others, and a reference that no other chunk has. */
function chunkOf({ path, title }, position, number, { subjects, sentences, separator }, next) {
  const pick = (list) => list[Math.floor(next() * list.length)];
  const subject = pick(subjects);
  const heading = `Part ${Math.floor(position / 2) + 1}`;
  const headingPath = [title, heading];
  const content = [
    ...subject.sentences.filter(() => next() < 0.5),
    ...Array.from({ length: 5 }, () => pick(sentences)),
    `KB-${number}.`,
  ].join(separator);
  return {
    path,
    position,
    heading,
    headingPath,
    level: 2,
    content,
    contentKey: fold(content),
    startLine: position + 1,
    endLine: position + 1,
    tokens: estimateTokens(content),
    quality: next() < 0.03 ? 0.2 : 0.3 + 0.7 * next(),
    terms: analyseChunk({ path, title, headingPath, content }),
    vector: subject.vector && withNoise(subject.vector, next),
  };
}

function withNoise(vector, next) {
  const reach = noise * Math.sqrt(3 / vector.length);
  const noisy = vector.map((value) => value + reach * (2 * next() - 1));
  const length = Math.sqrt(noisy.reduce((sum, value) => sum + value * value, 0));
  return noisy.map((value) => value / length);
}
