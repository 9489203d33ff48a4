// From what the user said to a running application: configuration, its warnings, the container. Shared by the command
// line and the package entry.
import { createApplication, knownPlugins, type Application, type ApplicationOptions } from "./container.js";
import { loadConfig, type Config, type ConfigFlags } from "./core/config/load-config.js";
import { createLogger, type Logger } from "./core/logger.js";

export interface OpenedConfiguration {
  readonly config: Config;
  readonly logger: Logger;
}

export interface OpenedApplication extends OpenedConfiguration {
  /** Close it when done. */
  readonly application: Application;
}

/**
 * The configuration for the working directory and the environment of this process; its warnings are logged.
 * @throws KbError KB_CONFIG_*, KB_PLUGIN_UNKNOWN
 */
export async function openConfiguration(flags: ConfigFlags): Promise<OpenedConfiguration> {
  const { config, warnings } = await loadConfig({
    flags,
    environment: process.env,
    workingDirectory: process.cwd(),
    knownPlugins,
  });
  const logger = createLogger(config.logLevel);
  for (const warning of warnings) logger.warn(warning);
  return { config, logger };
}

/**
 * Opens the application for the working directory and the environment of this process.
 * @throws KbError KB_CONFIG_*, KB_PLUGIN_*
 */
export async function openApplication(
  flags: ConfigFlags,
  options: ApplicationOptions = {},
): Promise<OpenedApplication> {
  const { config, logger } = await openConfiguration(flags);
  return { application: await createApplication(config, logger, options), config, logger };
}
