// What a file may not set when it was merely found and not named by the user: whoever wrote a cloned repository
// or a shared folder wrote it. Removes that from the parsed file and says so; the rest is checked like any file.
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { ConfigFile } from "./config-file.js";
import type { KnownPlugins } from "./config.js";
import { keyName, quoted } from "./display.js";
import { expandPath } from "./expand-path.js";
import { holds, isFileSystemRoot } from "./folder-relation.js";
import { isLoopbackBind } from "./loopback-bind.js";
import { kindPhrases, type OptionsTable, type PluginKind, type Setting } from "./setting.js";
import { findSetting, optionsTables, settings } from "./settings.js";
import { entryAt, tableAt, type TomlTable, type TomlValue } from "./toml-value.js";

interface TrustContext {
  readonly workingDirectory: string;
  readonly homeDirectory: string;
  readonly knownPlugins: KnownPlugins;
}

/** How many removals are told one by one; a hostile file could hold thousands. */
const shownWarnings = 20;

/** Removes from `root` what the file may not set. Returns one warning for each thing removed. */
export async function removeUntrusted(
  root: TomlTable,
  file: ConfigFile,
  context: TrustContext,
): Promise<string[]> {
  const warnings: string[] = [];
  const finding = file.place === "git root" ? "at the git root" : "in the working directory";
  const warn: Warn = (line, what, mayNot, remedy = "") => {
    warnings.push(
      `${file.path}:${line}: ignored ${what}: a file found ${finding} may not ${mayNot}; ` +
        `${remedy}to trust the file, name it: --config ${shellWord(file.path)}`,
    );
  };

  removeSections(root, warn);
  await removeWidePath(root, file, context, warn);
  removeIds(root, context.knownPlugins, warn);
  removeOptions(root, context.knownPlugins, warn);

  const unshown = warnings.length - shownWarnings;
  if (unshown <= 0) return warnings;
  return [...warnings.slice(0, shownWarnings), `${file.path}: ignored ${unshown} more keys in the same way`];
}

type Warn = (line: number, what: string, mayNot: string, remedy?: string) => void;

/** Sections in which nothing is allowed go as a whole. */
function removeSections(root: TomlTable, warn: Warn): void {
  const entries = Object.entries<Setting | OptionsTable>({ ...settings, ...optionsTables });
  for (const [name, entry] of root) {
    const own = entries.filter(([key]) => key === name || key.startsWith(`${name}.`));
    if (own.length === 0 || own.some(([, { untrusted }]) => untrusted !== "ignored")) continue;
    const risk = own.find(([, { risk }]) => risk !== undefined)?.[1].risk;
    if (risk === undefined) continue;
    root.delete(name);
    if (!setsDefaultsOnly(name, entry.value)) warn(entry.line, `[${name}]`, risk);
  }
}

/** A file that spells the defaults out loses nothing. */
function setsDefaultsOnly(section: string, value: TomlValue): boolean {
  if (!(value instanceof Map)) return false;
  return [...value].every(([name, entry]) => {
    const setting = findSetting(`${section}.${name}`);
    return setting !== undefined && "default" in setting && isDeepStrictEqual(setting.default, entry.value);
  });
}

/** A folder that holds more than the notes next to the file would hand the user's own files out. */
async function removeWidePath(
  root: TomlTable,
  file: ConfigFile,
  { workingDirectory, homeDirectory }: TrustContext,
  warn: Warn,
): Promise<void> {
  const entry = root.get("kb_path");
  if (typeof entry?.value !== "string") return;
  const folder = expandPath(entry.value, path.dirname(file.path), homeDirectory);
  const reason = (await isFileSystemRoot(folder))
    ? "is the root of a file system"
    : (await holds(folder, homeDirectory))
      ? "holds the home directory"
      : (await holds(folder, file.path)) || (await holds(folder, path.dirname(file.path)))
        ? "holds the file itself"
        : undefined;
  if (reason === undefined) return;
  root.delete("kb_path");
  const relative = path.relative(workingDirectory, folder);
  const shown = relative === "" ? "." : relative.startsWith("..") ? folder : relative;
  warn(
    entry.line,
    `kb_path = ${quoted(entry.value)}`,
    `name a folder that ${reason}`,
    `to use the folder, give it on the command line: --kb-path ${shellWord(shown)}; `,
  );
}

