// What "cancelled" looks like from outside: KB_CANCELLED, or the AbortError that Node itself throws.
import assert from "node:assert/strict";

/** Rejects unless the work was cancelled. */
export async function assertCancelled(work: Promise<unknown>, name: string): Promise<void> {
  await assert.rejects(
    work,
    (error: unknown) => {
      const { code, name: kind } = error as { readonly code?: unknown; readonly name?: unknown };
      assert.ok(
        code === "KB_CANCELLED" || kind === "AbortError",
        `${name} was cancelled, but rejects with ${String(error)}`,
      );
      return true;
    },
    `${name} resolves although its signal is aborted`,
  );
}
