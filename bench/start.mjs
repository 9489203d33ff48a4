// Start of `kb-mcp serve` until `initialize` is answered, against a bare SDK server over stdio.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openKnowledgeBase } from "../dist/index.js";
import { writeJapaneseNotes } from "./corpus.mjs";
import { inTemporaryFolder, median, milliseconds } from "./measure.mjs";

const rounds = 11;
const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));
const initialize = `${JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "bench", version: "1" } },
})}\n`;

export const benchStart = () =>
  inTemporaryFolder(async (folder) => {
    const notes = join(folder, "notes");
    await writeJapaneseNotes(notes, 50);
    const knowledgeBase = await openKnowledgeBase({ kbPath: notes });
    await knowledgeBase.index();
    await knowledgeBase.close();
    const serve = [path("../dist/cli/main.js"), "serve", "--kb-path", notes];
    const bare = [path("./bare-server.mjs")];
    const ours = [];
    const peer = [];
    for (let round = 0; round < rounds; round++) {
      ours.push(await timeToInitialize(serve));
      peer.push(await timeToInitialize(bare));
    }
    return [
      {
        what: `serve until initialize (median of ${rounds})`,
        ours: median(ours),
        peer: median(peer),
        peerName: "bare SDK server",
        target: 2,
      },
    ];
  });

async function timeToInitialize(args) {
  let server;
  const taken = await milliseconds(async () => {
    server = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "ignore"] });
    server.stdin.write(initialize);
    await once(server.stdout, "data");
  });
  server.stdin.end();
  await once(server, "close");
  return taken;
}
