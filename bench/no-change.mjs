// A re-index that finds nothing changed against `git status` on the same tree.
import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { openKnowledgeBase } from "../dist/index.js";
import { writeJapaneseNotes } from "./corpus.mjs";
import { inTemporaryFolder, median, milliseconds } from "./measure.mjs";

const run = promisify(execFile);
const files = 5000;
const rounds = 9;
const kbMcp = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));

export const benchNoChange = () =>
  inTemporaryFolder(async (folder) => {
    const notes = join(folder, "notes");
    await mkdir(notes);
    await writeJapaneseNotes(notes, files);
    const git = (...args) => run("git", ["-C", notes, "-c", "core.untrackedCache=false", ...args]);
    await git("init", "--quiet");
    await git("add", "--all");
    await git(
      "-c",
      "user.name=bench",
      "-c",
      "user.email=bench@localhost",
      "commit",
      "--quiet",
      "-m",
      "notes",
    );
    const knowledgeBase = await openKnowledgeBase({ kbPath: notes });
    await knowledgeBase.index();
    // A server runs for days: its code is compiled and git's index is in memory too.
    for (let round = 0; round < rounds; round++) {
      await git("status", "--porcelain");
      await knowledgeBase.index();
    }
    const runs = [];
    const processes = [];
    const status = [];
    for (let round = 0; round < rounds; round++) {
      status.push(await milliseconds(() => git("status", "--porcelain")));
      runs.push(await milliseconds(() => knowledgeBase.index()));
      processes.push(
        await milliseconds(() => run(process.execPath, [kbMcp, "index", "--quiet", "--kb-path", notes])),
      );
    }
    await knowledgeBase.close();
    const peer = median(status);
    return [
      {
        what: `re-index of ${files} unchanged files, in a server`,
        ours: median(runs),
        peer,
        peerName: "git status",
        target: 3,
      },
      {
        what: `the same as a command, Node's start included`,
        ours: median(processes),
        peer,
        peerName: "git status",
      },
    ];
  });
