import { describe, expect, it } from "@jest/globals";
import { KbError } from "../../../src/core/errors.js";
import { connectClient, textOf } from "../../support/connect-client.js";
import { memoryKnowledgeBase } from "../../support/memory-knowledge-base.js";

const files = { "ops/backup.md": "We back up every night." };

/** What search answers when the knowledge base throws. */
async function searchThatThrows(error: unknown) {
  const kb = memoryKnowledgeBase(files, {
    search() {
      throw error;
    },
  });
  const connected = await connectClient(kb);
  const result = await connected.client.callTool({ name: "search", arguments: { query: "x" } });
  await connected.close();
  return { result, text: textOf(result), log: connected.log.join("\n") };
}

describe("a failed call", () => {
  it("shows code, message and advice, and carries no structured content", async () => {
    const { result, text } = await searchThatThrows(
      new KbError("KB_SEARCH_FILTER", 'date_from "x" is no date'),
    );
    expect(result.isError).toBe(true);
    expect(result).not.toHaveProperty("structuredContent");
    expect(text).toBe('KB_SEARCH_FILTER: date_from "x" is no date.\nCorrect the filter named above.');
  });

  it("shows an error of another copy of kb-mcp, matched by its code", async () => {
    const { text } = await searchThatThrows({ code: "KB_EMBED_FAILED", message: "the model answered 500" });
    expect(text).toMatch(/^KB_EMBED_FAILED: the model answered 500\.\nRun kb-mcp index again/u);
  });

  it("tells a model to rebuild the index, not to type a command", async () => {
    const { text } = await searchThatThrows(new KbError("KB_STORE_EMPTY", "There is no index yet"));
    expect(text).toBe("KB_STORE_EMPTY: There is no index yet.\nCall rebuild_index, then ask again.");
  });

  it("keeps the advice that an error brings itself", async () => {
    const error = new KbError("KB_STORE_EMPTY", "There is no index yet", { hint: "Wait a minute." });
    expect((await searchThatThrows(error)).text).toContain("Wait a minute.");
  });

  it.each([
    ["an unexpected error", new Error("ENOENT: no such file, open '/home/someone/kb/secret.md'")],
    ["a thrown text", "at /home/someone/app.js:1:1"],
    ["a KbError for nobody", new KbError("KB_INTERNAL", "/home/someone/index is gone")],
    ["a TypeError", new TypeError("Cannot read properties of undefined (/home/someone/x.js)")],
  ])("says only that %s was internal; the log has the rest", async (_name, error) => {
    const { result, text, log } = await searchThatThrows(error);
    expect(result.isError).toBe(true);
    expect(text).toMatch(/^KB_INTERNAL: internal error\.\n/u);
    expect(text).not.toMatch(/someone|\.js|\n\s+at /u);
    expect(log).toContain("/home/someone/");
  });

  it("logs the causes of an internal error", async () => {
    const { log } = await searchThatThrows(new Error("outer", { cause: new Error("inner fault") }));
    expect(log).toContain("inner fault");
  });

  it("shows of a start-up error the code and the advice, not the message with its path", async () => {
    const { text, log } = await searchThatThrows(
      new KbError("KB_CONFIG_KB_PATH", "/home/someone/kb is gone"),
    );
    expect(text).toMatch(/^KB_CONFIG_KB_PATH: .*\nGive the path of an existing folder/u);
    expect(text).not.toContain("someone");
    expect(log).toContain("/home/someone/kb");
  });
});

describe("a call of a tool that is not there", () => {
  it.each([
    ["serach", 'Did you mean "search"?'],
    ["getDocument", 'Did you mean "get_document"?'],
    ["list-topics", 'Did you mean "list_topics"?'],
    [
      "make_coffee",
      "The tools are: search, get_document, list_topics, get_connection_graph, get_best_practice, rebuild_index.",
    ],
  ])("%s is answered with: %s", async (name, hint) => {
    const { client, close } = await connectClient(memoryKnowledgeBase(files));
    const result = await client.callTool({ name, arguments: {} });
    await close();
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain(`KB_TOOL_UNKNOWN: There is no tool "${name}".`);
    expect(textOf(result)).toContain(hint);
  });
});

describe("a request that is no valid MCP", () => {
  it.each([
    ["an unknown method", { method: "tools/destroy" }, -32601],
    ["a call without a name", { method: "tools/call", params: {} }, -32602],
    [
      "a call whose arguments are a text",
      { method: "tools/call", params: { name: "search", arguments: "x" } },
      -32602,
    ],
    ["a read without a uri", { method: "resources/read", params: {} }, -32602],
  ])("%s is refused as such", async (_name, request, code) => {
    const { client, close } = await connectClient(memoryKnowledgeBase(files));
    const anything = {
      parse: (value: unknown) => value,
      safeParse: (data: unknown) => ({ success: true, data }),
    };
    await expect(client.request(request as never, anything as never)).rejects.toMatchObject({ code });
    await close();
  });
});
