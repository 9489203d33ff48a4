// npm run bench: ratios against a limit or a peer, all in one run on one machine. Times depend on the machine,
// ratios travel. `npm run bench -- search start` runs only those. `scale` takes a quarter of an hour and 4 GB of
// the temporary folder, so it runs only when it is named; `npm run bench -- scale 1000` is the same for one size.
import { benchIndex } from "./index-run.mjs";
import { benchNoChange } from "./no-change.mjs";
import { benchSearch } from "./search.mjs";
import { benchSearchScale } from "./search-scale.mjs";
import { benchStart } from "./start.mjs";

const benches = { index: benchIndex, search: benchSearch, start: benchStart, "no-change": benchNoChange };
const benchesOnRequest = { scale: benchSearchScale };
const all = { ...benches, ...benchesOnRequest };

const asked = process.argv.slice(2).filter((argument) => !/^\d+$/.test(argument));
const sizes = process.argv.slice(2).filter((argument) => /^\d+$/.test(argument));
const unknown = asked.filter((name) => !Object.hasOwn(all, name));
if (unknown.length > 0 || (sizes.length > 0 && !asked.includes("scale"))) {
  if (unknown.length > 0) console.error(`There is no benchmark ${unknown.join(", ")}.`);
  console.error(`Usage: npm run bench -- [${Object.keys(benches).join("|")}|scale [CHUNKS...]]...`);
  console.error("Without a name all run but scale, which takes a quarter of an hour.");
  process.exit(2);
}

for (const name of asked.length > 0 ? asked : Object.keys(benches)) {
  for await (const { what, ours, p95, peer, peerName, target } of await all[name](sizes.map(Number))) {
    const ratio = ours / peer;
    const tail = p95 === undefined ? "" : `  p95 ${p95.toFixed(1)} ms`;
    const verdict =
      target === undefined ? "" : `  target at most ${target}: ${ratio <= target ? "held" : "MISSED"}`;
    console.log(
      `${name.padEnd(10)} ${what.padEnd(44)} ${ours.toFixed(1).padStart(9)} ms / ${peer.toFixed(1).padStart(9)} ms (${peerName}) = ${ratio.toFixed(2)}${tail}${verdict}`,
    );
  }
}
