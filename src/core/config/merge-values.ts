// Which of the sources counts for each key: command line over environment over file over default.
import type { SettingValue } from "./check-value.js";
import type { Origin } from "./config.js";
import { findSetting, settingKeys, type SettingKey, type SettingValues } from "./settings.js";

/** Checked values of one source. */
export type Values = ReadonlyMap<SettingKey, SettingValue>;

/** The value of every key, and where it came from. */
export function mergeValues(
  flags: Values,
  environment: Values,
  file: Values | undefined,
): { values: SettingValues; origins: Record<string, Origin> } {
  const origins: Record<string, Origin> = {};
  const layers = { flag: flags, environment, file };
  const values = Object.fromEntries(
    settingKeys.map((key) => {
      const setting = findSetting(key);
      const fallback = setting !== undefined && "default" in setting ? setting.default : undefined;
      const origin = (["flag", "environment", "file"] as const).find((layer) => layers[layer]?.has(key));
      origins[key] = origin ?? "default";
      return [key, origin === undefined ? structuredClone(fallback) : layers[origin]?.get(key)];
    }),
  );
  // Every value went through checkValue with the setting of its key, which is what SettingValues is made from.
  return { values: values as SettingValues, origins };
}
