import { describe, expect, it } from "@jest/globals";
import { analyseChunk } from "../../../../src/core/search/analyser/analyse-chunk.js";
import { analyserVersion } from "../../../../src/core/search/analyser/analyser-version.js";
import { embeddingText } from "../../../../src/core/search/analyser/embedding-text.js";

const chunk = {
  path: "ops/Deploy-Rollback.ja.md",
  title: "Deployment",
  headingPath: ["Rolling back", "手順"],
  content: "Restore snapshot_id 直前の安定版",
  tags: ["和食", "On-Call"],
};

describe("analyseChunk", () => {
  const terms = analyseChunk(chunk);

  it("indexes the title, the headings and the content as text, the path not", () => {
    expect(terms.text).toEqual(expect.arrayContaining(["deploy", "roll", "手順", "restor", "直前"]));
    expect(terms.text).not.toContain("rollback");
  });

  it("indexes path, title, headings and tags as title", () => {
    expect(terms.title).toEqual(
      expect.arrayContaining(["op", "deploy", "rollback", "手順", "和食", "on-call"]),
    );
    expect(terms.text).not.toContain("和食");
    expect(terms.title).toContain("deploy-rollback.ja.md");
    expect(terms.title).not.toContain("restor");
  });

  it("puts the wholes of identifiers behind all words", () => {
    expect(terms.text.at(-1)).toBe("snapshot_id");
  });

  it("indexes pairs of CJK characters", () => {
    expect(terms.bigrams).toEqual(expect.arrayContaining(["手順", "直前", "前の", "安定", "定版"]));
  });

  it("has a version", () => {
    expect(analyserVersion).toBe("2");
  });
});

describe("embeddingText", () => {
  it("precedes the content by the title and the headings, never by the path", () => {
    const { title, headingPath, content } = chunk;
    expect(embeddingText({ title, headingPath, content })).toBe(
      "Deployment > Rolling back > 手順\nRestore snapshot_id 直前の安定版",
    );
    expect(embeddingText(chunk)).not.toContain("Deploy-Rollback");
  });

  it("names a title once that is also the first heading", () => {
    expect(embeddingText({ title: "A", headingPath: ["A", "B"], content: "x" })).toBe("A > B\nx");
  });

  it("is the content alone without title and headings", () => {
    expect(embeddingText({ headingPath: [], content: "x" })).toBe("x");
  });
});
