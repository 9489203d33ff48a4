// kb-mcp plugins
import { formatPlugins } from "../format-plugins.js";
import { openConfiguration } from "../../open-application.js";
import type { CommonFlags, ExitCode } from "../program.js";

interface PluginsFlags extends CommonFlags {
  format?: "text" | "json";
}

/** Prints which plugins there are; ends with 1 where one that is asked for cannot be used. */
export async function pluginsCommand(flags: PluginsFlags): Promise<ExitCode> {
  const { config, logger } = await openConfiguration(flags);
  const [{ listPlugins }, { builtInPlugins }] = await Promise.all([
    import("../../core/plugins/list-plugins.js"),
    import("../../container.js"),
  ]);
  const reply = await listPlugins(config, builtInPlugins, logger);
  process.stdout.write(
    flags.format === "json" ? `${JSON.stringify(reply, null, 2)}\n` : formatPlugins(reply),
  );
  const refused = reply.refused.length > 0 || reply.plugins.some((plugin) => plugin.refused !== undefined);
  return refused ? 1 : 0;
}
