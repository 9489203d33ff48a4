import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import {
  growPassages,
  keysAround,
  roomFor,
  type GrowingChunk,
} from "../../../src/core/search/parent-passages.js";
import type { Passage } from "../../../src/core/search/passages.js";

/** A document of chunks of 10 tokens and one line each, with a blank line between. */
const document = (path: string, headings: readonly string[]): GrowingChunk[] =>
  headings.map((trail, position) => ({
    path,
    position,
    headingPath: trail.split("/"),
    content: `${path}${position}`,
    contentKey: `${path}${position}`,
    startLine: 1 + 2 * position,
    endLine: 1 + 2 * position,
    tokens: 10,
  }));
const hit = (chunk: GrowingChunk, score = 1): Passage<GrowingChunk> => ({
  ranked: { path: chunk.path, position: chunk.position, score },
  chunk,
});
const never = (): boolean => false;
const room = { limit: 5, tokens: 1000, window: 10 };
const contents = (passages: readonly Passage[]): string[] => passages.map(({ chunk }) => chunk.content);

describe("parent passages", () => {
  const chunks = document("d", ["T", "T/A", "T/A", "T/A/x", "T/B", "T/B"]);

  it("grow to the largest section that fits, with lines and the place of what was found", () => {
    expect(growPassages([hit(chunks[2]!)], chunks, { ...room, tokens: 35 }, never)).toEqual([
      {
        ranked: { path: "d", position: 2, score: 1 },
        chunk: {
          path: "d",
          position: 2,
          headingPath: ["T", "A"],
          content: "d1\n\nd2\n\nd3",
          startLine: 3,
          endLine: 7,
        },
        expandedFrom: [[4, 6]],
      },
    ]);
    expect(contents(growPassages([hit(chunks[2]!)], chunks, room, never))).toEqual([
      "d0\n\nd1\n\nd2\n\nd3\n\nd4\n\nd5",
    ]);
  });

  it("take the nearest neighbours of a section that does not fit", () => {
    const long = document(
      "l",
      Array.from({ length: 9 }, () => "T"),
    );
    expect(contents(growPassages([hit(long[4]!)], long, { ...room, tokens: 30 }, never))).toEqual([
      "l3\n\nl4\n\nl5",
    ]);
  });

  it("take in lower ones, so that others come in for them", () => {
    const other = document("o", ["U", "V"]);
    const found = [hit(chunks[1]!), hit(chunks[3]!, 0.9), hit(other[0]!, 0.8)];
    const grown = growPassages(found, [...chunks, ...other], { ...room, limit: 2, tokens: 30 }, never);
    expect(contents(grown)).toEqual(["d1\n\nd2\n\nd3", "o0\n\no1"]);
    expect(grown[0]!.expandedFrom).toEqual([
      [0, 2],
      [8, 10],
    ]);
  });

  it("stop at what the query excludes", () => {
    const barred = ({ position }: GrowingChunk): boolean => position === 3;
    expect(contents(growPassages([hit(chunks[2]!)], chunks, room, barred))).toEqual(["d1\n\nd2"]);
  });

  it("stay as they are without room", () => {
    const found = [hit(chunks[2]!), hit(chunks[4]!)];
    expect(growPassages(found, [], { ...room, tokens: 10 }, never)).toEqual(found);
  });

  it("join the parts of one long line without a break", () => {
    const parts = document("p", ["T", "T"]).map((chunk) => ({ ...chunk, startLine: 7, endLine: 7 }));
    const [grown] = growPassages([hit(parts[0]!)], parts, room, never);
    expect(grown!.chunk).toMatchObject({ content: "p0p1", startLine: 7, endLine: 7 });
  });

  it("have less room the more of them there are, and none where a reply is full anyway", () => {
    expect(roomFor(1, 16_000).tokens).toBe(2000);
    expect(roomFor(10, 16_000).tokens).toBe(675);
    expect(roomFor(100, 16_000)).toEqual({ limit: 100, tokens: 0, window: 0 });
  });

  it("never overlap, never leave their room or limit, and show what they say, whatever was found", () => {
    const headings = fc.array(fc.constantFrom("T", "T/A", "T/A/x", "T/B"), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(
        headings,
        fc.array(fc.nat(11), { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 1, max: 130 }),
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 12 }),
        (trails, found, tokens, limit, window) => {
          const all = document("d", trails);
          const candidates = [...new Set(found)].flatMap((at) =>
            all[at] === undefined ? [] : [hit(all[at])],
          );
          const known = new Set(
            keysAround(
              candidates.map(({ ranked }) => ranked),
              { limit, tokens, window },
            ).map((key) => key.position),
          );
          const neighbours = all.filter(({ position }) => known.has(position));
          const grown = growPassages(candidates, neighbours, { limit, tokens, window }, never);
          expect(grown.length).toBeLessThanOrEqual(limit);
          const shown = grown.flatMap(({ chunk }) => chunk.content.split("\n\n"));
          expect(new Set(shown).size).toBe(shown.length);
          for (const { ranked, chunk, expandedFrom = [[0, chunk.content.length] as const] } of grown) {
            expect(chunk.content.split("\n\n").length * 10).toBeLessThanOrEqual(Math.max(10, tokens));
            expect(chunk.content.slice(...expandedFrom[0]!)).toBe(`d${ranked.position}`);
            for (const span of expandedFrom)
              expect(found.map((at) => `d${at}`)).toContain(chunk.content.slice(...span));
          }
        },
      ),
    );
  });
});
