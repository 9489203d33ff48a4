// Turns a table of plugin options into plain data, as a plugin's schema and a worker thread can take it.
import { limits } from "../limits.js";
import type { Complaint } from "./check-value.js";
import { described, keyName } from "./display.js";
import { TomlLiteral, type TomlEntry, type TomlTable, type TomlValue } from "./toml-value.js";

/** Plain data only: what JSON can hold. */
export type PluginOptions = Record<string, unknown>;

interface PlacedComplaint {
  readonly entry: TomlEntry;
  readonly complaint: Complaint;
}

/** Dates become the text that was written. What no plugin could use safely is refused. */
export function optionsOf(
  table: TomlTable,
  path: readonly string[],
): { options: PluginOptions; complaints: PlacedComplaint[] } {
  const complaints: PlacedComplaint[] = [];

  const plainTable = (inner: TomlTable, innerPath: readonly string[], depth: number): PluginOptions => {
    const options: PluginOptions = {};
    for (const [name, entry] of inner) {
      const entryPath = [...innerPath, name];
      const refuse = (text: string): void => {
        complaints.push({
          entry,
          complaint: { code: "KB_CONFIG_INVALID_VALUE", text: `${keyName(entryPath)} ${text}` },
        });
      };
      // An assignment to this name would change the object's prototype, here or in the plugin.
      if (name === "__proto__") refuse("is not a name that an option can have");
      else options[name] = plain(entry.value, entryPath, depth, refuse);
    }
    return options;
  };

  const plain = (
    value: TomlValue,
    valuePath: readonly string[],
    depth: number,
    refuse: (text: string) => void,
  ): unknown => {
    if (value instanceof Map || Array.isArray(value)) {
      if (depth > limits.configDepth) {
        refuse(`is nested more than ${limits.configDepth} levels deep`);
        return undefined;
      }
      return value instanceof Map
        ? plainTable(value, valuePath, depth + 1)
        : value.map((item) => plain(item, valuePath, depth + 1, refuse));
    }
    if (value instanceof TomlLiteral) {
      if (value.kind === "date") return value.text;
      refuse(`takes whole numbers up to 2^53; got ${described(value)}`);
      return undefined;
    }
    if (typeof value === "number" && !Number.isFinite(value)) refuse(`takes a finite number; got ${value}`);
    return value;
  };

  return { options: plainTable(table, path, 1), complaints };
}
