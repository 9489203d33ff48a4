import { describe, expect, it } from "@jest/globals";
import { KbError } from "../../../src/core/errors.js";
import { lazy } from "../../../src/core/lazy.js";
import type { Embedder } from "../../../src/core/plugin-api.js";
import { createPatientEmbedder } from "../../../src/core/search/patient-embedder.js";
import { letterEmbedder } from "../../support/letter-embedder.js";

const signal = new AbortController().signal;
const down = (): KbError => new KbError("KB_EMBED_SERVER", "It is down");

/** A promise that is settled from outside. */
function deferred<Value>() {
  let resolve!: (value: Value) => void;
  const promise = new Promise<Value>((done) => (resolve = done));
  return { promise, resolve };
}

describe("a patient embedder", () => {
  it("tries a creation that failed again after its rest, not before", async () => {
    let made = 0;
    const failing = lazy<Embedder>(() => {
      made++;
      throw new KbError("KB_MODEL_MISSING", "It is missing");
    });
    for (const [restMs, attempts] of [
      [1_000_000, 1],
      [0, 3],
    ] as const) {
      made = 0;
      const embedder = createPatientEmbedder(failing, { restMs });
      for (let round = 0; round < 3; round++)
        await expect(embedder.forQueries()).rejects.toMatchObject({ code: "KB_MODEL_MISSING" });
      expect(made).toBe(attempts);
    }
  });

  it("waits so long for an embedder that hangs, then answers at once until it is there", async () => {
    const late = deferred<Embedder>();
    const embedder = createPatientEmbedder(
      lazy(() => late.promise),
      { patienceMs: 20, restMs: 1_000_000 },
    );
    await expect(embedder.get()).rejects.toMatchObject({ code: "KB_EMBED_TIMEOUT" });
    await expect(embedder.forQueries()).rejects.toMatchObject({ code: "KB_EMBED_TIMEOUT" });
    late.resolve(letterEmbedder());
    await late.promise;
    await new Promise(setImmediate);
    expect(await embedder.get()).toMatchObject({ model: "letter-pairs@1" });
  });

  it("waits so long for a query, and tries again once the late one has come", async () => {
    const late = deferred<Float32Array | null>();
    const letters = letterEmbedder();
    const embedder = createPatientEmbedder(
      lazy(() => ({ ...letters, embedQuery: () => late.promise })),
      { patienceMs: 20, restMs: 1_000_000 },
    );
    const query = async () => (await embedder.forQueries()).embedQuery("moss", signal);
    await expect(query()).rejects.toMatchObject({ code: "KB_EMBED_TIMEOUT" });
    await expect(query()).rejects.toMatchObject({ code: "KB_EMBED_TIMEOUT" });
    late.resolve(null);
    await late.promise;
    await new Promise(setImmediate);
    expect(await query()).toBeNull();
  });

  it("rests after what every query would meet, not after what one text met, nor after a cancellation", async () => {
    let asked = 0;
    let next: () => Promise<null> = () => Promise.reject(new KbError("KB_EMBED_FAILED", "Too long"));
    const embedder = createPatientEmbedder(
      lazy(() => ({
        ...letterEmbedder(),
        embedQuery: () => {
          asked++;
          return next();
        },
      })),
    );
    const query = async (by = signal) => (await embedder.forQueries()).embedQuery("moss", by);
    await expect(query()).rejects.toMatchObject({ code: "KB_EMBED_FAILED" });
    next = () => new Promise(() => undefined);
    await expect(query(AbortSignal.abort())).rejects.toMatchObject({ code: "KB_CANCELLED" });
    next = () => Promise.reject(down());
    await expect(query()).rejects.toMatchObject({ code: "KB_EMBED_SERVER" });
    next = () => Promise.resolve(null);
    await expect(query()).rejects.toMatchObject({ code: "KB_EMBED_SERVER" });
    expect(asked).toBe(3);
    embedder.recover();
    expect(await query()).toBeNull();
  });
});
