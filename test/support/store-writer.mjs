// A process that writes to a lancedb store until it is killed. Plain JavaScript on the compiled store, because it runs
// outside the test runner.
//
// node store-writer.mjs <data directory> replace|reset <first generation>
import plugin from "../../dist/plugins/stores/lancedb/index.js";
import { generation } from "./store-generations.mjs";

const [dataDirectory, mode, first] = process.argv.slice(2);
const quiet = () => undefined;
const store = await plugin.stores[0].create(
  {},
  {
    dataDirectory,
    logger: { debug: quiet, info: quiet, warn: quiet, error: quiet },
    signal: new AbortController().signal,
  },
);

for (let number = Number(first); ; number++) {
  if (mode === "reset") await store.reset({ dimensions: 4, meta: { generation: `${number}` } });
  await store.write(generation(number));
  if (number % 4 === 0) await store.maintain(new AbortController().signal);
  process.stdout.write(`${number}\n`);
}
