// What a parser owes to files that are empty, damaged or odd: a document, or an Error that says why, in time.
import assert from "node:assert/strict";
import { assertAnswered, assertLines, documentOf } from "./assert-document.js";
import type { ParserCheck } from "./check.js";
import {
  blankFiles,
  cutOffFiles,
  emptyFiles,
  longLineFiles,
  newlineFiles,
  randomFiles,
  withLineEnds,
  type FilesOfKind,
} from "./hostile-files.js";

const kinds: Readonly<Record<string, FilesOfKind>> = {
  "an empty file": emptyFiles,
  "a file of one line break": newlineFiles,
  "a file that was cut off": cutOffFiles,
  "random content": randomFiles,
  "a very long line": longLineFiles,
  "a line with very many blanks": blankFiles,
};

export const damagedChecks: readonly ParserCheck[] = [
  ...Object.entries(kinds).map(([kind, files]): ParserCheck => ({
    name: `answers ${kind} with a document, or with an Error that says why`,
    async run({ samples, factory, observe }) {
      let index = 0;
      for (const file of files(samples, factory.binary))
        assertAnswered(await observe(file), `${file.path} as ${kind} (${file.note ?? index++})`);
    },
  })),
  {
    name: "finds the same sections whether lines end in LF or CRLF",
    async run({ samples, factory, observe }) {
      // In a binary format they are bytes like any others.
      if (factory.binary) return;
      for (const sample of samples) {
        const [lf, crlf] = [
          documentOf(await observe(withLineEnds(sample, "\n")), sample.path),
          documentOf(await observe(withLineEnds(sample, "\r\n")), `${sample.path} with CRLF`),
        ];
        assertLines(crlf, `${sample.path} with CRLF`);
        const outline = ({ sections }: typeof lf): unknown[] =>
          sections.map(({ level, heading }) => ({ level, heading }));
        assert.deepEqual(outline(crlf), outline(lf), `${sample.path} has other sections with CRLF`);
      }
    },
  },
];
