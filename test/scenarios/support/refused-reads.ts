// Every way a read is refused, through the MCP surface: the reply has a code of ours, and holds nothing of the machine.
import { chmod, link, mkdir, symlink, truncate } from "node:fs/promises";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { expect } from "@jest/globals";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { limits } from "../../../src/core/limits.js";
import { assembleKnowledgeBase, registryOf, sharedParser } from "../../support/assembled-knowledge-base.js";
import { connectClient } from "../../support/connect-client.js";
import { asOrdinaryUser } from "../../support/ordinary-user.js";
import { indexDocuments } from "../../support/indexed-documents.js";
import type { IndexParts } from "../support/index-parts.js";
import { makeFifos, withTemporaryFolder, writeTree } from "../../support/temporary-folder.js";

const targets = (folder: string): readonly (readonly [path: string, code: string])[] => [
  ["", "KB_TOOL_ARGUMENT"],
  ["./a.md", "KB_READ_PATH"],
  ["a//b.md", "KB_READ_PATH"],
  ["a\0.md", "KB_READ_PATH"],
  ["con.md", "KB_READ_PATH"],
  ["a.md:x.md", "KB_READ_PATH"],
  ["\ud800.md", "KB_READ_PATH"],
  ["x".repeat(5000), "KB_READ_PATH"],
  ["../outside.md", "KB_READ_OUTSIDE"],
  ["..\\outside.md", "KB_READ_OUTSIDE"],
  [`${folder}/outside.md`, "KB_READ_OUTSIDE"],
  [`${folder}/kb/a.md`, "KB_READ_OUTSIDE"],
  ["\\\\server\\share\\a.md", "KB_READ_OUTSIDE"],
  ["C:\\a.md", "KB_READ_OUTSIDE"],
  ["out/s.md", "KB_READ_OUTSIDE"],
  ["link.md", "KB_READ_LINK"],
  ["broken.md", "KB_READ_LINK"],
  ["hard.md", "KB_READ_LINK"],
  ["folder.md", "KB_READ_TYPE"],
  ["fifo.md", "KB_READ_TYPE"],
  ["socket.md", "KB_READ_TYPE"],
  ["picture.png", "KB_READ_EXTENSION"],
  ["missing.md", "KB_READ_NOT_FOUND"],
  ["a.md/b.md", "KB_READ_NOT_FOUND"],
  ["shut.md", "KB_READ_DENIED"],
  ["shut/a.md", "KB_READ_DENIED"],
  ["large.md", "KB_READ_TOO_LARGE"],
];

/** Whatever would tell about the machine or the program. */
function expectNothingOfTheMachine(reply: unknown, folder: string, asked: string): void {
  const text = JSON.stringify(reply);
  // What the caller wrote is no secret; the message of an absolute path leaves it out all the same.
  for (const secret of [folder, resolve("."), "SECRET", "node:internal", "node_modules", ".ts:", "errno"])
    expect([asked, secret, text.includes(secret)]).toEqual([asked, secret, false]);
  expect(text).not.toMatch(/\\n\s+at |\.js:\d/u);
}

/** The reply of a request, whether it failed in the protocol or in the tool. */
const replyOf = (request: Promise<unknown>): Promise<unknown> =>
  request.catch((error: unknown) => {
    const { code, message, data } = error as { code: unknown; message: string; data: unknown };
    return { code, message, data };
  });

async function requests(client: Client, path: string): Promise<Record<string, unknown>> {
  const call = (name: string, args: Record<string, unknown>) =>
    replyOf(client.callTool({ name, arguments: args }));
  // A lone surrogate has no place in a URI.
  const named = path.replace(/\p{Surrogate}/gu, "\uFFFD");
  const uri = `kb://doc/${encodeURI(named)}`;
  return {
    get_document: await call("get_document", { path }),
    resource: await replyOf(client.readResource({ uri })),
    encoded: await replyOf(client.readResource({ uri: `kb://doc/${encodeURIComponent(named)}` })),
    subscribe: await replyOf(client.subscribeResource({ uri })),
    get_best_practice: await call("get_best_practice", { target: path.replace(/\.md$/u, "") }),
  };
}

