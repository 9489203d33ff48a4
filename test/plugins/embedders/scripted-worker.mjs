// A worker that speaks the pool's messages and does what each text says, so that the pool's behaviour in every
// state can be tested with real threads. A vector is [place in the order of all texts, thread id].
import { parentPort, threadId, workerData } from "node:worker_threads";

/** Int32: 0 texts answered, 1 whether the gate is open, 2 workers started, 3 workers that have come to the gate. */
const shared = new Int32Array(workerData.shared);
Atomics.add(shared, 2, 1);

if (workerData.load === "throw") throw new Error("no model here");
if (workerData.load === "exit") process.exit(7);

function answer(text) {
  if (text === "crash") throw new Error("scripted crash");
  if (text === "exit") process.exit(3);
  if (text === "gate") {
    Atomics.add(shared, 3, 1);
    Atomics.wait(shared, 1, 0);
  }
  return new Float32Array([Atomics.add(shared, 0, 1), threadId]);
}

parentPort.on("message", ({ texts }) => {
  parentPort.postMessage({ type: "output", output: `answering ${texts.length}\n` });
  parentPort.postMessage({ type: "vectors", vectors: texts.map(answer) });
});
parentPort.postMessage({ type: "ready" });
