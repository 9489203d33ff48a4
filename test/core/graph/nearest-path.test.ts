import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { nearestPath } from "../../../src/core/graph/nearest-path.js";
import { fold } from "../../../src/core/text/fold.js";

const { signal } = new AbortController();

async function near(wrong: string, paths: readonly string[]): Promise<string | undefined> {
  const known = paths.map((path) => ({ path, pathKey: fold(path) }));
  return (await nearestPath(wrong, known, signal)).path;
}

describe("the path that was probably meant", () => {
  it.each([
    ["gardn/moss.md", ["archive/moss.md", "garden/moss.md"], "garden/moss.md"],
    ["garden/mos.md", ["archive/moss.md", "garden/moss.md"], "garden/moss.md"],
    ["moss.md", ["garden/moss.md", "archive/moss.md"], "archive/moss.md"],
    // The name alone is too short to tell.
    ["garden/ab.md", ["garden/xyzwv.txt", "gardens/cd.md"], "gardens/cd.md"],
    ["garden/moss.md", ["town/canal.md"], undefined],
  ])("for %s among %j is %s", async (wrong, paths, expected) => {
    expect(await near(wrong, paths)).toBe(expected);
  });

  it("does not depend on the order of the index", async () => {
    const path = fc
      .array(fc.constantFrom("moss", "mos", "fern", "a", "b"), { minLength: 1, maxLength: 3 })
      .map((parts) => `${parts.join("/")}.md`);
    await fc.assert(
      fc.asyncProperty(path, fc.uniqueArray(path, { maxLength: 8 }), async (wrong, paths) => {
        const other = [...paths].sort().reverse();
        expect(await near(wrong, paths)).toBe(await near(wrong, other));
      }),
    );
  });

  const many = Array.from({ length: 30_000 }, (_, index) => ({
    path: `area-${index % 20}/team-${index % 7}/note-${index}-of-the-meeting.md`,
    pathKey: `area-${index % 20}/team-${index % 7}/note-${index}-of-the-meeting.md`,
  }));

  it("leaves the event loop its turns among many paths, and ends when it is cancelled", async () => {
    let turns = 0;
    let next: NodeJS.Immediate;
    const turn = (): void => {
      turns++;
      next = setImmediate(turn);
    };
    next = setImmediate(turn);
    expect((await nearestPath("area-1/team-1/nota-2-of-the-meetin.md", many, signal)).path).toMatch(
      /note-\d+-of/u,
    );
    clearImmediate(next);
    expect(turns).toBeGreaterThan(10);

    const controller = new AbortController();
    setImmediate(() => controller.abort());
    await expect(nearestPath("area-1/x.md", many, controller.signal)).rejects.toMatchObject({
      code: "KB_CANCELLED",
    });
  });
});
