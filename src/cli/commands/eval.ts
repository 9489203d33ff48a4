// kb-mcp eval
import { KbError } from "../../core/errors.js";
import { crossableParts, type FingerprintPart } from "../../core/eval/fingerprint-parts.js";
import { fillIndex } from "../fill-index.js";
import { formatEval } from "../format-eval.js";
import type { CommonFlags, ExitCode } from "../program.js";
import { print, progressLine } from "../standard-streams.js";
import { withApplication } from "../with-application.js";

interface EvalFlags extends CommonFlags {
  golden?: string;
  limit?: number;
  failOnRegression?: boolean;
  tolerance?: number;
  across?: (FingerprintPart | "all")[];
  quiet?: boolean;
  format?: "text" | "json";
}

/** Asks the golden questions and prints how well they were answered. */
export async function evalCommand(flags: EvalFlags): Promise<ExitCode> {
  return withApplication<ExitCode>(flags, async ({ application, config, signal }) => {
    const { golden } = config.eval;
    if (golden === undefined) throw new KbError("KB_EVAL_NO_GOLDEN", "no golden file is named");
    await fillIndex({ application, signal }, flags.quiet === true);
    const bar = progressLine.bar("behind", flags.quiet === true);
    try {
      const report = await application.knowledgeBase.evaluate(
        {
          golden,
          ...(flags.limit !== undefined && { limit: flags.limit }),
          ...(flags.tolerance !== undefined && { tolerance: flags.tolerance }),
          ...(flags.failOnRegression === true && { failOnRegression: true }),
          ...(flags.across !== undefined && {
            across: crossableParts.filter((part) =>
              flags.across?.some((one) => one === part || one === "all"),
            ),
          }),
          onProgress: (done, total) => bar.show(`Asking: ${done} of ${total} questions`, done / (total || 1)),
        },
        signal,
      );
      print(
        flags.format === "json"
          ? `${JSON.stringify(report, null, 2)}\n`
          : formatEval(report, golden, process.stdout),
      );
      const regressed = (report.comparison?.regressions.length ?? 0) > 0;
      return flags.failOnRegression === true && regressed ? 1 : 0;
    } finally {
      bar.end();
    }
  });
}
