import { describe, expect, it } from "@jest/globals";
import plugin from "../../../src/plugins/parsers/txt/index.js";
import { parseText } from "../../support/parse-text.js";

describe("the txt parser", () => {
  it("makes one section of the written lines, without a title", async () => {
    const text = "\r\n# not a heading\r\n\r\n---\rlast\n\n";
    expect(await parseText(plugin, text)).toEqual({
      frontmatter: {},
      sections: [{ level: 0, text: "# not a heading\n\n---\nlast", startLine: 2, endLine: 5 }],
      text,
    });
  });

  it("makes none of a blank file", async () => {
    expect(await parseText(plugin, "")).toEqual({ frontmatter: {}, sections: [], text: "" });
    expect((await parseText(plugin, " \n\t\n")).sections).toEqual([]);
  });

  it("reads .txt and .text files as plain text", () => {
    expect(plugin.parsers?.[0]).toMatchObject({
      id: "txt",
      extensions: ["txt", "text"],
      mediaType: "text/plain",
      binary: false,
    });
  });
});
