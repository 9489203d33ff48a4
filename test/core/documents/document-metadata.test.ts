import { describe, expect, it } from "@jest/globals";
import { describeDocument } from "../../../src/core/documents/document-metadata.js";
import type { JsonValue } from "../../../src/core/plugin-api.js";

const describeWith = (
  frontmatter: { [key: string]: JsonValue } = {},
  path = "ops/runbooks/backup.md",
  title?: string,
) => describeDocument(path, { frontmatter, sections: [], text: "", ...(title !== undefined && { title }) });

describe("a document's title", () => {
  it("is its own, else the file's name without the extension", () => {
    expect(describeWith({}, "a/b.c.md", "Own").title).toBe("Own");
    expect(describeWith({}, "a/b.c.md").title).toBe("b.c");
    expect(describeWith({}, "会議.md", " ").title).toBe("会議");
  });
});

describe("category and topic", () => {
  it("come from the first directories", () => {
    expect(describeWith({}, "Ops/Runbooks/db/a.md")).toMatchObject({
      category: "Ops",
      categoryKey: "ops",
      topic: "Ops/Runbooks",
      topicKey: "ops/runbooks",
      pathKey: "ops/runbooks/db/a.md",
    });
    expect(describeWith({}, "ops/a.md")).toMatchObject({ category: "ops", topic: "ops" });
  });

  it("are absent and empty in the root", () => {
    const root = describeWith({}, "a.md");
    expect(root).not.toHaveProperty("category");
    expect(root).not.toHaveProperty("categoryKey");
    expect(root.topic).toBe("");
  });

  it("a category in the metadata counts for more than a directory", () => {
    expect(describeWith({ category: " Ｈow-To " })).toMatchObject({
      category: "Ｈow-To",
      categoryKey: "how-to",
    });
    expect(describeWith({ category: 2024 }).category).toBe("2024");
    expect(describeWith({ category: "" }).category).toBe("ops");
    expect(describeWith({ category: ["a"] }).category).toBe("ops");
  });
});

describe("a document's date", () => {
  it.each([
    ["2024-01-05", "2024-01-05"],
    ["2024/1/5", "2024-01-05"],
    ["2024.01.05", "2024-01-05"],
    ["2024年1月5日", "2024-01-05"],
    ["２０２４年１月５日", "2024-01-05"],
    ["2024年1月5日(金)", "2024-01-05"],
    ["2024-01-05T23:59:59Z", "2024-01-05"],
    ["2024-01-05T00:30:00+09:00", "2024-01-05"],
    ["2024-01-05 10:00", "2024-01-05"],
    ["[[2024-01-05]]", "2024-01-05"],
    ["2024-02-29", "2024-02-29"],
  ])("%s is %s", (written, date) => {
    expect(describeWith({ date: written }).date).toBe(date);
  });

  it.each([
    "2023-02-29",
    "2024-13-01",
    "2024-00-10",
    "2024-01-00",
    "2024-1/5",
    "05.01.2024",
    "<% tp.date.now() %>",
    "soon",
    "",
    2024,
    20240105,
    null,
    ["2024-01-05"],
  ])("%j is none", (written) => {
    expect(describeWith({ date: written })).not.toHaveProperty("date");
  });

  it("is the first of date, updated and created that is one", () => {
    expect(describeWith({ created: "2020-01-01", updated: "2021-01-01" }).date).toBe("2021-01-01");
    expect(describeWith({ created: "2020-01-01", date: "someday" }).date).toBe("2020-01-01");
  });
});

describe("tags", () => {
  it.each<[JsonValue, string[]]>([
    ["ops", ["ops"]],
    ["ops backup", ["ops", "backup"]],
    ["ops, disaster recovery", ["ops", "disaster recovery"]],
    ["運用、障害", ["運用", "障害"]],
    ["#ops #backup", ["ops", "backup"]],
    ["[#ops, #backup]", ["ops", "backup"]],
    [
      ["ops", "disaster recovery"],
      ["ops", "disaster recovery"],
    ],
    [
      ["#ops", "＃障害", "'quoted'"],
      ["ops", "障害", "quoted"],
    ],
    [
      ["#a #b", "c, d"],
      ["a", "b", "c", "d"],
    ],
    [
      [["a"], "b"],
      ["a", "b"],
    ],
    [["[[note]]"], ["note"]],
    ["[[note]]", ["note"]],
    [
      ["project/alpha", "a/"],
      ["project/alpha", "a"],
    ],
    [
      [2024, true],
      ["2024", "true"],
    ],
    [2024, ["2024"]],
    [["a", "A", "Ａ", "#a"], ["a"]],
    ["a\nb", ["a", "b"]],
    [null, []],
    ["", []],
    [["", "#", " "], []],
    [{ a: 1 }, []],
  ])("%j are %j", (written, tags) => {
    expect(describeWith({ tags: written }).tags).toEqual(tags);
  });

  it("are joined from tags and tag, but not from keywords", () => {
    expect(describeWith({ tag: "b", tags: ["a"], keywords: "c" }).tags).toEqual(["a", "b"]);
  });

  it("are found under the tags above them, whatever their case and width", () => {
    expect(describeWith({ tags: ["Project/Ａlpha/x", "project"] }).tagKeys).toEqual([
      "project/alpha/x",
      "project/alpha",
      "project",
    ]);
  });
});

describe("metadata", () => {
  it("is never read from a prototype", () => {
    const inherited = Object.create({ category: "x", tags: "y", date: "2024-01-01" }) as {
      [key: string]: JsonValue;
    };
    expect(describeWith(inherited, "a.md")).toEqual({
      title: "a",
      topic: "",
      topicKey: "",
      tags: [],
      tagKeys: [],
      pathKey: "a.md",
    });
  });
});
