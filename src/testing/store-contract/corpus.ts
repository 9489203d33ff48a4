// Documents at random from a seed: every optional field present and absent, texts that try to break out of whatever
// query language a store speaks.
import type { DocumentWrite, StoredChunk } from "../../core/plugin-api.js";

/** Length of the vectors in the suite. */
export const dimensions = 8;

/** Occurs in every chunk. */
export const everywhere = "everywhere";

/** Texts with a meaning in SQL, regular expressions, globs, query languages or encodings. None holds white space. */
export const hostileTexts = [
  "it's",
  "''",
  "'--",
  "';DROP/**/TABLE/**/chunks;--",
  '"quoted"',
  "back\\slash",
  "\\'",
  "100%",
  "%",
  "_",
  "a_b",
  "c++",
  "+must",
  "-not",
  "(group)",
  "[x]",
  "{y}",
  "field:value",
  "star*",
  "what?",
  "~near",
  "^start$",
  "a|b",
  "AND",
  "null",
  "Éclair",
  "e\u0301",
  "\u00e9",
  "ß",
  "日本",
  "東海道新幹線",
  "ｶﾅ",
  "🎉",
  "\u{1F468}\u200D\u{1F469}",
  "right\u200fleft",
  "$1",
  "`tick`",
  "w".repeat(300),
] as const;

export interface Random {
  /** 0 to 1, without 1. */
  next(): number;
  /** A whole number below `limit`. */
  below(limit: number): number;
  pick<T>(list: readonly T[]): T;
}

/** The generator mulberry32: small, and the same on every machine. */
export function randomFrom(seed: number): Random {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return { next, below, pick: (list) => list[below(list.length)] as (typeof list)[number] };
}

const categories = ["guide", "reference", "it's", "100%", "日本"];
const topics = ["", "ops", "ops/runbooks", "opsx", "o%s", "team_a", "team'a", "資料"];
const tags = ["alpha", "beta", "al%", "alph_", "o'neil", "back\\slash", "日本", "x,y", "[z]"];
/** Folded contents, for conditions on them. */
const contentKeys = [
  "the moss garden",
  "a gardener",
  "東海道新幹線で",
  "it's 100% (sure)",
  "moss",
  "c++ and c",
  "ai",
];
const names = ["Setup", "note (1)", "o'brien", "100%_done", "back\\slash", "会議", "a|b", "ünïcode"];

/** A document under a path made from `index`, which is different for each index. */
export function randomDocument(random: Random, index: number): DocumentWrite {
  const topic = random.pick(topics);
  const path = `${topic === "" ? "" : `${topic}/`}${random.pick(names)} ${index}.md`;
  const declared = {
    category: random.pick(categories),
    date: `202${random.below(4)}-0${1 + random.below(9)}-1${random.below(9)}`,
  };
  const documentTags = tags.filter(() => random.next() < 0.2);
  const chunkCount = random.below(8) === 0 ? 0 : 1 + random.below(5);
  const chunks = Array.from({ length: chunkCount }, (_, position) => randomChunk(random, path, position));
  return {
    document: {
      path,
      title: random.pick([...names, ...hostileTexts]),
      mediaType: random.pick(["text/markdown", "text/plain"] as const),
      parser: "md@1",
      sizeBytes: random.below(2 ** 31) * 2,
      modifiedMs: 1_700_000_000_000 + random.below(1e9) + 0.25,
      contentHash: `hash-${random.below(1e9)}`,
      lineCount: random.below(5000),
      chunkCount,
      declinedCount: chunks.filter(({ vector }) => vector === null).length,
      ...(random.next() < 0.7 && {
        category: declared.category,
        categoryKey: declared.category.toLowerCase(),
      }),
      topic,
      topicKey: topic.toLowerCase(),
      ...(random.next() < 0.7 && { date: declared.date }),
      tags: documentTags.map((tag) => tag.toUpperCase()),
      tagKeys: documentTags,
      pathKey: path.toLowerCase(),
    },
    chunks,
  };
}

/** The same document under another path. */
export function under(path: string, { document, chunks }: DocumentWrite): DocumentWrite {
  return {
    document: { ...document, path, pathKey: path.toLowerCase() },
    chunks: chunks.map((chunk) => ({ ...chunk, path })),
  };
}

export function randomDocuments(seed: number, count: number): DocumentWrite[] {
  const random = randomFrom(seed);
  return Array.from({ length: count }, (_, index) => randomDocument(random, index));
}

function randomChunk(random: Random, path: string, position: number): StoredChunk {
  const words = (count: number): string[] => Array.from({ length: count }, () => randomTerm(random));
  const startLine = 1 + random.below(100);
  return {
    path,
    position,
    ...(random.next() < 0.6 && { heading: random.pick(hostileTexts) }),
    headingPath: Array.from({ length: random.below(3) }, () => random.pick(hostileTexts)),
    level: random.below(7),
    content: `${random.pick(hostileTexts)}\r\n\t line ${random.below(1000)} ${random.pick(hostileTexts)}`,
    contentKey: `${random.pick(contentKeys)}\n${random.pick(contentKeys)} line ${random.below(1000)} ${random.pick(hostileTexts)}`,
    ...(random.next() < 0.8 && { startLine, endLine: startLine + random.below(50) }),
    tokens: random.below(500),
    quality: random.below(11) / 10,
    terms: {
      text: [everywhere, ...words(random.below(40))],
      title: words(random.below(6)),
      bigrams: random.next() < 0.5 ? [] : words(random.below(10)),
    },
    vector: random.next() < 0.15 ? null : randomVector(random),
  };
}

/** A word of a small vocabulary, frequent ones more often; at times a hostile one. */
function randomTerm(random: Random): string {
  return random.next() < 0.1 ? random.pick(hostileTexts) : `word${Math.floor(60 * random.next() ** 2)}`;
}

/** A vector of length 1. */
export function randomVector(random: Random): Float32Array {
  const values = Array.from({ length: dimensions }, () => random.next() - 0.5);
  const length = Math.hypot(...values);
  return Float32Array.from(values, (value) => value / length);
}