/** No refusal of a read tells a place of the machine or a stack. */
export function expectRefusalsThatTellNothing(parts: IndexParts): Promise<void> {
  return withTemporaryFolder(async (folder) => {
    const kbFolder = join(folder, "kb");
    await writeTree(folder, {
      "outside.md": "SECRET",
      "elsewhere/s.md": "SECRET",
      "kb/a.md": "The first note.",
      "kb/shut.md": "shut",
      "kb/shut/a.md": "shut",
      "kb/large.md": "",
      "kb/picture.png": "",
    });
    const parser = await sharedParser();
    const store = await parts.store(folder);
    const kb = assembleKnowledgeBase(folder, {
      registry: await registryOf(["md"]),
      parser,
      store,
      embedder: () => parts.embedder,
    });
    await kb.index();
    // All are in the index, as if what is wrong with them came later: resource reads get as far as the guard.
    const paths = targets(folder).map(([path]) => path);
    await store.write({ put: await indexDocuments(paths.map((path) => ({ path, chunks: ["x"] }))) });

    await symlink(join(folder, "elsewhere"), join(kbFolder, "out"));
    await symlink(join(folder, "outside.md"), join(kbFolder, "link.md"));
    await symlink(join(folder, "nowhere.md"), join(kbFolder, "broken.md"));
    await link(join(folder, "outside.md"), join(kbFolder, "hard.md"));
    await mkdir(join(kbFolder, "folder.md"));
    makeFifos(join(kbFolder, "fifo.md"));
    await truncate(join(kbFolder, "large.md"), limits.readTextBytes + 1);
    await chmod(join(kbFolder, "shut.md"), 0);
    await chmod(join(kbFolder, "shut"), 0);
    const server = createServer().listen(join(kbFolder, "socket.md"));
    await new Promise((ready) => server.once("listening", ready));

    const { client, close } = await connectClient(kb);
    const asResource = new Set<string>();
    try {
      for (const [path, code] of targets(folder)) {
        const replies = await asOrdinaryUser(folder, () => requests(client, path));
        expect([path, JSON.stringify(replies["get_document"])]).toEqual([
          path,
          expect.stringContaining(code),
        ]);
        for (const [surface, reply] of Object.entries(replies)) {
          const text = JSON.stringify(reply);
          if (surface !== "subscribe")
            expect([path, surface, text]).toEqual([path, surface, expect.stringMatching(/KB_[A-Z_]+/u)]);
          // A resource's answer repeats the URI it was asked for.
          const said = path.startsWith(folder)
            ? text.replaceAll(path, "").replaceAll(encodeURI(path), "")
            : text;
          expectNothingOfTheMachine(said, folder, `${surface} ${path}`);
          const [found] = /KB_READ_[A-Z_]+/u.exec(text) ?? [];
          if (surface === "resource" && found !== undefined) asResource.add(found);
        }
      }
      const summary = await replyOf(client.callTool({ name: "rebuild_index", arguments: {} }));
      expect(JSON.stringify(summary)).toContain("is a hard link");
      expectNothingOfTheMachine(summary, folder, "rebuild_index");
    } finally {
      await close();
      await new Promise((done) => server.close(done));
      await chmod(join(kbFolder, "shut"), 0o700);
      await kb.close();
      await store.close();
      await parser.dispose();
    }
    // Resource reads met the guard too, and were not all stopped before it.
    expect([...asResource].sort()).toEqual(
      expect.arrayContaining([
        "KB_READ_DENIED",
        "KB_READ_LINK",
        "KB_READ_NOT_FOUND",
        "KB_READ_OUTSIDE",
        "KB_READ_PATH",
        "KB_READ_TOO_LARGE",
        "KB_READ_TYPE",
      ]),
    );
  });
}
