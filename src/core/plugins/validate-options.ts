// Checks a plugin's options with the plugin's own schema before the plugin is created.
import { KbError } from "../errors.js";
import type { OptionsSchema } from "../plugin-api.js";

/**
 * The options as the plugin's schema reads them; as they are, if it has none and none are given.
 * @param where the table of kb-mcp.toml they come from, e.g. "[embedder]"
 * @throws KbError KB_PLUGIN_OPTIONS
 */
export async function validateOptions<Options>(
  schema: OptionsSchema<Options> | undefined,
  options: Readonly<Record<string, unknown>>,
  where: string,
): Promise<Options> {
  if (schema === undefined) {
    const given = Object.keys(options);
    if (given.length > 0)
      throw new KbError(
        "KB_PLUGIN_OPTIONS",
        `${where}: the plugin has no optionsSchema, so it takes no options; got ${given.join(", ")}`,
      );
    return options as Options;
  }
  const result = await schema["~standard"].validate(options);
  if (result.issues === undefined) return result.value;
  const problems = result.issues.map(({ message, path = [] }) => {
    const key = path.map((part) => String(typeof part === "object" ? part.key : part)).join(".");
    return key === "" ? message : `${key}: ${message}`;
  });
  throw new KbError("KB_PLUGIN_OPTIONS", `${where}: ${problems.join("; ")}`);
}
