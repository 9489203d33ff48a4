// A plugin's store as the rest of core meets it: whatever a method throws is a KbError, so that a caller is told of the
// store and not of a defect in kb-mcp. Changes no answer.
import { isKbError, KbError } from "./errors.js";
import type { Logger, StoredChunk, StoredDocument, VectorStore } from "./plugin-api.js";
import { firstLineOf } from "./sent-error.js";

/**
 * The store, with KB_STORE_FAILED for every error that has no code of its own. What the store said goes to the log: it
 * may name paths of the machine.
 * @param id of the plugin
 */
export function guardedStore(store: VectorStore, id: string, logger: Logger): VectorStore {
  const failure = (method: keyof VectorStore, cause: unknown): unknown => {
    if (isKbError(cause)) return cause;
    logger.error(`the store "${id}" failed in ${method}: ${firstLineOf(cause)}`);
    return new KbError("KB_STORE_FAILED", `The store "${id}" failed in ${method}`, { cause, hint });
  };
  const guarded = async <Answer>(method: keyof VectorStore, ask: () => Promise<Answer>): Promise<Answer> => {
    try {
      return await ask();
    } catch (error) {
      throw failure(method, error);
    }
  };
  async function* documents<Field extends keyof StoredDocument>(
    fields: readonly Field[],
  ): AsyncGenerator<readonly Pick<StoredDocument, Field>[]> {
    try {
      yield* store.documents(fields);
    } catch (error) {
      throw failure("documents", error);
    }
  }
  // Written out, not a Proxy: one of a frozen store could not answer with other functions.
  return {
    documents,
    readMeta: () => guarded("readMeta", () => store.readMeta()),
    reset: (spec) => guarded("reset", () => store.reset(spec)),
    writeMeta: (entries) => guarded("writeMeta", () => store.writeMeta(entries)),
    write: (batch) => guarded("write", () => store.write(batch)),
    documentsAt: (paths) => guarded("documentsAt", () => store.documentsAt(paths)),
    chunks: <Field extends keyof StoredChunk>(
      ...args: Parameters<typeof store.chunks<Field>>
    ): Promise<Pick<StoredChunk, Field>[]> => guarded("chunks", () => store.chunks(...args)),
    documentChunks: (path) => guarded("documentChunks", () => store.documentChunks(path)),
    textSearch: (...args) => guarded("textSearch", () => store.textSearch(...args)),
    vectorSearch: (...args) => guarded("vectorSearch", () => store.vectorSearch(...args)),
    filteredChunks: (...args) => guarded("filteredChunks", () => store.filteredChunks(...args)),
    documentFrequencies: (terms) => guarded("documentFrequencies", () => store.documentFrequencies(terms)),
    counts: () => guarded("counts", () => store.counts()),
    version: () => guarded("version", () => store.version()),
    maintain: (signal) => guarded("maintain", () => store.maintain(signal)),
    close: () => guarded("close", () => store.close()),
  };
}

const hint =
  "Try again; if it stays, the log on stderr says what the store said: check [store] in kb-mcp.toml, or tell the author of the store.";
