import { describe, expect, it } from "@jest/globals";
import type { ResourceChange } from "../../../src/core/documents/document-reply.js";
import { topicOf } from "../../../src/core/documents/document-path.js";
import { createResourceChanges } from "../../../src/core/documents/resource-changes.js";
import type { ServableDocument } from "../../../src/core/documents/servable-set.js";
import { createLogger } from "../../../src/core/logger.js";

const logger = createLogger("error", () => undefined);
const documents = (...paths: string[]): ServableDocument[] =>
  paths.sort().map((path) => ({ path, pathKey: path, title: path, topic: topicOf(path) }));

function feed(...paths: string[]) {
  const heard: { updated: string[]; listChanged: boolean }[] = [];
  const state = { offered: documents(...paths), looks: 0 };
  const changes = createResourceChanges(() => {
    state.looks++;
    return Promise.resolve(state.offered);
  }, logger);
  const listener = ({ updated, listChanged }: ResourceChange): void => {
    heard.push({ updated: [...updated].sort(), listChanged });
  };
  return { changes, heard, state, listener };
}

describe("the feed of resource changes", () => {
  it("tells of all that was committed at once, in one change", async () => {
    const { changes, heard, listener } = feed("a/x.md", "a/y.md");
    changes.listen(listener);
    await changes.prepare();
    for (let time = 0; time < 1000; time++) changes.commit([time % 2 === 0 ? "a/x.md" : "a/y.md"]);
    await changes.flush();
    expect(heard).toEqual([{ updated: ["kb://doc/a/x.md", "kb://doc/a/y.md"], listChanged: false }]);
  });

  it("tells of topics whose body changed, and of the list only when a topic came or went", async () => {
    const { changes, heard, state, listener } = feed("a/x.md");
    changes.listen(listener);
    await changes.prepare();
    state.offered = documents("a/x.md", "a/y.md");
    changes.commit(["a/y.md"]);
    await changes.flush();
    state.offered = documents("a/b/z.md", "a/x.md", "a/y.md");
    changes.commit(["a/b/z.md"]);
    await changes.flush();
    state.offered = documents("a/x.md", "a/y.md");
    changes.commit(["a/b/z.md"]);
    await changes.flush();
    expect(heard).toEqual([
      { updated: ["kb://doc/a/y.md", "kb://topic/a"], listChanged: false },
      { updated: ["kb://doc/a/b/z.md", "kb://topic/a", "kb://topic/a/b"], listChanged: true },
      { updated: ["kb://doc/a/b/z.md", "kb://topic/a", "kb://topic/a/b"], listChanged: true },
    ]);
  });

  it("tells of a new title in the topic's body", async () => {
    const { changes, heard, state, listener } = feed("a/x.md");
    changes.listen(listener);
    await changes.prepare();
    state.offered = documents("a/x.md").map((document) => ({ ...document, title: "New" }));
    changes.commit(["a/x.md"]);
    await changes.flush();
    expect(heard).toEqual([{ updated: ["kb://doc/a/x.md", "kb://topic/a"], listChanged: false }]);
  });

  it("looks at nothing while nobody listens", async () => {
    const { changes, heard, state, listener } = feed("a/x.md");
    await changes.prepare();
    changes.commit(["a/x.md"]);
    await changes.flush();
    const stop = changes.listen(listener);
    stop();
    changes.commit(["a/x.md"]);
    await changes.flush();
    expect(state.looks).toBe(0);
    expect(heard).toEqual([]);
  });

  it("tells a little later by itself, and nothing after it was closed", async () => {
    const { changes, heard, listener } = feed("a/x.md");
    const told = new Promise<void>((resolve) => changes.listen(() => resolve()));
    changes.listen(listener);
    await changes.prepare();
    changes.commit(["a/x.md"]);
    await told;
    expect(heard).toHaveLength(1);
    changes.commit(["a/x.md"]);
    await changes.close();
    await changes.flush();
    expect(heard).toHaveLength(1);
  });
});
