import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { stringify } from "yaml";
import { parseGolden } from "../../../src/core/eval/parse-golden.js";
import { isKbError } from "../../../src/core/errors.js";

const parse = (text: string) => parseGolden(text, "golden.yml");
/** The message of the refusal. */
function refusal(text: string): string {
  try {
    parse(text);
  } catch (error) {
    if (isKbError(error) && error.code === "KB_EVAL_GOLDEN") return error.message;
    throw error;
  }
  throw new Error("was not refused");
}
const question = (...lines: string[]): string => ["queries:", "  - query: a b", ...lines].join("\n");

describe("a golden file", () => {
  it("is read with everything it may hold", () => {
    const { queries } = parse(
      `# questions
queries:
  - query: "how do I roll back?"
    id: 7
    tag: en
    note: asked in March
    expected:
      - path: ops/rollback.md
      - { path: "guide/更新.md", heading: " 戻し方 " }
    limit: 3
    filters: { topic: ops, tags_any: [a, b], date_from: 2026-01-01, min_quality: 0.5, include_low_quality: true }
  - query: 鍵
    answerable: false
    expected: []
  - { query: silent, answerable: false }
`,
    );
    expect(queries).toEqual([
      {
        query: "how do I roll back?",
        id: "7",
        tag: "en",
        expected: [{ path: "ops/rollback.md" }, { path: "guide/更新.md", heading: "戻し方" }],
        answerable: true,
        limit: 3,
        filters: {
          topic: "ops",
          tags_any: ["a", "b"],
          date_from: "2026-01-01",
          min_quality: 0.5,
          include_low_quality: true,
        },
        line: 3,
      },
      { query: "鍵", answerable: false, expected: [], filters: {}, line: 12 },
      { query: "silent", answerable: false, expected: [], filters: {}, line: 15 },
    ]);
  });

  it.each([
    ["", "golden.yml:1: the file is a mapping, queries: [{ query, expected }]; got nothing"],
    ["- query: a", "golden.yml:1: the file is a mapping, queries: [{ query, expected }]; got a list"],
    ["querys: []", 'golden.yml:1: unknown key "querys"; did you mean queries?'],
    ["queries: []", "golden.yml:1: queries is empty"],
    [
      "queries: {}",
      "golden.yml:1: queries is a list of questions, each with query and expected; got a mapping",
    ],
    [
      "queries:\n  - hello",
      'golden.yml:2: a question is a mapping, { query, expected }; got the text "hello"',
    ],
    ["queries:\n  - expected: [{ path: a.md }]", "golden.yml:2: query is missing"],
    [
      "queries:\n  - query: 0382\n    expected: [{ path: a.md }]",
      'golden.yml:2: query takes a text; got "0382"; put it in quotes',
    ],
    [
      "queries:\n  - query: ''\n    expected: [{ path: a.md }]",
      "golden.yml:2: query takes a text; got nothing",
    ],
    [
      question(),
      "golden.yml:2: expected is missing: name the documents that answer the question, or say answerable: false",
    ],
    [question("    expected: []"), "golden.yml:3: expected is empty"],
    [
      question("    expected: a.md"),
      'golden.yml:3: expected is a list of documents, each with path; got the text "a.md"',
    ],
    [
      question("    expected: [a.md]"),
      "golden.yml:3: an expected document is a mapping, { path: guide/setup.md }",
    ],
    [question("    expected: [{ heading: A }]"), "golden.yml:3: path is missing"],
    [
      question("    expected: [{ path: a.md, heeding: A }]"),
      'golden.yml:3: unknown key "heeding"; did you mean heading?',
    ],
    [question("    expected:", "      - path: ../a.md"), 'golden.yml:4: The path "../a.md" holds ".."'],
    [question("    expected: [{ path: /etc/passwd }]"), "golden.yml:3: The path is absolute"],
    [
      question("    expected: [{ path: a.md }, { path: a.md, heading: B }]"),
      'golden.yml:3: expected names "a.md" both as a whole and by a heading',
    ],
    [
      question("    expect: [{ path: a.md }]", "    expected: [{ path: a.md }]"),
      'golden.yml:3: unknown key "expect"; did you mean expected?',
    ],
    [
      question("    expected: [{ path: a.md }]", "    colour: red"),
      'golden.yml:4: unknown key "colour"; known here: query, expected, ',
    ],
    [
      question("    expected: [{ path: a.md }]", "    answerable: false"),
      "golden.yml:3: expected names documents, but the question says answerable: false",
    ],
    [
      question("    expected: [{ path: a.md }]", "    answerable: maybe"),
      'golden.yml:4: answerable takes true or false; got the text "maybe"',
    ],
    [
      question("    expected: [{ path: a.md }]", "    limit: 101"),
      "golden.yml:4: limit takes a whole number from 1 to 100; got 101",
    ],
    [
      question("    expected: [{ path: a.md }]", "    limit: five"),
      'golden.yml:4: limit takes a number; got the text "five"',
    ],
    [
      question("    expected: [{ path: a.md }]", "    filters: { tpoic: a }"),
      'golden.yml:4: unknown key "tpoic"; did you mean topic?',
    ],
    [
      question("    expected: [{ path: a.md }]", "    filters: { date_from: 2026-02-30 }"),
      'golden.yml:4: date_from: "2026-02-30" is a date that does not exist',
    ],
    [
      question("    expected: [{ path: a.md }]", "    filters: { tags_any: a }"),
      'golden.yml:4: tags_any takes a list of texts; got the text "a"',
    ],
    [
      question("    expected: [{ path: a.md }]", "    expected: [{ path: b.md }]"),
      "golden.yml:4: expected is there twice",
    ],
    [
      question("    expected: [{ path: a.md }]", "    __proto__: { x: 1 }"),
      'golden.yml:4: unknown key "__proto__"',
    ],
    [question("    expected: [{ path: a.md }"), "golden.yml:3: "],
    ["queries: !!js/function 'x'", "golden.yml:1: Unresolved tag"],
    ["a: 1\n---\nqueries: []", "golden.yml:2: Source contains multiple documents"],
  ])("is refused with line and reason: %j", (text, message) => {
    expect(refusal(text)).toContain(message);
  });

  it("is refused for a query that no search takes", () => {
    expect(refusal(`queries:\n  - query: ${"x".repeat(1025)}\n    expected: [{ path: a.md }]`)).toMatch(
      /^golden\.yml:2: .*1025 bytes/u,
    );
  });

  it("tells all of its problems at once, in the order of the file, up to twenty", () => {
    const message = refusal(
      ["queries:", ...Array.from({ length: 30 }, (_, index) => `  - { qery: q${index} }`)].join("\n"),
    );
    const lines = message.split("\n");
    expect(lines[0]).toBe("the golden file has 90 problems:");
    expect(lines).toHaveLength(22);
    expect(lines.at(-1)).toBe("  and 70 more");
    expect(lines[1]).toContain("golden.yml:2: ");
  });

  it("refuses ids that are there twice, naming the first", () => {
    const one = (id: string): string => `  - { id: ${id}, query: a, expected: [{ path: a.md }] }`;
    expect(refusal(["queries:", one("x"), one("y"), one("x")].join("\n"))).toContain(
      'golden.yml:4: the id "x" is that of line 2 already',
    );
  });

  it("may use aliases, but not as a bomb", () => {
    const shared = `queries:\n  - query: a\n    expected: &places [{ path: a.md }]\n`;
    const alias = `  - query: b\n    expected: *places\n`;
    expect(parse(shared + alias).queries[1]?.expected).toEqual([{ path: "a.md" }]);
    expect(refusal(shared + alias.repeat(101))).toContain("more than 100 aliases");
    const bomb = ["a: &a [x, x, x]", "b", "c", "d", "e", "f", "g", "h", "i", "j"].map((name, index) =>
      index === 0 ? name : `${name}: &${name} [${`*${String.fromCharCode(96 + index)}, `.repeat(9)}x]`,
    );
    expect(refusal(`${bomb.join("\n")}\nqueries: *j`)).toContain('unknown key "a"');
    expect(refusal("queries: &q\n  - *q")).toContain("golden.yml:2: a question is a mapping");
  });

  it("is refused without harm however deep it nests", () => {
    expect(refusal(`queries: ${"[".repeat(50_000)}`)).toContain("golden.yml:1: ");
    expect(refusal(`queries: ${"{a: ".repeat(20_000)}`)).toContain("golden.yml:1: ");
  });

  it("ends in a golden set or in a refusal that has lines, whatever the text", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json().map((json) => `queries: ${json}`),
        ),
        (text) => {
          expect(refusal(text)).toMatch(/golden\.yml:\d+: /u);
        },
      ),
    );
  });

  it("keeps any question and any path that it can hold", () => {
    const word = fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }).map((text) => `w ${text}`);
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 5 }), (queries) => {
        const text = stringify({
          queries: queries.map((query) => ({ query, expected: [{ path: "a.md" }] })),
        });
        expect(parse(text).queries.map(({ query }) => query)).toEqual(queries);
      }),
    );
  });

  it("has a fingerprint of what is asked and expected, not of its layout, labels and notes", () => {
    const of = (text: string): string => parse(text).fingerprint;
    const plain = of("queries: [{ query: a, expected: [{ path: a.md }] }]");
    expect(
      of('# c\nqueries:\n  - expected:\n      - path: "a.md"\n    note: n\n    tag: t\n    query: a'),
    ).toBe(plain);
    expect(of("queries: [{ query: b, expected: [{ path: a.md }] }]")).not.toBe(plain);
    expect(of("queries: [{ query: a, expected: [{ path: a.md, heading: A }] }]")).not.toBe(plain);
    expect(of("queries: [{ query: a, expected: [{ path: a.md }], filters: { topic: x } }]")).not.toBe(plain);
  });
});
