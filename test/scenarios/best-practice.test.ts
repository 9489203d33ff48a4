// get_best_practice over real files: which file is found, which section is cut out, what is refused.
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { KnowledgeBase } from "../../src/core/index.js";
import { openKnowledgeBase } from "../../src/index.js";
import { connectClient, textOf, type ConnectedClient } from "../support/connect-client.js";
import { writeTree } from "../support/temporary-folder.js";

const practice = `# TypeScript

How we write it.

## Error handling

Throw typed errors.

### Causes

Keep the cause.

## 命名 規則

キャメルケース。

## Error handling

Again.
`;

let folder: string;
let kb: KnowledgeBase;
let connected: ConnectedClient;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "kb-mcp-practice-"));
  await writeTree(folder, {
    "outside/secret.md": "# Secret\n",
    "notes/best/typescript/PERFECT.md": practice,
    "notes/more/typescript.md": "# Shadowed\n",
    "notes/more/flat.md": "No sections here.\n",
    "notes/drafts/hidden.md": "# Hidden\n",
    "notes/.kb-mcpignore": "drafts/\n",
  });
  await symlink(join(folder, "outside/secret.md"), join(folder, "notes/more/link.md"));
  await writeFile(
    join(folder, "kb-mcp.toml"),
    `kb_path = "notes"
[best_practice]
path_templates = ["best/{target}/PERFECT.md", "more/{target}.md", "drafts/{target}.md"]
`,
  );
  process.env["KB_MCP_DATA_DIR"] = join(folder, "data");
  kb = await openKnowledgeBase({ configFile: join(folder, "kb-mcp.toml") });
  await kb.index();
  connected = await connectClient(kb);
});

afterAll(async () => {
  await connected.close();
  await kb.close();
  delete process.env["KB_MCP_DATA_DIR"];
  await rm(folder, { recursive: true });
});

const read = (args: Record<string, unknown>) =>
  connected.client.callTool({ name: "get_best_practice", arguments: args });
const refusal = async (args: Record<string, unknown>): Promise<string> => {
  const result = await read(args);
  expect(result).toMatchObject({ isError: true });
  expect(result).not.toHaveProperty("structuredContent");
  return textOf(result);
};

describe("get_best_practice", () => {
  it("takes the first template that has a file, whole, with the names of its sections", async () => {
    expect((await read({ target: "typescript" })).structuredContent).toEqual({
      target: "typescript",
      path: "best/typescript/PERFECT.md",
      title: "TypeScript",
      media_type: "text/markdown",
      categories: ["Error handling", "命名 規則", "Error handling"],
      truncated: false,
      notes: [],
      text: practice,
    });
    expect((await read({ target: "flat" })).structuredContent).toMatchObject({ path: "more/flat.md" });
  });

  it("cuts one section out, with what stands below it, and the lines where it stands", async () => {
    const { structuredContent } = await read({ target: "typescript", category: "error HANDLING" });
    expect(structuredContent).toMatchObject({ category: "Error handling", start_line: 5 });
    const { text, end_line, notes } = structuredContent as {
      text: string;
      end_line: number;
      notes: string[];
    };
    expect(text.trimEnd().split("\n")).toEqual(practice.split("\n").slice(4, 11));
    expect(practice.split("\n").slice(4, end_line).join("\n").trimEnd()).toBe(text.trimEnd());
    expect(notes.join()).toContain("2 sections have this name");
    const japanese = await read({ target: "typescript", category: "命名　規則" });
    expect((japanese.structuredContent as { text: string }).text).toContain("キャメルケース。");
  });

  it("finds a target that is spelled in another case", async () => {
    expect((await read({ target: "TypeScript" })).structuredContent).toMatchObject({
      target: "typescript",
      path: "best/typescript/PERFECT.md",
    });
  });

  it("serves a file that is kept out of the index", async () => {
    expect((await read({ target: "hidden" })).structuredContent).toMatchObject({ path: "drafts/hidden.md" });
  });

  it("names what there is when nothing fits", async () => {
    expect(await refusal({ target: "typscript" })).toMatch(
      /^KB_PRACTICE_NOT_FOUND: .*best\/typscript\/PERFECT\.md.*\nDid you mean .*typescript/u,
    );
    expect(await refusal({ target: "typescript", category: "Eror handling" })).toMatch(
      /^KB_PRACTICE_CATEGORY: .*\nDid you mean .*Error handling.*命名 規則/u,
    );
    expect(await refusal({ target: "flat", category: "x" })).toContain("leave category out");
  });

  it.each(["../best", "a/b", "a\\b", "..", ".", "C:x", "nul", "a\u0000b", "x".repeat(256), "/etc/passwd"])(
    "refuses the target %j",
    async (target) => {
      expect(await refusal({ target })).toMatch(/^KB_PRACTICE_TARGET: /u);
    },
  );

  it("reads nothing that the read guard refuses, and says so instead of going on to another template", async () => {
    const text = await refusal({ target: "link" });
    expect(text).toMatch(/^KB_READ_LINK: /u);
    expect(text).not.toContain(folder);
  });

  it("says that nothing is configured", async () => {
    const plain = await openKnowledgeBase({ kbPath: join(folder, "notes") });
    await expect(plain.bestPractice({ target: "typescript" })).rejects.toMatchObject({
      code: "KB_PRACTICE_NOT_CONFIGURED",
      hint: expect.stringContaining("path_templates"),
    });
    await plain.close();
  });
});
