// kb-mcp plugins
import { formatPlugins } from "../format-plugins.js";
import { print } from "../standard-streams.js";
import { openConfiguration } from "../../open-application.js";
import type { CommonFlags, ExitCode } from "../program.js";

interface PluginsFlags extends CommonFlags {
  format?: "text" | "json";
}

/** Prints which plugins there are; ends with 1 where one that is asked for cannot be used. */
export async function pluginsCommand(flags: PluginsFlags): Promise<ExitCode> {
  const { config, logger } = await openConfiguration(flags);
  const { pluginList } = await import("../../container.js");
  const reply = await pluginList(config, logger);
  print(flags.format === "json" ? `${JSON.stringify(reply, null, 2)}\n` : formatPlugins(reply));
  const { plugins, refused, problems } = reply;
  const findings = refused.length + problems.length + plugins.filter((plugin) => plugin.refused).length;
  return findings > 0 ? 1 : 0;
}
