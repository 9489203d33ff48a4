// Reads the KB_MCP_* environment variables against the table of settings.
import { isAbsolute } from "node:path";
import { checkValue, type Complaint, type SettingValue, type ValueContext } from "./check-value.js";
import { quoted } from "./display.js";
import type { Problem } from "./problem.js";
import type { Setting } from "./setting.js";
import { environmentName, findSetting, settingKeys, type SettingKey } from "./settings.js";
import type { TomlValue } from "./toml-value.js";

/** Names the configuration file; not a setting, because no file can hold it. */
export const configFileVariable = "KB_MCP_CONFIG";

export interface EnvironmentSettings {
  readonly values: ReadonlyMap<SettingKey, SettingValue>;
  readonly problems: readonly Problem[];
  /** One for each variable that starts with KB_MCP_ and means nothing. */
  readonly warnings: readonly string[];
}

const keyOfVariable: ReadonlyMap<string, SettingKey> = new Map(
  settingKeys.map((key) => [environmentName(key), key]),
);

/** An empty variable counts as absent: MCP clients and containers pass empty ones. */
export async function readEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  context: ValueContext,
): Promise<EnvironmentSettings> {
  const values = new Map<SettingKey, SettingValue>();
  const problems: Problem[] = [];
  const warnings: string[] = [];
  for (const [name, text] of Object.entries(environment)) {
    if (!name.startsWith("KB_MCP_") || name === configFileVariable) continue;
    if (text === undefined || text.trim() === "") continue;
    const key = keyOfVariable.get(name);
    const setting = key === undefined ? undefined : findSetting(key);
    if (key === undefined || setting === undefined) {
      const { nearestName } = await import("./problem.js");
      const nearest = await nearestName(name, [...keyOfVariable.keys(), configFileVariable]);
      warnings.push(
        `the environment variable ${quoted(name)} means nothing to kb-mcp and was ignored; ` +
          `the nearest known one is ${quoted(nearest ?? configFileVariable)}`,
      );
      continue;
    }
    const value = read(setting, text);
    const checked = complainOfPackages(name, key, value) ?? checkValue(name, setting, value, context);
    if ("value" in checked) values.set(key, checked.value);
    else problems.push({ ...checked.complaint, where: "environment" });
  }
  return { values, problems, warnings };
}

/** What the text means for a setting of this type; a text that means nothing stays a text and is refused. */
function read(setting: Setting, text: string): TomlValue {
  const trimmed = text.trim();
  switch (setting.type) {
    case "path":
      return text;
    case "choice":
    case "id":
      return trimmed;
    case "boolean":
      return trimmed === "true" ? true : trimmed === "false" ? false : text;
    case "number":
    case "integer":
      return /^-?\d{1,15}(\.\d{1,15})?$/.test(trimmed) ? Number(trimmed) : text;
    case "list":
    case "ids":
      return readList(trimmed);
  }
}

/** `a, b`, or a JSON list for entries that hold commas and for the empty list. */
function readList(text: string): TomlValue {
  if (!text.startsWith("["))
    return text
      .split(",")
      .map((entry) => entry.trim())
      .filter((entry) => entry !== "");
  try {
    const parsed: unknown = JSON.parse(text);
    if (Array.isArray(parsed) && parsed.every((entry) => typeof entry === "string")) return parsed;
  } catch {
    // Not JSON: refused as the text that it is.
  }
  return text;
}

/**
 * What the environment sets counts in whatever folder kb-mcp is started: a name or a relative path would run code that
 * somebody else has put there.
 */
function complainOfPackages(
  name: string,
  key: SettingKey,
  value: TomlValue,
): { readonly complaint: Complaint } | undefined {
  if (key !== "plugins.packages" || !Array.isArray(value)) return undefined;
  const wrong = value.find(
    (entry): entry is string => typeof entry === "string" && !/^~[/\\]/.test(entry) && !isAbsolute(entry),
  );
  return wrong === undefined
    ? undefined
    : {
        complaint: {
          code: "KB_CONFIG_INVALID_VALUE",
          text: `${name} takes absolute paths, and paths that begin with "~/"; got ${quoted(wrong)}`,
          hint: "Names and relative paths of packages belong into kb-mcp.toml, from whose folder they are found.",
        },
      };
}
