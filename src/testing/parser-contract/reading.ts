// What the interface promises of the documents that a parser makes of whole files.
import assert from "node:assert/strict";
import {
  assertHeadings,
  assertLines,
  assertMetadata,
  assertWarnings,
  documentOf,
} from "./assert-document.js";
import type { ParserCheck, ParserSubject, SampleFile } from "./check.js";
import { hostileFiles } from "./hostile-files.js";
import type { ParsedDocument } from "../../core/plugin-api.js";

async function parse(subject: ParserSubject, sample: SampleFile): Promise<ParsedDocument> {
  return documentOf(await subject.observe(sample), sample.path);
}

/** A test of each sample's document. */
function ofEachDocument(
  name: string,
  examine: (document: ParsedDocument, path: string, sample: SampleFile) => void,
): ParserCheck {
  return {
    name,
    async run(subject) {
      for (const sample of subject.samples) examine(await parse(subject, sample), sample.path, sample);
    },
  };
}

function everyFile({ samples, factory }: ParserSubject): SampleFile[] {
  return [...samples, ...hostileFiles(samples, factory.binary)];
}

export const readingChecks: readonly ParserCheck[] = [
  ofEachDocument("delivers a plain document that can be cloned", () => undefined),
  ofEachDocument("delivers metadata of JSON values", assertMetadata),
  ofEachDocument("gives a heading to the sections above level 0, and to no other", assertHeadings),
  ofEachDocument("gives each section exactly its lines, in order and without overlap", assertLines),
  ofEachDocument("warns in texts", assertWarnings),
  {
    name: "finds text in a sample",
    async run(subject) {
      const found: boolean[] = [];
      for (const sample of subject.samples) {
        const { sections, text } = await parse(subject, sample);
        found.push(text.trim() !== "" && sections.some((section) => section.text.trim() !== ""));
      }
      assert.ok(found.includes(true), "no sample has a section with text");
    },
  },
  ofEachDocument("adds no U+FFFD and no NUL to the text", (document, path, sample) => {
    for (const { text } of [document, ...document.sections])
      for (const [name, lost] of [
        ["U+FFFD", "\ufffd"],
        ["NUL", "\0"],
      ] as const)
        assert.ok(!text.includes(lost) || sample.text.includes(lost), `${path}: ${name} is in the text`);
  }),
  {
    name: "makes the same of a file each time, whatever was parsed between",
    async run(subject) {
      const before: ParsedDocument[] = [];
      for (const sample of subject.samples) before.push(await parse(subject, sample));
      for (const [index, sample] of [...subject.samples.entries()].reverse())
        assert.deepEqual(await parse(subject, sample), before[index], `${sample.path} came out otherwise`);
    },
  },
  {
    name: "leaves the bytes as they are",
    async run(subject) {
      for (const file of everyFile(subject))
        assert.ok(!(await subject.observe(file)).changedBytes, `the bytes of ${file.path} were changed`);
    },
  },
  {
    name: "prints nothing to stdout, which may belong to the protocol",
    async run(subject) {
      for (const file of everyFile(subject))
        assert.deepEqual(
          [...(await subject.observe(file)).printed],
          [],
          `something was printed for ${file.path}`,
        );
    },
  },
  {
    name: "does not end the process",
    async run(subject) {
      for (const file of everyFile(subject))
        assert.ok(!(await subject.observe(file)).exited, `the process was to end at ${file.path}`);
    },
  },
];
