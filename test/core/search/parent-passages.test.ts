import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import {
  growPassages,
  keysAround,
  roomFor,
  type GrowingChunk,
} from "../../../src/core/search/parent-passages.js";
import { joinChunks, type Passage } from "../../../src/core/search/passages.js";

/** A document of chunks of 10 tokens and one line each, with a blank line between. */
const document = (path: string, headings: readonly string[]): GrowingChunk[] =>
  headings.map((trail, position) => ({
    path,
    position,
    headingPath: trail.split("/"),
    content: `${path}${position}`,
    startLine: 1 + 2 * position,
    endLine: 1 + 2 * position,
    tokens: 10,
    quality: 1,
  }));
const hit = (chunk: GrowingChunk, score = 1): Passage => ({
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

  it("name what they took in, whether or not there is a place for another", () => {
    const other = document("o", ["U"]);
    const found = [hit(chunks[1]!), hit(other[0]!, 0.9), hit(chunks[3]!, 0.8), hit(chunks[2]!, 0.7)];
    for (const limit of [1, 2, 3]) {
      const [grown] = growPassages(found, [...chunks, ...other], { ...room, limit, tokens: 30 }, never);
      expect(grown!.expandedFrom!.map((span) => grown!.chunk.content.slice(...span))).toEqual([
        "d1",
        "d3",
        "d2",
      ]);
    }
  });

  it("stop at what may not be shown, by itself or together with what they hold", () => {
    const alone = ({ position }: GrowingChunk): boolean => position === 3;
    expect(contents(growPassages([hit(chunks[2]!)], chunks, room, alone))).toEqual(["d1\n\nd2"]);
    const seam = (_: GrowingChunk, together: readonly GrowingChunk[]): boolean =>
      joinChunks(together).content.includes("d1\n\nd2");
    expect(contents(growPassages([hit(chunks[2]!)], chunks, room, seam))).toEqual(["d2\n\nd3"]);
  });

  it("take a whole section as long as the window, and of a longer one no more than that", () => {
    const { window } = room;
    const headings = Array.from({ length: window }, () => "T/A");
    const exact = document("e", ["T/B", ...headings, "T/A", "T/B"]);
    const around = (chunk: GrowingChunk, all: readonly GrowingChunk[]): string[] => {
      const known = new Set(keysAround([chunk], room).map(({ position }) => position));
      const read = all.filter(({ position }) => known.has(position));
      return contents(growPassages([hit(chunk)], read, room, never))[0]!.split("\n\n");
    };
    // All of A from its first chunk; T then ends behind the window.
    expect(around(exact[1]!, exact)).toHaveLength(window + 1);
    expect(around(exact[1]!, exact.slice(0, -1))).toHaveLength(window + 2);
    // A goes on behind the window: not all of it is there, so the section above has no turn.
    const longer = document("f", ["T/B", ...headings, "T/A", "T/A"]);
    expect(around(longer[1]!, longer)).toEqual(longer.slice(1, window + 2).map(({ content }) => content));
    const before = document("h", ["T/A", "T/A", ...headings, "T/B"]);
    expect(around(before[window + 1]!, before)).toEqual(
      before.slice(1, window + 2).map(({ content }) => content),
    );
    // The end of the document, and its beginning, are ends of sections.
    const whole = document(
      "g",
      Array.from({ length: 2 * window + 1 }, (_, at) => `T/${at}`),
    );
    expect(around(whole[window]!, whole)).toHaveLength(2 * window + 1);
  });

  it("look at no chunk behind the window, though it is known from another", () => {
    const long = document(
      "l",
      Array.from({ length: 9 }, () => "T"),
    );
    const found = [hit(long[0]!), hit(long[8]!)];
    const grown = growPassages(found, long, { ...room, window: 3 }, never);
    expect(contents(grown)).toEqual(["l0\n\nl1\n\nl2\n\nl3", "l5\n\nl6\n\nl7\n\nl8"]);
  });

  it("stay as they are without room", () => {
    const found = [hit(chunks[2]!), hit(chunks[4]!)];
    expect(growPassages(found, chunks, { ...room, tokens: 10 }, never)).toEqual(found);
  });

  it("stay as they are in a document that is no longer the one that was found, and there alone", () => {
    const other = document("o", ["U", "U"]);
    const found = [hit(chunks[1]!), hit(chunks[4]!), hit(other[0]!)];
    const changes: [string, readonly GrowingChunk[]][] = [
      ["another text", chunks.map((chunk) => (chunk.position === 1 ? { ...chunk, content: "new" } : chunk))],
      ["lines above it", chunks.map((chunk) => ({ ...chunk, startLine: 90, endLine: 90 }))],
      ["another heading", chunks.map((chunk) => ({ ...chunk, headingPath: ["T"] }))],
      ["shorter", chunks.slice(0, 4)],
      ["gone", []],
      ["changed between two reads", [...chunks, { ...chunks[2]!, content: "new" }]],
    ];
    for (const [what, now] of changes)
      expect([what, ...contents(growPassages(found, [...now, ...other], room, never))]).toEqual([
        what,
        "d1",
        "d4",
        "o0\n\no1",
      ]);
    expect(contents(growPassages(found, [...chunks, ...chunks, ...other], room, never))).toHaveLength(2);
  });

  it("mark where lines are left out that are in no chunk", () => {
    const far = document("d", ["T", "T", "T"]).map((chunk) => ({
      ...chunk,
      startLine: [1, 4, 8][chunk.position]!,
      endLine: [1, 4, 8][chunk.position]!,
    }));
    const [grown] = growPassages([hit(far[2]!)], far, room, never);
    expect(grown).toMatchObject({ chunk: { content: "d0\n\nd1\n\n…\n\nd2" }, expandedFrom: [[11, 13]] });
  });

  it("join the parts of one long line without a break", () => {
    const parts = document("p", ["T", "T"]).map((chunk) => ({ ...chunk, startLine: 7, endLine: 7 }));
    const [grown] = growPassages([hit(parts[0]!)], parts, room, never);
    expect(grown!.chunk).toMatchObject({ content: "p0p1", startLine: 7, endLine: 7 });
  });

  it("have less room the more of them there are, and none where a reply is full anyway", () => {
    expect(roomFor(1, 16_000)).toEqual({ limit: 1, tokens: 2000, window: 20 });
    expect(roomFor(10, 16_000)).toEqual({ limit: 10, tokens: 675, window: 7 });
    expect(roomFor(100, 16_000)).toEqual({ limit: 100, tokens: 0, window: 0 });
  });

  it("keep all of this, and are as large as that allows, whatever was found", () => {
    const made = fc.record({
      trail: fc.constantFrom("T", "T/A", "T/A/x", "T/B"),
      lines: fc.integer({ min: 1, max: 3 }),
      linesBefore: fc.integer({ min: -1, max: 4 }),
      tokens: fc.integer({ min: 5, max: 30 }),
      isBarred: fc.constantFrom(false, false, false, true),
      /** Whether it may not stand before the next one. */
      hasSeam: fc.constantFrom(false, false, false, true),
    });
    fc.assert(
      fc.property(
        fc.array(made, { minLength: 1, maxLength: 12 }),
        fc.uniqueArray(fc.nat(11), { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 1, max: 130 }),
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 12 }),
        (parts, places, tokens, limit, window) => {
          let line = 1;
          const all = document(
            "d",
            parts.map(({ trail }) => trail),
          ).map((chunk, at) => {
            const { lines, linesBefore, tokens: size } = parts[at]!;
            const startLine = at === 0 ? 1 : Math.max(1, line + linesBefore + 1);
            line = startLine + lines - 1;
            const content = [`d${at}`, ...Array.from({ length: lines - 1 }, () => "more")].join("\n");
            return { ...chunk, content, startLine, endLine: line, tokens: size };
          });
          const found = places.filter((at) => parts[at]?.isBarred === false);
          const candidates = found.map((at) => hit(all[at]!));
          const known = new Set(
            keysAround(
              candidates.map(({ ranked }) => ranked),
              { limit, tokens, window },
            ).map((key) => key.position),
          );
          const barred = (chunk: GrowingChunk, together: readonly GrowingChunk[]): boolean => {
            expect(together).toContain(chunk);
            return (
              parts[chunk.position]!.isBarred ||
              together.slice(0, -1).some(({ position }) => parts[position]!.hasSeam)
            );
          };
          const grown = growPassages(
            candidates,
            all.filter(({ position }) => known.has(position)),
            { limit, tokens, window },
            barred,
          );

          expect(grown.length).toBeLessThanOrEqual(limit);
          const ranges = grown.map(({ chunk }) => {
            const names = [...chunk.content.matchAll(/d(\d+)/gu)].map((name) => Number(name[1]));
            return all.slice(names[0], names.at(-1)! + 1);
          });
          const shown = ranges.flat();
          expect(new Set(shown).size).toBe(shown.length);
          if (grown.length < limit) for (const at of found) expect(shown).toContain(all[at]!);
          grown.forEach(({ ranked, chunk, expandedFrom }, index) => {
            const range = ranges[index]!;
            const origin = all[ranked.position]!;
            let text = "";
            range.forEach((each, at) => {
              const lines = at === 0 ? -1 : each.startLine - range[at - 1]!.endLine - 1;
              text += lines > 2 ? "\n\n…\n\n" : ["", "\n", "\n\n", "\n\n"][lines + 1]!;
              text += each.content;
            });
            expect(chunk).toMatchObject({
              content: text,
              startLine: range[0]!.startLine,
              endLine: range.at(-1)!.endLine,
            });
            const size = range.reduce((sum, each) => sum + each.tokens, 0);
            expect(size).toBeLessThanOrEqual(Math.max(origin.tokens, tokens));
            for (const each of range) {
              expect(Math.abs(each.position - ranked.position)).toBeLessThanOrEqual(window);
              expect(barred(each, [each])).toBe(false);
            }
            expect(barred(origin, range)).toBe(false);
            const inside = found.filter((at) => range.includes(all[at]!));
            expect(inside[0]).toBe(ranked.position);
            if (range.length > 1)
              expect(expandedFrom!.map((span) => chunk.content.slice(...span))).toEqual(
                inside.map((at) => all[at]!.content),
              );
            // It ended for a reason: of what is next to it, nothing of its section could have been taken in.
            for (const next of [all[range[0]!.position - 1], all[range.at(-1)!.position + 1]]) {
              if (
                next === undefined ||
                !origin.headingPath.every((name, at) => next.headingPath[at] === name)
              )
                continue;
              const together = [...range, next].sort((a, b) => a.position - b.position);
              expect(
                Math.abs(next.position - ranked.position) > window ||
                  size + next.tokens > tokens ||
                  barred(next, together) ||
                  shown.includes(next),
              ).toBe(true);
            }
          });
        },
      ),
      { numRuns: 300 },
    );
  });
});
