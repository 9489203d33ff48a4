import { describe, expect, it } from "@jest/globals";
import { compileFilters } from "../../../src/core/search/filters.js";
import type { SearchFilters } from "../../../src/core/search/search-reply.js";

const quality = { enabled: true, threshold: 0.3 };
const compile = (filters: SearchFilters): ReturnType<typeof compileFilters> =>
  compileFilters(filters, { ...quality, enabled: false });

describe("compileFilters", () => {
  it("filters nothing without filters", () => {
    expect(compile({})).toEqual({ filter: {}, applied: {} });
  });

  it("folds what is compared and echoes what was meant", () => {
    const { filter, applied } = compile({
      category: " ＲＵＮＢＯＯＫ ",
      topic: "/Ops/Runbooks/",
      path_globs: ["Ops/*.md", "!ops/old-*"],
      tags_any: ["#Backup", "ﾊﾞｯｸｱｯﾌﾟ", "#Backup"],
      tags_all: ["A/B"],
      date_from: "2026-01-01",
      date_to: "2026-02-28",
    });
    expect(filter).toEqual({
      categoryKey: "runbook",
      topicKey: "ops/runbooks",
      pathIncludes: [String.raw`^ops/[^/]*\.md$`],
      pathExcludes: ["^ops/old-[^/]*$"],
      tagKeysAny: ["backup", "バックアップ"],
      tagKeysAll: ["a/b"],
      dateFrom: "2026-01-01",
      dateTo: "2026-02-28",
    });
    expect(applied).toEqual({
      category: "ＲＵＮＢＯＯＫ",
      topic: "Ops/Runbooks",
      path_globs: ["Ops/*.md", "!ops/old-*"],
      tags_any: ["Backup", "ﾊﾞｯｸｱｯﾌﾟ"],
      tags_all: ["A/B"],
      date_from: "2026-01-01",
      date_to: "2026-02-28",
    });
  });

  it("hides low quality by default and says so, unless asked for or switched off", () => {
    expect(compileFilters({}, quality)).toEqual({
      filter: { minQuality: 0.3 },
      applied: { min_quality: 0.3 },
    });
    expect(compileFilters({ include_low_quality: true }, quality)).toEqual({
      filter: {},
      applied: { include_low_quality: true },
    });
    expect(compileFilters({ min_quality: 0, include_low_quality: false }, quality).filter).toEqual({
      minQuality: 0,
    });
    expect(compileFilters({ min_quality: 0.8, include_low_quality: true }, quality).filter).toEqual({
      minQuality: 0.8,
    });
  });

  it("takes an empty list as no filter", () => {
    expect(compile({ tags_any: [], path_globs: [] })).toEqual({ filter: {}, applied: {} });
  });

  it.each<[SearchFilters, string]>([
    [{ category: "  " }, 'category: "  " is blank'],
    [{ topic: "/" }, 'topic: "/" names no directory'],
    [{ topic: "a/b/c" }, 'topic: "a/b/c" is deeper than two directories; use path_globs: ["a/b/c/**"]'],
    [{ tags_all: ["x", "#"] }, 'tags_all: "#" is blank'],
    [{ date_from: "2026-1-5" }, 'date_from: "2026-1-5" is not a date of the form YYYY-MM-DD'],
    [{ date_to: "2026-02-30" }, 'date_to: "2026-02-30" is a date that does not exist'],
    [{ date_to: "2025-02-29" }, 'date_to: "2025-02-29" is a date that does not exist'],
    [{ date_to: "2026-13-01" }, 'date_to: "2026-13-01" is a date that does not exist'],
    [
      { date_from: "2026-03-02", date_to: "2026-03-01" },
      'date_from: "2026-03-02" is after date_to, 2026-03-01',
    ],
    [{ min_quality: 1.5 }, "min_quality: 1.5 is not between 0 and 1"],
    [{ min_quality: Number.NaN }, "min_quality: null is not between 0 and 1"],
    [
      { path_globs: ["docs/[a"] },
      String.raw`path_globs: "docs/[a" has a "[" without "]" (write \[ for the character)`,
    ],
    [{ path_globs: ["!"] }, 'path_globs: "!" is empty'],
    [{ tags_any: new Array<string>(65).fill("x") }, "tags_any has 65 entries; at most 64 are allowed"],
  ])("refuses %j", (filters, message) => {
    expect(() => compile(filters)).toThrow(expect.objectContaining({ code: "KB_SEARCH_FILTER", message }));
  });

  it("refuses an entry over 1 KiB and repeats only its beginning", () => {
    expect(() => compile({ tags_any: ["x".repeat(1025)] })).toThrow(
      expect.objectContaining({
        message: `tags_any: "${"x".repeat(79)}… is 1025 bytes long; at most 1024 are allowed`,
      }),
    );
  });

  it("takes the last day of February in a leap year and equal bounds", () => {
    expect(compile({ date_from: "2024-02-29", date_to: "2024-02-29" }).filter).toEqual({
      dateFrom: "2024-02-29",
      dateTo: "2024-02-29",
    });
  });
});