/** Only the plugins that came with kb-mcp, and only the embedders that keep everything on the machine. */
function removeIds(root: TomlTable, knownPlugins: KnownPlugins, warn: Warn): void {
  for (const [key, setting] of Object.entries<Setting>(settings)) {
    if (setting.type !== "id" && setting.type !== "ids") continue;
    const allowed = allowedIds(setting, knownPlugins);
    const keyPath = key.split(".");
    const section = tableAt(root, keyPath.slice(0, -1));
    const entry = entryAt(root, keyPath);
    const name = keyPath.at(-1) ?? "";
    if (allowed === undefined || section === undefined || entry === undefined) continue;

    const mayNot = `use ${kindPhrases[setting.of]}${allowed.length > 0 ? ` other than ${allowed.join(", ")}` : ""}`;
    const isForeign = (id: TomlValue): id is string => typeof id === "string" && !allowed.includes(id);
    if (Array.isArray(entry.value)) {
      const foreign = entry.value.filter(isForeign);
      if (foreign.length === 0) continue;
      for (const id of foreign) warn(entry.line, `${quoted(id)} in ${key}`, mayNot);
      const kept = entry.value.filter((id) => !isForeign(id));
      if (kept.length > 0) section.set(name, { ...entry, value: kept });
      else section.delete(name);
    } else if (isForeign(entry.value)) {
      warn(entry.line, `${key} = ${quoted(entry.value)}`, mayNot);
      section.delete(name);
      // Options next to `use` are the foreign plugin's own; the default plugin would refuse them.
      if (Object.hasOwn(optionsTables, keyPath[0] ?? "")) root.delete(keyPath[0] ?? "");
    }
  }
}

function allowedIds(
  setting: Setting & { of: PluginKind },
  known: KnownPlugins,
): readonly string[] | undefined {
  if (typeof setting.untrusted === "object") return setting.untrusted.only;
  return setting.untrusted === "known-ids" ? known[`${setting.of}s`] : undefined;
}

function removeOptions(root: TomlTable, knownPlugins: KnownPlugins, warn: Warn): void {
  for (const [name, rule] of Object.entries<OptionsTable>(optionsTables)) {
    const tablePath = name.replace(".<id>", "").split(".");
    const table = tableAt(root, tablePath);
    if (table === undefined) continue;
    if (!name.endsWith(".<id>")) {
      removeFromTable(table, tablePath, rule, warn);
      continue;
    }
    const known = knownPlugins[`${rule.of}s`];
    for (const [id, entry] of table) {
      const idPath = [...tablePath, id];
      if (findSetting(idPath.join(".")) !== undefined) continue;
      if (!known.includes(id)) {
        table.delete(id);
        warn(
          entry.line,
          `[${keyName(idPath)}]`,
          `set up ${kindPhrases[rule.of]} other than ${known.join(", ")}`,
        );
      } else if (entry.value instanceof Map) removeFromTable(entry.value, idPath, rule, warn);
    }
  }
}

function removeFromTable(
  table: TomlTable,
  tablePath: readonly string[],
  rule: OptionsTable,
  warn: Warn,
): void {
  if (typeof rule.untrusted !== "object") return;
  for (const [option, entry] of table) {
    if (findSetting([...tablePath, option].join(".")) !== undefined) continue;
    const allowed = option === "bind" ? isLoopbackBind(entry.value) : true;
    if (allowed && rule.untrusted.only.includes(option)) continue;
    table.delete(option);
    warn(entry.line, keyName([...tablePath, option]), rule.risk ?? "set this");
  }
}

/** A path as it can be pasted into a shell: a folder of somebody else may be called `$(…)`. */
function shellWord(text: string): string {
  if (/^[\w./\\:@+-]+$/.test(text)) return text;
  return process.platform === "win32" ? `"${text}"` : `'${text.replaceAll("'", "'\\''")}'`;
}
