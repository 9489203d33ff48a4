// kb-mcp index
import { formatSummary } from "../format-summary.js";
import { showProgress } from "../progress.js";
import type { CommonFlags, ExitCode } from "../program.js";
import { print, progressLine } from "../standard-streams.js";
import { withApplication } from "../with-application.js";

interface IndexFlags extends CommonFlags {
  force?: boolean;
  strict?: boolean;
  quiet?: boolean;
  format?: "text" | "json";
}

/** Runs one index run and prints its summary. */
export async function indexCommand(flags: IndexFlags): Promise<ExitCode> {
  return withApplication<ExitCode>(flags, async ({ application, config, signal }) => {
    const progress = showProgress(progressLine, flags.quiet === true);
    try {
      const summary = await application.knowledgeBase.index({
        force: flags.force === true,
        signal,
        onProgress: progress.update,
      });
      progress.end();
      const { ephemeral } = await application.knowledgeBase.status();
      print(
        flags.format === "json"
          ? `${JSON.stringify(summary, null, 2)}\n`
          : formatSummary(summary, ephemeral === true ? config.store.use : undefined),
      );
      return flags.strict === true && summary.skipped.length > 0 ? 1 : 0;
    } finally {
      progress.end();
    }
  });
}
