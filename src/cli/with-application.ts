// Opens the application for one command and closes it after, whatever happens.
import type { ConfigFlags } from "../core/config/load-config.js";
import { openApplication, type OpenedApplication } from "../open-application.js";
import { showPreparation } from "./preparation-progress.js";
import { progressLine } from "./standard-streams.js";

export interface CommandContext extends OpenedApplication {
  /** Aborted by Ctrl-C or a polite kill; a second one ends the process at once. */
  readonly signal: AbortSignal;
}

/** Loads the configuration, builds the application, runs the command. Long preparations are shown on stderr. */
export async function withApplication<Result>(
  flags: ConfigFlags & { readonly quiet?: boolean },
  run: (context: CommandContext) => Promise<Result>,
): Promise<Result> {
  const preparation = showPreparation(progressLine, flags.quiet === true);
  const opened = await openApplication(flags, { onProgress: preparation.update });
  const interruption = interruptible();
  try {
    return await run({ ...opened, signal: interruption.signal });
  } finally {
    preparation.end();
    interruption.release();
    await opened.application.close();
  }
}

/** A signal that Ctrl-C or a polite kill aborts; a second one ends the process at once. Release it when done. */
export function interruptible(): { signal: AbortSignal; release(): void } {
  const controller = new AbortController();
  const interrupt = (): void => {
    if (controller.signal.aborted) {
      progressLine.close();
      process.exit(1);
    }
    controller.abort();
  };
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const name of signals) process.on(name, interrupt);
  return {
    signal: controller.signal,
    release: () => {
      for (const name of signals) process.off(name, interrupt);
    },
  };
}
