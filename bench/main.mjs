// npm run bench: ratios against a limit or a peer, all in one run on one machine. Times depend on the machine,
// ratios travel. `npm run bench -- search start` runs only those.
import { benchIndex } from "./index-run.mjs";
import { benchNoChange } from "./no-change.mjs";
import { benchSearch } from "./search.mjs";
import { benchStart } from "./start.mjs";

const benches = { index: benchIndex, search: benchSearch, start: benchStart, "no-change": benchNoChange };
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !Object.hasOwn(benches, name));
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(", ")}; there is ${Object.keys(benches).join(", ")}`);
  process.exit(2);
}

for (const [name, bench] of Object.entries(benches)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  for (const { what, ours, peer, peerName, target } of await bench()) {
    const ratio = ours / peer;
    const verdict =
      target === undefined ? "" : `  target at most ${target}: ${ratio <= target ? "held" : "MISSED"}`;
    console.log(
      `${name.padEnd(10)} ${what.padEnd(44)} ${ours.toFixed(1).padStart(9)} ms / ${peer.toFixed(1).padStart(9)} ms (${peerName}) = ${ratio.toFixed(2)}${verdict}`,
    );
  }
}
