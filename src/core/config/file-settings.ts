// Reads a parsed file against the table of settings: values, options of plugins, and everything that is wrong.
import { checkValue, complainOfId, type SettingValue, type ValueContext } from "./check-value.js";
import { described, keyName } from "./display.js";
import { optionsOf, type PluginOptions } from "./plugin-options.js";
import type { Problem } from "./problem.js";
import type { PluginKind } from "./setting.js";
import { environmentName, findSetting, optionsTables, settingKeys, type SettingKey } from "./settings.js";
import type { TomlEntry, TomlTable } from "./toml-value.js";

export interface FileSettings {
  readonly values: ReadonlyMap<SettingKey, SettingValue>;
  /** Options of the embedder and the store that the file uses. */
  readonly embedder: PluginOptions;
  readonly store: PluginOptions;
  /** Options by id. */
  readonly parsers: ReadonlyMap<string, PluginOptions>;
  readonly transports: ReadonlyMap<string, PluginOptions>;
  readonly rerankers: ReadonlyMap<string, PluginOptions>;
  readonly problems: readonly Problem[];
}

const fileKeys = settingKeys.filter((key) => findSetting(key)?.environmentOnly !== true);
const sections: ReadonlySet<string> = new Set([
  ...fileKeys.flatMap((key) => (key.includes(".") ? [key.slice(0, key.lastIndexOf("."))] : [])),
  ...Object.keys(optionsTables).map((table) => table.replace(".<id>", "")),
]);
const knownNames = [...fileKeys, ...sections];

/** What an unknown key may have been meant to be: the same name elsewhere, else a neighbour, else anything. */
function candidatesFor(path: readonly string[]): readonly string[] {
  const elsewhere = fileKeys.filter((key) => key.endsWith(`.${path.at(-1) ?? ""}`));
  if (elsewhere.length > 0) return elsewhere;
  const neighbours = fileKeys.filter((key) => key.startsWith(`${path.slice(0, -1).join(".")}.`));
  return neighbours.length > 0 ? neighbours : knownNames;
}

/** @param file shown in problems */
export function readFileSettings(root: TomlTable, file: string, context: ValueContext): FileSettings {
  const reader = new FileReader(file, context);
  reader.readTable(root, []);
  return reader;
}

class FileReader implements FileSettings {
  readonly values = new Map<SettingKey, SettingValue>();
  readonly embedder: PluginOptions = {};
  readonly store: PluginOptions = {};
  readonly parsers = new Map<string, PluginOptions>();
  readonly transports = new Map<string, PluginOptions>();
  readonly rerankers = new Map<string, PluginOptions>();
  readonly problems: Problem[] = [];

  constructor(
    private readonly file: string,
    private readonly context: ValueContext,
  ) {}

  readTable(table: TomlTable, path: readonly string[]): void {
    for (const [name, entry] of table) this.readEntry([...path, name], entry);
  }

  private readEntry(path: readonly string[], entry: TomlEntry): void {
    // A quoted key with a dot is none of the table's, whatever it spells.
    const key = path.some((part) => part.includes(".")) ? undefined : path.join(".");
    const setting = key === undefined ? undefined : findSetting(key);
    if (setting !== undefined && setting.environmentOnly !== true) {
      const checked = checkValue(keyName(path), setting, entry.value, this.context);
      if ("value" in checked) this.values.set(key as SettingKey, checked.value);
      else this.complain(entry, checked.complaint);
    } else if (key !== undefined && sections.has(key)) {
      if (entry.value instanceof Map) this.readTable(entry.value, path);
      else this.complainOfTable(path, entry);
    } else if (setting !== undefined) {
      this.complain(entry, {
        code: "KB_CONFIG_UNKNOWN_KEY",
        text: `unknown key ${keyName(path)}: only the environment sets it, as ${environmentName(key as SettingKey)}`,
      });
    } else if (!this.readOption(path, entry)) {
      this.complain(entry, {
        code: "KB_CONFIG_UNKNOWN_KEY",
        text: `unknown key ${keyName(path)}`,
        nearest: { to: path.join("."), among: candidatesFor(path) },
      });
    }
  }

  /** false if the entry belongs to no plugin. */
  private readOption(path: readonly string[], entry: TomlEntry): boolean {
    const name = path.at(-1) ?? "";
    switch (path.slice(0, -1).join(".")) {
      case "embedder":
        this.addOptions(this.embedder, new Map([[name, entry]]), path.slice(0, -1));
        return true;
      case "store":
        this.addOptions(this.store, new Map([[name, entry]]), path.slice(0, -1));
        return true;
      case "transport":
        this.readOptionsById(this.transports, "transport", path, entry);
        return true;
      case "reranker":
        this.readOptionsById(this.rerankers, "reranker", path, entry);
        return true;
      case "parsers.options":
        this.readOptionsById(this.parsers, "parser", path, entry);
        return true;
      default:
        return false;
    }
  }

  private readOptionsById(
    byId: Map<string, PluginOptions>,
    kind: PluginKind,
    path: readonly string[],
    entry: TomlEntry,
  ): void {
    const id = path.at(-1) ?? "";
    const unknown = complainOfId(keyName(path), kind, id, this.context);
    if (unknown !== undefined) this.complain(entry, unknown);
    else if (!(entry.value instanceof Map)) this.complainOfTable(path, entry);
    else {
      const options: PluginOptions = {};
      this.addOptions(options, entry.value, path);
      byId.set(id, options);
    }
  }

  private addOptions(options: PluginOptions, table: TomlTable, path: readonly string[]): void {
    const result = optionsOf(table, path);
    Object.assign(options, result.options);
    for (const { entry, complaint } of result.complaints) this.complain(entry, complaint);
  }

  private complainOfTable(path: readonly string[], entry: TomlEntry): void {
    this.complain(entry, {
      code: "KB_CONFIG_INVALID_VALUE",
      text: `${keyName(path)} is a table, written [${keyName(path)}]; got ${described(entry.value)}`,
    });
  }

  private complain(entry: TomlEntry, complaint: Omit<Problem, "where" | "line">): void {
    this.problems.push({ ...complaint, where: `${this.file}:${entry.line}`, line: entry.line });
  }
}
