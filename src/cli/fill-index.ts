// Fills an index that lives in this process only before a command asks it, and shows how far that is.
import type { CommandContext } from "./with-application.js";
import { showProgress } from "./progress.js";
import { progressLine } from "./standard-streams.js";

/** Waits for the whole of it; nothing to wait for where the index lasts. */
export async function fillIndex(
  { application, signal }: Pick<CommandContext, "application" | "signal">,
  quiet = false,
): Promise<void> {
  const progress = showProgress(progressLine, quiet);
  try {
    await application.knowledgeBase.fill({ signal, onProgress: progress.update });
  } finally {
    progress.end();
  }
}
