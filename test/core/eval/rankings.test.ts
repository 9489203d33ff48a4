import { describe, expect, it } from "@jest/globals";
import { rankingsOf, unitOf, type RankedHit } from "../../../src/core/eval/rankings.js";

const hit = (path: string, fields: Partial<RankedHit> = {}): RankedHit => ({
  path,
  heading_path: [],
  content: "",
  explanation: { fused: 1 },
  ...fields,
});
const legRanks = (
  lexical: number | undefined,
  vector: number | undefined,
): Pick<RankedHit, "explanation"> => ({
  explanation: {
    fused: 0.5,
    ...(lexical !== undefined && { lexical: { rank: lexical, score: 1 } }),
    ...(vector !== undefined && { vector: { rank: vector, score: 1 } }),
  },
});
const fused = (hits: RankedHit[], ...expected: { path: string; heading?: string }[]): readonly string[] =>
  rankingsOf(hits, expected).fused;

describe("rankings", () => {
  it("are of documents by their best passage, for each leg by its own ranks", () => {
    const hits = [
      hit("a.md", legRanks(3, undefined)),
      hit("b.md", legRanks(1, 2)),
      hit("a.md", legRanks(2, 1)),
      hit("c.md", legRanks(undefined, 3)),
    ];
    expect(rankingsOf(hits, [{ path: "a.md" }])).toEqual({
      fused: ["a.md", "b.md", "c.md"],
      lexical: ["b.md", "a.md"],
      vector: ["a.md", "b.md", "c.md"],
    });
  });

  it("hold a section as a unit of its own where it is asked for, and the rest of its document as one", () => {
    const wanted = { path: "a.md", heading: "Setup" };
    const hits = [
      hit("a.md", { heading: "Other", heading_path: ["A", "Other"] }),
      hit("a.md", { heading: "More", heading_path: ["A", "More"] }),
      hit("b.md"),
      hit("a.md", { heading: "Linux", heading_path: ["A", "SETUP", "Linux"] }),
    ];
    expect(fused(hits, wanted)).toEqual(["a.md\n", "b.md", unitOf(wanted)]);
  });

  it("find a section that was joined to the passage of another one", () => {
    const wanted = { path: "a.md", heading: "Two" };
    expect(fused([hit("a.md", { heading: "One", content: "## One\nx\n\n### `Two` ##\ny" })], wanted)).toEqual(
      ["a.md\n"],
    );
    expect(
      fused([hit("a.md", { heading: "One", content: "## One\nx\n\n### ＴＷＯ ##\ny" })], wanted),
    ).toEqual([unitOf(wanted)]);
    expect(fused([hit("a.md", { content: "Two\nnot a heading" })], wanted)).toEqual(["a.md\n"]);
  });

  it("take two Unicode forms of a name for one", () => {
    expect(fused([hit("ガ.md".normalize("NFD"))], { path: "ガ.md" })).toEqual([unitOf({ path: "ガ.md" })]);
  });
});
