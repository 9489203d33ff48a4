import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { parseDocumentPath } from "../../../src/core/documents/document-path.js";
import { documentUri, parseKbUri, topicUri } from "../../../src/core/documents/document-uri.js";

const code = (uri: string): unknown => {
  try {
    return parseKbUri(uri);
  } catch (error) {
    return (error as { code: string }).code;
  }
};

/** Any Unicode, weighted towards characters that mean something in a URI or a path. */
const segment = fc
  .array(
    fc.oneof(
      fc.constantFrom(...Array.from("%?#[]@!$&'()*+,;=:~-._ \\\"<>^`{|}")),
      fc.string({ unit: "binary", maxLength: 3 }),
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((pieces) => pieces.join("").replaceAll("/", "-"));
const path = fc.array(segment, { minLength: 1, maxLength: 4 }).map((segments) => segments.join("/"));

const isPath = (raw: string): boolean => {
  try {
    return parseDocumentPath(raw) === raw;
  } catch {
    return false;
  }
};

describe("a document's URI", () => {
  it("keeps / and unreserved characters and percent-encodes the rest as UTF-8", () => {
    expect(documentUri("guide/a-b_c.d~e.md")).toBe("kb://doc/guide/a-b_c.d~e.md");
    expect(documentUri("100% (a)!'*#?&.md")).toBe("kb://doc/100%25%20%28a%29%21%27%2A%23%3F%26.md");
    expect(documentUri("日/é.md")).toBe("kb://doc/%E6%97%A5/%C3%A9.md");
  });

  it("leads back to its path, for every path there is", () => {
    let checked = 0;
    fc.assert(
      fc.property(path.filter(isPath), (raw) => {
        const uri = documentUri(raw);
        expect(uri).toMatch(/^kb:\/\/doc\/(?:[A-Za-z0-9\-._~/]|%[0-9A-F]{2})+$/);
        expect(parseKbUri(uri)).toEqual({ kind: "document", path: raw });
        checked++;
      }),
      { numRuns: 3000 },
    );
    expect(checked).toBe(3000);
  });

  it("leads back to its path for every character there is", () => {
    for (let first = 0; first <= 0x10ffff; first += 256) {
      const points = Array.from({ length: 256 }, (_, offset) => first + offset);
      const allowed = points.filter(
        (point) => point !== 0 && point !== 0x5c && (point < 0xd800 || point > 0xdfff),
      );
      const raw = `a ${String.fromCodePoint(...allowed)}.md`;
      expect(parseKbUri(documentUri(raw))).toEqual({ kind: "document", path: raw });
    }
  });

  it("is refused for a lone surrogate", () => {
    for (const make of [documentUri, topicUri])
      expect(() => make("a\udc00.md")).toThrow(expect.objectContaining({ code: "KB_READ_URI" }));
  });
});

describe("reading a URI", () => {
  it("decodes once, and before the path is checked", () => {
    expect(code("kb://doc/a%2Fb.md")).toEqual({ kind: "document", path: "a/b.md" });
    expect(code("kb://doc/%252e%252e/a.md")).toEqual({ kind: "document", path: "%2e%2e/a.md" });
    expect(code("kb://doc/%2e%2e/a.md")).toBe("KB_READ_OUTSIDE");
    expect(code("kb://doc/a%2f..%2fb.md")).toBe("KB_READ_OUTSIDE");
    expect(code("kb://doc/%2Fetc/passwd")).toBe("KB_READ_OUTSIDE");
    expect(code("kb://doc//etc/passwd")).toBe("KB_READ_OUTSIDE");
    expect(code("kb://doc/%5C%5Cserver%5Ca.md")).toBe("KB_READ_OUTSIDE");
    expect(code("kb://doc/a%00.md")).toBe("KB_READ_PATH");
    expect(code("kb://doc/")).toBe("KB_READ_PATH");
  });

  it("takes characters that a client left unencoded, and a scheme in capitals", () => {
    expect(code("kb://doc/日本 語.md")).toEqual({ kind: "document", path: "日本 語.md" });
    expect(code("KB://Doc/A.md")).toEqual({ kind: "document", path: "A.md" });
  });

  it("knows topics, the root group among them", () => {
    expect(topicUri("")).toBe("kb://topic/");
    expect(code("kb://topic/")).toEqual({ kind: "topic", prefix: "" });
    expect(code(topicUri("運用/手順 書"))).toEqual({ kind: "topic", prefix: "運用/手順 書" });
    expect(code("kb://topic/%2e%2e")).toBe("KB_READ_OUTSIDE");
    expect(code("kb://topic/ops/")).toBe("KB_READ_PATH");
  });

  it.each([
    "",
    "a.md",
    "kb:a.md",
    "kb://",
    "kb://doc",
    "kb://document/a.md",
    "file:///a.md",
    "http://doc/a.md",
    "kb://doc/a.md?x=1",
    "kb://doc/a.md#x",
    "kb://user@doc/a.md",
    "kb://doc:1/a.md",
    " kb://doc/a.md",
    "kb://doc/%",
    "kb://doc/%zz.md",
    "kb://doc/%c0%ae.md",
    "kb://doc/%ed%a0%80.md",
    "kb://doc/%ff",
  ])("refuses what is malformed: %j", (uri) => expect(code(uri)).toBe("KB_READ_URI"));
});
