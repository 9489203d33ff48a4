import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { fillTemplate, knownTargets, templateFlaw } from "../../../src/core/documents/path-template.js";

describe("a path template", () => {
  it.each([
    ["best/{target}/PERFECT.md", undefined],
    ["{target}.md", undefined],
    ["{target}/{target}.md", undefined],
    ["best/PERFECT.md", "needs {target} where the name goes"],
    ["best/{name}.md", "needs {target} where the name goes"],
    ["best/{target}/{name}.md", "knows no other placeholder than {target}"],
    ["/best/{target}.md", "is a path inside the knowledge base, relative and with /"],
    ["../{target}.md", "is a path inside the knowledge base, relative and with /"],
    ["best\\{target}.md", "is a path inside the knowledge base, relative and with /"],
  ])("%s: %s", (template, flaw) => {
    expect(templateFlaw(template)).toBe(flaw);
  });

  it("takes a target as text, never as a pattern", () => {
    expect(fillTemplate("a/{target}/{target}.md", "$&$1")).toBe("a/$&$1/$&$1.md");
    expect(fillTemplate("{target}.md", "{target}")).toBe("{target}.md");
  });

  it("finds the targets that have a file", () => {
    const paths = ["best/go/PERFECT.md", "best/c++/PERFECT.md", "best/a/b/PERFECT.md", "x/x.md", "x/y.md"];
    expect(knownTargets(["best/{target}/PERFECT.md"], paths)).toEqual(["c++", "go"]);
    expect(knownTargets(["{target}/{target}.md"], paths)).toEqual(["x"]);
    expect(knownTargets(["none/{target}.md"], paths)).toEqual([]);
  });

  it("finds every target again that was filled in", () => {
    const name = fc.string({ minLength: 1 }).filter((text) => !text.includes("/"));
    fc.assert(
      fc.property(
        name,
        fc.constantFrom("a.b/{target}/x.md", "{target}.md", "p/{target}/{target}"),
        (target, template) => {
          expect(knownTargets([template], [fillTemplate(template, target)])).toEqual([target]);
        },
      ),
    );
  });
});
