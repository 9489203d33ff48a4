import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { defaults } from "../src/options.js";
import { parseOrg } from "../src/parse-org.js";

const read = (name) => readFileSync(join(import.meta.dirname, "samples", name), "utf8");
const parse = (text, options = {}) => parseOrg(text, { ...defaults, ...options });
const outline = (text, options) =>
  parse(text, options).sections.map(({ level, heading }) =>
    [level, heading].filter((each) => each !== undefined),
  );

describe("an Org file in English", () => {
  const document = parse(read("garden-journal.org"));

  it("says its title, date, category and tags under the names that kb-mcp uses", () => {
    assert.equal(document.title, "Garden journal");
    assert.deepEqual(document.frontmatter, {
      title: "Garden journal",
      date: "2026-04-11",
      author: "The gardeners",
      category: "journal",
      tags: ["garden", "spring", "houseplants"],
    });
  });

  it("has a section for each heading, without keywords, priority, progress, marks and tags", () => {
    assert.deepEqual(
      document.sections.map(({ level, heading = "" }) => [level, heading]),
      [
        [0, ""],
        [2, "Repot the Ficus"],
        [3, "Order a larger pot"],
        [2, "Sowing calendar"],
        [6, "Eight stars deep"],
        [2, "Ideas not for print"],
      ],
    );
  });

  it("keeps the file's own text and lines", () => {
    assert.equal(document.text, read("garden-journal.org"));
    const [intro, repot] = document.sections;
    assert.deepEqual([intro.startLine, intro.endLine], [10, 10]);
    assert.deepEqual([repot.startLine, repot.endLine], [12, 17]);
    assert.match(repot.text, /^\* DONE \[#A\] Repot .*:houseplants:\nCLOSED:/);
  });
});

describe("an Org file in Japanese", () => {
  const document = parse(read("会議メモ.org"));

  it("says its title, date and tags, and what its property drawer holds", () => {
    assert.equal(document.title, "温室の定例会議");
    assert.deepEqual(document.frontmatter, {
      id: "7d0a4c8e-2f31-4a57-9d55-0c9f4a3c1b22",
      roam_aliases: "定例会",
      title: "温室の定例会議",
      date: "2026-04-11",
      language: "ja",
      tags: ["会議", "温室", "灌水"],
    });
  });

  it("has a section for each heading", () => {
    assert.deepEqual(outline(read("会議メモ.org")), [
      [2, "灌水の見直し"],
      [3, "タイマーの設定を変える"],
      [2, "次回"],
    ]);
  });
});

describe("what is a heading", () => {
  it("is a line that begins with stars and a blank, and nothing else", () => {
    assert.deepEqual(outline("* a\n*b*\n *** c\n**\n*\td\n*e"), [
      [1, "a"],
      [1, "d"],
    ]);
  });

  it("is not a line in a block; a block without an end is none", () => {
    assert.deepEqual(outline("#+BEGIN_QUOTE\n* a\n#+END_QUOTE\n* b\n"), [[0], [1, "b"]]);
    const { sections, warnings } = parse("#+BEGIN_SRC sh\n* a\n#+BEGIN_SRC sh\n* b\n#+END_SRC\n* c\n");
    assert.deepEqual(
      sections.map(({ heading }) => heading),
      [undefined, "a", "c"],
    );
    assert.deepEqual(warnings, ["line 1: #+BEGIN_SRC has no end"]);
  });

  it("has tags at its end alone, of words between colons", () => {
    assert.deepEqual(parse("* a :b:c: d\n* e: f :g@h:日本:\n").frontmatter.tags, ["g@h", "日本"]);
    assert.deepEqual(outline("* a :b:c: d\n* e: f :g@h:日本:\n* :i:\n"), [
      [1, "a :b:c: d"],
      [1, "e: f"],
      [1, ""],
    ]);
  });

  it("is its own text where it only looks like marks", () => {
    assert.deepEqual(outline("* TODOs for 2 * 3 = 6, a=b, /usr/bin/\n"), [
      [1, "TODOs for 2 * 3 = 6, a=b, /usr/bin/"],
    ]);
  });
});

describe("metadata", () => {
  it("takes the only top heading for the title where there is no #+TITLE, and none of several", () => {
    assert.equal(parse("* One\n** Two\n").title, "One");
    assert.equal(parse("* One\n* Two\n").title, undefined);
  });

  it("joins a title of two lines, and finds one below the text", () => {
    assert.equal(parse("#+title: Winter\n#+title: garden\n").title, "Winter garden");
    assert.equal(parse("Text\n#+TITLE: Late\n").title, "Late");
  });

  it("leaves captions and names to the text", () => {
    const { sections, frontmatter } = parse("#+TITLE: T\n\n#+CAPTION: A table\n| a |\n");
    assert.deepEqual([frontmatter, sections[0]?.startLine], [{ title: "T" }, 3]);
  });

  it("keeps a date that it does not understand as it is, and warns", () => {
    const { frontmatter, warnings } = parse("#+DATE: last spring\n");
    assert.equal(frontmatter.date, "last spring");
    assert.deepEqual(warnings, ['line 1: "last spring" is no date']);
  });

  it("survives names that mean something to JavaScript", () => {
    const { frontmatter } = parse("#+__PROTO__: x\n#+CONSTRUCTOR: y\n");
    assert.equal(Object.getPrototypeOf(frontmatter), Object.prototype);
    assert.equal(frontmatter.constructor, "y");
  });
});

describe("options", () => {
  it("take other TODO keywords, beside those of the file", () => {
    const text = "#+TODO: IDEA | DROPPED(d)\n* LATER a\n* IDEA b\n* DROPPED c\n* TODO d\n";
    assert.deepEqual(outline(text, { todoKeywords: ["LATER"] }), [
      [1, "a"],
      [1, "b"],
      [1, "c"],
      [1, "TODO d"],
    ]);
  });

  it("leave the tags of headings out", () => {
    const text = "#+FILETAGS: :a:\n* Heading :b:\n";
    assert.deepEqual(parse(text, { headingTags: false }).frontmatter.tags, ["a"]);
  });
});
