// Opens the model libraries of the parts in use for one of the commands kb-mcp models list, pull and verify.
import { openModelLibraries } from "../container.js";
import { openConfiguration } from "../open-application.js";
import { listModels, pullModels, verifyModels, type ModelsContext } from "./commands/models.js";
import { showPreparation } from "./preparation-progress.js";
import type { CommonFlags, ExitCode, ModelsAction } from "./program.js";
import { print, progressLine } from "./standard-streams.js";
import { interruptible } from "./with-application.js";

interface ModelsFlags extends CommonFlags {
  quiet?: boolean;
  format?: "text" | "json";
}

export async function runModels(
  action: ModelsAction,
  model: string | undefined,
  flags: ModelsFlags,
): Promise<ExitCode> {
  const { config, logger } = await openConfiguration(flags);
  const progress = showPreparation(progressLine, flags.quiet === true);
  const interruption = interruptible();
  const { signal } = interruption;
  try {
    const context: ModelsContext = {
      libraries: await openModelLibraries(config, { logger, signal, progress: progress.update }),
      format: flags.format ?? "text",
      signal,
      progress,
      print,
    };
    const run = { list: listModels, pull: pullModels, verify: verifyModels }[action];
    return await run(context, model);
  } finally {
    progress.end();
    interruption.release();
  }
}
