import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { estimateTokens } from "../../../src/core/estimate-tokens.js";
import { fitReply, shortenedMark } from "../../../src/core/search/reply-budget.js";
import type { SearchHit, SearchReply } from "../../../src/core/search/search-reply.js";

const hit = (content: string, extra: Partial<SearchHit> = {}): SearchHit => ({
  score: 0.5,
  path: "docs/a.md",
  title: "A",
  heading_path: ["A"],
  topic: "docs",
  tags: ["x"],
  content,
  start_line: 3,
  end_line: 40,
  match_spans: [],
  ...extra,
});
const reply = (results: SearchHit[], extra: Partial<SearchReply> = {}): SearchReply => ({
  results,
  confidence: 0.9,
  low_confidence: false,
  filter_applied: {},
  mode: "hybrid",
  notes: ["first"],
  ...extra,
});

/** What a client is sent. */
function sentTokens(sent: SearchReply): number {
  const result = { content: [{ type: "text", text: JSON.stringify(sent) }], structuredContent: sent };
  return estimateTokens(JSON.stringify(result));
}

describe("the reply budget", () => {
  it("leaves a reply alone that fits", () => {
    const small = reply([hit("short")]);
    expect(fitReply(small, 16_000)).toBe(small);
  });

  it("shortens the lowest hits first, marks them, clips their spans and says how to read the rest", () => {
    const long = "word ".repeat(400);
    const full = hit(long, {
      match_spans: [
        [0, 4],
        [1500, 1504],
      ],
      expanded_from: [
        [1200, 1900],
        [0, 800],
      ],
    });
    const fitted = fitReply(reply([full, full, full]), 2_800);
    expect(fitted.results).toHaveLength(3);
    expect(fitted.results[0]).toEqual(full);
    expect(fitted.results[2]!.content).toMatch(/^(word )+.*\n\[… shortened\]$/s);
    expect(fitted.results[2]!.content.length).toBeLessThan(long.length);
    expect(fitted.results[2]!.match_spans).toEqual([[0, 4]]);
    const end = fitted.results[2]!.content.length - shortenedMark.length;
    expect(end).toBeLessThan(800);
    expect(fitted.results[2]!.expanded_from).toEqual([[0, end]]);
    expect(fitted.notes[0]).toBe("first");
    expect(fitted.notes[1]).toMatch(/one passage was shortened.*get_document.*start_line/s);
  });

  it("leaves hits out from the end when shortening is not enough, and counts them", () => {
    const many = Array.from({ length: 50 }, (_, index) => hit("word ".repeat(400), { path: `${index}.md` }));
    const fitted = fitReply(reply(many), 4_000);
    const kept = fitted.results.length;
    expect(kept).toBeGreaterThan(5);
    expect(fitted.results.map(({ path }) => path)).toEqual(many.slice(0, kept).map(({ path }) => path));
    expect(fitted.notes.at(-1)).toContain(`${50 - kept} results were left out`);
  });

  it("leaves out a hit that is too large without its content, and keeps the others", () => {
    const tags = Array.from({ length: 5_000 }, (_, index) => `tag-${index}`);
    const fitted = fitReply(reply([hit("first", { tags }), hit("second")]), 4_000);
    expect(fitted.results.map(({ content }) => content)).toEqual(["second"]);
    expect(fitted.notes.at(-1)).toContain("one result was left out");
  });

  it("echoes the first entries of filters that are larger than the budget, and says so", () => {
    const tags_any = Array.from({ length: 64 }, (_, index) => `${index}${"x".repeat(1000)}`);
    const fitted = fitReply(reply([hit("short")], { filter_applied: { tags_any } }), 8_000);
    expect(fitted.results).toHaveLength(1);
    expect(fitted.filter_applied.tags_any!.length).toBeLessThan(64);
    expect(fitted.notes.join()).toMatch(/filter_applied shows the first \d+ of 64 entries of tags_any/);
  });

  it("is never exceeded, and nothing is shortened or left out without a word", () => {
    const content = fc
      .tuple(fc.constantFrom("word ", "漢字", '"\\"\n', "\u{1F600}", "x"), fc.nat({ max: 2_000 }))
      .map(([text, times]) => text.repeat(times));
    const entry = content.map((text) =>
      hit(text, {
        match_spans: [
          [0, 1],
          [Math.max(2, text.length - 1), Math.max(3, text.length)],
        ],
      }),
    );
    fc.assert(
      fc.property(
        fc.array(entry, { maxLength: 30 }),
        fc.array(fc.string({ maxLength: 1000 }), { maxLength: 64 }),
        fc.integer({ min: 1_000, max: 20_000 }),
        (results, path_globs, maxTokens) => {
          const named = results.map((each, index) => ({ ...each, path: `${index}.md` }));
          const given = reply(named, { filter_applied: { path_globs } });
          const fitted = fitReply(given, maxTokens);
          expect(sentTokens(fitted)).toBeLessThanOrEqual(maxTokens);
          fitted.results.forEach((each) => {
            const original = named.find(({ path }) => path === each.path)!;
            if (each.content === original.content) return;
            expect(each.content.endsWith(shortenedMark)).toBe(true);
            expect(original.content.startsWith(each.content.slice(0, -shortenedMark.length))).toBe(true);
            for (const [, end] of each.match_spans) {
              expect(end).toBeLessThanOrEqual(each.content.length - shortenedMark.length);
            }
          });
          const untouched =
            fitted.results.length === results.length &&
            fitted.results.every((each, index) => each.content === results[index]!.content);
          const text = fitted.notes.join();
          if (!untouched) expect(text).toMatch(/shortened.*get_document|left out.*limit/s);
          if (fitted.filter_applied.path_globs?.length !== path_globs.length) {
            expect(text).toContain("filter_applied shows");
          }
        },
      ),
      { numRuns: 150 },
    );
  });
});
