// Opens the application for one command and closes it after, whatever happens.
import { createApplication, knownPlugins, type Application } from "../container.js";
import { loadConfig, type Config, type ConfigFlags } from "../core/config/load-config.js";
import { createLogger, type Logger } from "../core/logger.js";

export interface CommandContext {
  readonly application: Application;
  readonly config: Config;
  readonly logger: Logger;
  /** Aborted by Ctrl-C or a polite kill; a second one ends the process at once. */
  readonly signal: AbortSignal;
}

/** Loads the configuration, builds the application, runs the command. */
export async function withApplication<Result>(
  flags: ConfigFlags,
  run: (context: CommandContext) => Promise<Result>,
): Promise<Result> {
  const { config, warnings } = await loadConfig({
    flags,
    environment: process.env,
    workingDirectory: process.cwd(),
    knownPlugins,
  });
  const logger = createLogger(config.logLevel);
  for (const warning of warnings) logger.warn(warning);
  const application = await createApplication(config, logger);
  const interruption = interruptible();
  try {
    return await run({ application, config, logger, signal: interruption.signal });
  } finally {
    interruption.release();
    await application.close();
  }
}

function interruptible(): { signal: AbortSignal; release(): void } {
  const controller = new AbortController();
  const interrupt = (): void => {
    if (controller.signal.aborted) process.exit(1);
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
