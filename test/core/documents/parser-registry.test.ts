import { describe, expect, it } from "@jest/globals";
import { createParserRegistry, type RegisteredParser } from "../../../src/core/documents/parser-registry.js";

const parser = (id: string, extensions: string[], owner = "kb-mcp"): RegisteredParser => ({
  id,
  version: "3",
  extensions,
  mediaType: "text/markdown",
  binary: false,
  owner,
  moduleUrl: `file:///plugins/${id}.mjs`,
  options: {},
});

describe("the parser registry", () => {
  const registry = createParserRegistry([parser("md", ["md", "Markdown"]), parser("txt", ["txt"])]);

  it("finds the parser by what follows the last dot, whatever the case", () => {
    expect(registry.forPath("a/b.md")?.id).toBe("md");
    expect(registry.forPath("a.b/C.tar.MARKDOWN")?.id).toBe("md");
    expect(registry.forPath("会議.txt")?.id).toBe("txt");
  });

  it.each(["README", "a.md/file", ".md", "a/.md", "a.", "a.docx", "md", ""])("finds none for %j", (path) => {
    expect(registry.forPath(path)).toBeUndefined();
  });

  it("finds the parser for an extension", () => {
    expect(registry.forExtension("markdown")?.id).toBe("md");
    expect(registry.forExtension("docx")).toBeUndefined();
    expect(registry.forExtension("")).toBeUndefined();
  });

  it("finds a parser by its id, with the label that documents are stored under", () => {
    expect(registry.byId("md")).toMatchObject({ id: "md", label: "md@3", extensions: ["md", "markdown"] });
    expect(registry.byId("toString")).toBeUndefined();
  });

  it("lists its entries and extensions in order", () => {
    expect(registry.entries.map(({ id }) => id)).toEqual(["md", "txt"]);
    expect([...registry.extensions]).toEqual(["md", "markdown", "txt"]);
  });

  it("labels a parser with a hash of its options, whatever the order of their keys", () => {
    const labelWith = (options: unknown) =>
      createParserRegistry([{ ...parser("md", ["md"]), options }]).entries[0]?.label;
    expect([{}, undefined, null].map(labelWith)).toEqual(["md@3", "md@3", "md@3"]);
    const label = labelWith({ a: 1, b: [{ c: 2, d: 3 }] });
    expect(label).toMatch(/^md@3\+[0-9a-f]{8}$/u);
    expect(labelWith({ b: [{ d: 3, c: 2 }], a: 1 })).toBe(label);
    for (const other of [{ a: 1 }, { a: 1, b: [] }, { a: 2, b: [{ c: 2, d: 3 }] }, [1], false])
      expect(labelWith(other)).not.toBe(label);
  });

  it("cannot be changed", () => {
    expect(Object.isFrozen(registry)).toBe(true);
    expect(Object.isFrozen(registry.entries)).toBe(true);
    expect(Object.isFrozen(registry.entries[0])).toBe(true);
    expect(Object.isFrozen(registry.entries[0]?.extensions)).toBe(true);
  });

  it("refuses two parsers of one id and names where both come from", () => {
    const twice = () =>
      createParserRegistry([parser("md", ["md"]), parser("md", ["org"], "kb-mcp-parser-other 2.0.0")]);
    expect(twice).toThrow(
      expect.objectContaining({
        code: "KB_PLUGIN_DUPLICATE_ID",
        message: 'Two plugins offer a parser "md": kb-mcp and kb-mcp-parser-other 2.0.0',
      }),
    );
  });

  it("refuses two parsers for one extension and names both", () => {
    const twice = () => createParserRegistry([parser("md", ["md"]), parser("org", ["org", "MD"])]);
    expect(twice).toThrow(
      expect.objectContaining({
        code: "KB_PLUGIN_DUPLICATE_EXTENSION",
        message: 'The parsers "md" (kb-mcp) and "org" (kb-mcp) both claim .md files',
      }),
    );
  });
});
