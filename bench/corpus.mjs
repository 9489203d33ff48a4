// Folders of documents for the benchmarks, made from the sample knowledge base: the same every time.
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const sample = fileURLToPath(new URL("../examples/knowledge-base", import.meta.url));

/** A pseudo-random number generator (mulberry32), so that every run has the same documents. */
export function random(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const english = (paragraph) => paragraph.length > 120 && /^[\x20-\x7e\n]+$/u.test(paragraph);
const japanese = (paragraph) => paragraph.length > 60 && /[\u3041-\u3096]/u.test(paragraph);

export const englishParagraphs = () => paragraphs(english);
export const japaneseParagraphs = () => paragraphs(japanese);

async function paragraphs(isWanted) {
  const names = (await readdir(sample, { recursive: true })).filter((name) => name.endsWith(".md")).sort();
  const texts = await Promise.all(names.map((name) => readFile(join(sample, name), "utf8")));
  return texts.flatMap((text) => text.split(/\n\s*\n/u)).filter(isWanted);
}

/** English Markdown documents of about eight paragraphs under four headings. */
export async function writeEnglishCorpus(folder, documents) {
  const paragraphs = await englishParagraphs();
  const next = random(1);
  const pick = () => paragraphs[Math.floor(next() * paragraphs.length)];
  for (let n = 0; n < documents; n++) {
    const sections = Array.from({ length: 4 }, (_, i) => `## Part ${i + 1}\n\n${pick()}\n\n${pick()}\n`);
    await write(
      join(folder, `part-${n % 20}`, `document-${n}.md`),
      `# Document ${n}\n\n${sections.join("\n")}`,
    );
  }
}

/** Short Japanese notes, which the bundled model declines: for what does not depend on embedding. */
export async function writeJapaneseNotes(folder, documents) {
  for (let n = 0; n < documents; n++)
    await write(
      join(folder, `部門${n % 200}`, `議事録${n}.md`),
      `# 議事録 ${n}\n\n第${n}回の会議で温室の換気について話し合った。\n`,
    );
}

async function write(path, text) {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}
