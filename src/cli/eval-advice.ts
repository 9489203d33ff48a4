// What to do about a missed answer, by where it was.
import type { Miss, MissedTarget } from "../core/index.js";

/** One or two sentences. */
export function adviceFor({ reason, ranks, nearest }: MissedTarget, { limit, mode }: Miss): string {
  const meant = nearest === undefined ? "" : `; did you mean ${JSON.stringify(nearest)}?`;
  switch (reason) {
    case "not_indexed":
      return meant === ""
        ? "Correct the path in the golden file, or see why the file is not indexed: kb-mcp index names what it skips."
        : `Correct the path in the golden file${meant}`;
    case "no_such_heading":
      return `Correct the heading in the golden file${meant === "" ? "." : meant}`;
    case "hidden":
      return "All of its passages are below [quality_filter].threshold: write more into it, or lower the threshold.";
    case "not_found":
      return mode === "lexical"
        ? "It shares no telling word with the question, and the embedder cannot read the question: add words that people ask with, or choose an embedder that reads the language."
        : "Neither its words nor its meaning are near the question: add words that people ask with.";
    case "outranked": {
      const isEarly = (rank: number | undefined): boolean => rank !== undefined && rank <= limit;
      const measured = "and measure again with --across settings";
      if (isEarly(ranks.lexical))
        return `Words alone find it: try a lower [search].vector_weight, ${measured}.`;
      if (isEarly(ranks.vector))
        return `Meaning alone finds it: try a higher [search].vector_weight, ${measured}.`;
      if (mode === "lexical")
        return "The vector leg stood aside, so words decide: add words that people ask with, best to its title or a heading, or choose an embedder that reads the language.";
      return "Others share more with the question: add words that people ask with, best to its title or a heading.";
    }
  }
}
