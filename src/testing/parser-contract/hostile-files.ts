// Files that a parser meets sooner or later: empty, damaged, of one endless line, or of another kind altogether.
import { randomFrom } from "../store-contract/corpus.js";
import type { SampleFile } from "./check.js";

/** Lengths of the files of random content. */
const randomLengths = [1, 2, 7, 64, 1000, 10_000];

const longLineLength = 300_000;

/**
 * Each is twice the one before: a parser that is quadratic then fails in at most four times what a file may take, and
 * not in the minutes that it would need for the longest.
 */
const blankLengths = [8, 4, 2, 1].map((share) => longLineLength / share);

/** Of the lines of one sample. */
const mostBeginnings = 12;

/** Files of one kind, for a format of text or a binary one. */
export type FilesOfKind = (samples: readonly SampleFile[], binary: boolean) => Iterable<SampleFile>;

export const emptyFiles: FilesOfKind = (samples, binary) =>
  first(samples).map((path) => fileOf(path, "", binary));

export const newlineFiles: FilesOfKind = (samples, binary) =>
  first(samples).flatMap((path) => ["\n", "\r\n"].map((text) => fileOf(path, text, binary)));

/** Each sample at half and shortly before its end. */
export const cutOffFiles: FilesOfKind = (samples, binary) =>
  samples.flatMap(({ path, bytes, text }) =>
    [0.5, 0.9, 0.99].map((share): SampleFile => {
      if (binary) return { path, bytes: bytes.slice(0, Math.floor(bytes.length * share)), text: "" };
      const characters = Array.from(text);
      return fileOf(path, characters.slice(0, Math.floor(characters.length * share)).join(""), binary);
    }),
  );

/**
 * Random bytes for a binary format, alone and in the middle of each sample; for text, which kb-mcp decodes or refuses
 * before a parser sees it, random characters.
 */
export const randomFiles: FilesOfKind = (samples, binary) => {
  const random = randomFrom(1);
  const characters = Array.from(
    "ab 01\t\n\r\n#-:[](){}<>\"'`*_\\|&;%@!日本語\u0301😀\u00a0\ufeff\u2028\u001b",
  );
  return randomLengths.flatMap((length) =>
    samples.flatMap(({ path, bytes }): SampleFile[] => {
      if (!binary) {
        const text = Array.from({ length }, () => random.pick(characters)).join("");
        return [fileOf(path, text, binary)];
      }
      const noise = Uint8Array.from({ length }, () => random.below(256));
      const damaged = Uint8Array.from(bytes);
      const at = random.below(bytes.length);
      damaged.set(noise.subarray(0, bytes.length - at), at);
      return [noise, damaged].map((content) => ({ path, bytes: content, text: "" }));
    }),
  );
};

export const longLineFiles: FilesOfKind = (samples, binary) =>
  first(samples).flatMap((path) =>
    ["x", "word ", "日本"].map((part) =>
      fileOf(path, part.repeat(Math.floor(longLineLength / part.length)), binary),
    ),
  );

/**
 * Blanks between two words, and after whatever a line of the format begins with: what a regular expression such as
 * /\s+$/ is quadratic in. One file at a time, since they are large.
 */
export const blankFiles: FilesOfKind = function* (samples, binary) {
  if (binary) return;
  const seen = new Set<string>();
  for (const { path, text } of samples)
    for (const [beginning, blank] of [["x", " "], ["x", "\t"], ...beginningsOf(text)] as const) {
      if (seen.has(beginning + blank)) continue;
      seen.add(beginning + blank);
      for (const length of blankLengths) {
        const note = `a line of ${JSON.stringify(beginning)}, ${length} ${blank === " " ? "blanks" : "tabs"} and a letter`;
        yield { ...fileOf(path, `${beginning}${blank.repeat(length)}y`, binary), note };
      }
    }
};

/** Every kind at once, but for the one that is about time alone. */
export const hostileFiles: FilesOfKind = (samples, binary) =>
  [emptyFiles, newlineFiles, cutOffFiles, randomFiles, longLineFiles].flatMap((files) => [
    ...files(samples, binary),
  ]);

/** The sample with all its line ends replaced. */
export function withLineEnds({ path, text }: SampleFile, lineEnd: "\n" | "\r\n"): SampleFile {
  return fileOf(path, text.replace(/\r\n?|\n/g, lineEnd), false);
}

/** What the lines of a text begin with, marks before words: headings, lists and keys are what a parser looks for. */
function beginningsOf(text: string): (readonly [beginning: string, blank: " "])[] {
  const found = new Set(
    text.split(/[\r\n]+/).flatMap((line) => /^\S{1,8}/u.exec(line.slice(0, 100).trimStart()) ?? []),
  );
  const isMark = (beginning: string): boolean => /^[^\p{L}\p{N}]/u.test(beginning);
  const sorted = [...found].sort((a, b) => Number(isMark(b)) - Number(isMark(a)));
  return sorted.slice(0, mostBeginnings).map((beginning) => [beginning, " "]);
}

function first(samples: readonly SampleFile[]): string[] {
  return samples.slice(0, 1).map(({ path }) => path);
}

function fileOf(path: string, text: string, binary: boolean): SampleFile {
  // A decoder drops the mark at the beginning.
  const decoded = text.replace(/^\ufeff/, "");
  return { path, bytes: Uint8Array.from(Buffer.from(decoded, "utf8")), text: binary ? "" : decoded };
}
