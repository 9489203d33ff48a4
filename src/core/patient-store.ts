// The store for those who wait: opened once, soon or not at all, and guarded.
import { KbError } from "./errors.js";
import { guardedStore } from "./guarded-store.js";
import { lazy, type Lazy } from "./lazy.js";
import { createPatientPart } from "./patient-part.js";
import type { Logger, VectorStore } from "./plugin-api.js";

/** A store may be a service far away; MCP clients wait a minute for an answer. */
const usualPatienceMs = 30_000;

/**
 * @param id of the plugin
 * @param closing aborted when nobody waits any more
 */
export function createPatientStore(
  store: Lazy<VectorStore>,
  { id, logger, closing }: { readonly id: string; readonly logger: Logger; readonly closing: AbortSignal },
  patienceMs = usualPatienceMs,
): Lazy<VectorStore> {
  const opening = lazy(async () => guardedStore(await store.get(), id, logger));
  const late = (seconds: number): KbError =>
    new KbError("KB_STORE_FAILED", `The store "${id}" did not open within ${seconds} s`, {
      hint: "Check [store] in kb-mcp.toml, and that what it names can be reached; then ask again.",
    });
  const opened = createPatientPart(opening, late, { patienceMs, restsOnlyLate: true, closing });
  return { get: () => opened.get(), dispose: () => store.dispose() };
}
