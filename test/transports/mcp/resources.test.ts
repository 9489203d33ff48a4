import { describe, expect, it } from "@jest/globals";
import { KbError } from "../../../src/core/errors.js";
import { connectClient } from "../../support/connect-client.js";
import { memoryKnowledgeBase } from "../../support/memory-knowledge-base.js";

const files = {
  "README.md": "# Hello",
  "ops/backup.md": "We back up every night.",
  "ops/メモ.md": "覚え書き",
};

describe("resources", () => {
  it("lists the topic groups, not the documents", async () => {
    const { client, close } = await connectClient(memoryKnowledgeBase(files));
    const { resources, nextCursor } = await client.listResources();
    await close();
    expect(nextCursor).toBeUndefined();
    expect(resources.map(({ uri, name, description }) => [uri, name, description])).toEqual([
      ["kb://topic/", "(top level)", "The list of 1 document in this topic."],
      ["kb://topic/ops", "ops", "The list of 2 documents in this topic."],
    ]);
  });

  it("pages through many topics, each once and in order", async () => {
    const many = Array.from({ length: 250 }, (_, i) => [`t${String(i).padStart(3, "0")}/a.md`, "x"] as const);
    const { client, close } = await connectClient(memoryKnowledgeBase(Object.fromEntries(many)));
    const seen: string[] = [];
    const sizes: number[] = [];
    let cursor: string | undefined;
    do {
      const page = await client.listResources(cursor === undefined ? {} : { cursor });
      seen.push(...page.resources.map(({ name }) => name));
      sizes.push(page.resources.length);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    await close();
    expect(sizes).toEqual([100, 100, 50]);
    expect(seen).toEqual(many.map(([path]) => path.split("/")[0]));
  });

  it("refuses a cursor that it did not give", async () => {
    const { client, close } = await connectClient(memoryKnowledgeBase(files));
    await expect(client.listResources({ cursor: "page 2" })).rejects.toMatchObject({ code: -32602 });
    await close();
  });

  it("reads a document with its media type", async () => {
    const { client, close } = await connectClient(memoryKnowledgeBase(files));
    const uri = "kb://doc/ops/%E3%83%A1%E3%83%A2.md";
    const { contents } = await client.readResource({ uri });
    await close();
    expect(contents).toEqual([{ uri, mimeType: "text/markdown", text: "覚え書き" }]);
  });

  it.each([
    ["KB_READ_NOT_SERVABLE", -32002],
    ["KB_READ_NOT_FOUND", -32002],
    ["KB_STORE_EMPTY", -32002],
    ["KB_READ_URI", -32602],
    ["KB_READ_LINK", -32602],
    ["KB_PARSE_FAILED", -32603],
  ] as const)("answers %s with the code %d, ours, and what to do", async (code, rpcCode) => {
    const kb = memoryKnowledgeBase(files, {
      readResource: () =>
        Promise.reject(new KbError(code, '"a.md" is not there', { hint: "Look elsewhere." })),
    });
    const { client, close } = await connectClient(kb);
    await expect(client.readResource({ uri: "kb://doc/a.md" })).rejects.toMatchObject({
      code: rpcCode,
      message: `MCP error ${rpcCode}: "a.md" is not there. Look elsewhere.`,
      data: { code, hint: "Look elsewhere.", uri: "kb://doc/a.md" },
    });
    await close();
  });

  it("says nothing of the machine when a read fails inside", async () => {
    const kb = memoryKnowledgeBase(files, {
      readResource: () => Promise.reject(new Error("EIO: /home/someone/kb/a.md")),
    });
    const { client, close, log } = await connectClient(kb);
    const read = client.readResource({ uri: "kb://doc/a.md" });
    await expect(read).rejects.toMatchObject({ code: -32603, data: { code: "KB_INTERNAL" } });
    await expect(read).rejects.not.toThrow("someone");
    await close();
    expect(log.join()).toContain("/home/someone/kb/a.md");
  });

  it("has none before the first index run, which is no error", async () => {
    const empty = (): Promise<never> =>
      Promise.reject(new KbError("KB_STORE_EMPTY", "There is no index yet"));
    const { client, close } = await connectClient(
      memoryKnowledgeBase(files, { listResources: empty, completePath: empty }),
    );
    await expect(client.listResources()).resolves.toEqual({ resources: [] });
    await close();
  });
});

describe("the template of documents", () => {
  it("is advertised and its path completes", async () => {
    const { client, close } = await connectClient(memoryKnowledgeBase(files));
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(["kb://doc/{+path}"]);
    const { completion } = await client.complete({
      ref: { type: "ref/resource", uri: resourceTemplates[0]!.uriTemplate },
      argument: { name: "path", value: "ops/" },
    });
    await close();
    expect(completion).toEqual({ values: ["ops/backup.md", "ops/メモ.md"], total: 2, hasMore: false });
  });

  it("completes to at most a hundred paths and says how many there are", async () => {
    const many = Object.fromEntries(Array.from({ length: 120 }, (_, i) => [`${i}.md`, "x"]));
    const { client, close } = await connectClient(memoryKnowledgeBase(many));
    const { completion } = await client.complete({
      ref: { type: "ref/resource", uri: "kb://doc/{+path}" },
      argument: { name: "path", value: "" },
    });
    await close();
    expect(completion).toMatchObject({ total: 120, hasMore: true });
    expect(completion.values.length).toBe(100);
  });

  it.each([
    [{ type: "ref/resource", uri: "kb://other/{x}" } as const, "path"],
    [{ type: "ref/resource", uri: "kb://doc/{+path}" } as const, "title"],
    [{ type: "ref/prompt", name: "nothing" } as const, "path"],
  ])("refuses to complete %j %s", async (ref, name) => {
    const { client, close } = await connectClient(memoryKnowledgeBase(files));
    await expect(client.complete({ ref, argument: { name, value: "" } })).rejects.toMatchObject({
      code: -32602,
    });
    await close();
  });
});
