// kb-mcp eval
import { KbError } from "../../core/errors.js";
import { crossableParts, type FingerprintPart } from "../../core/eval/fingerprint-parts.js";
import { fillIndex } from "../fill-index.js";
import { formatEval } from "../format-eval.js";
import type { CommonFlags, ExitCode } from "../program.js";
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

/** Milliseconds between two lines of progress: often on a terminal, where they replace one another. */
const progressMs = { terminal: 100, piped: 5000 } as const;
/** Back to the start of the line, and clear what stands there. */
const clearLine = "\r\u001b[K";

/** Asks the golden questions and prints how well they were answered. */
export async function evalCommand(flags: EvalFlags): Promise<ExitCode> {
  return withApplication<ExitCode>(flags, async ({ application, config, signal }) => {
    const { golden } = config.eval;
    if (golden === undefined) throw new KbError("KB_EVAL_NO_GOLDEN", "no golden file is named");
    await fillIndex({ application, signal }, flags.quiet === true);
    const progress = showProgress(process.stderr, flags.quiet === true);
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
          onProgress: progress.update,
        },
        signal,
      );
      progress.end();
      process.stdout.write(
        flags.format === "json"
          ? `${JSON.stringify(report, null, 2)}\n`
          : formatEval(report, golden, process.stdout),
      );
      const regressed = (report.comparison?.regressions.length ?? 0) > 0;
      return flags.failOnRegression === true && regressed ? 1 : 0;
    } finally {
      progress.end();
    }
  });
}

/** How many questions were asked: one line on a terminal, a line now and then when piped. */
function showProgress(
  stream: NodeJS.WriteStream,
  quiet: boolean,
): { update: (done: number, total: number) => void; end: () => void } {
  const onTerminal = stream.isTTY && process.env["TERM"] !== "dumb";
  let lastAt = onTerminal ? 0 : performance.now();
  let shown = false;
  return {
    update(done, total) {
      const now = performance.now();
      if (quiet || now - lastAt < (onTerminal ? progressMs.terminal : progressMs.piped)) return;
      lastAt = now;
      shown = onTerminal;
      const line = `Asking: ${done} of ${total} questions`;
      stream.write(onTerminal ? clearLine + line : `${line}\n`);
    },
    end() {
      if (shown) stream.write(clearLine);
      shown = false;
    },
  };
}
