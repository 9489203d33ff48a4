// What an entry of the table of settings can say, and how it is said in words. The table itself is settings.ts.

/** The kinds of plugin that a file chooses by id. */
export type PluginKind = "parser" | "embedder" | "store" | "reranker" | "transport";

/**
 * What a file that was merely found, and not named by the user, may set:
 *
 * - `allowed`: anything
 * - `ignored`: nothing
 * - `known-ids`: ids that exist in this installation
 * - `confined`: a folder that holds neither the home directory nor the file itself, and is no filesystem root
 * - `only`: the values (of an id) or the option names (of an options table) listed
 */
export type UntrustedRule =
  "allowed" | "ignored" | "known-ids" | "confined" | { readonly only: readonly string[] };

interface Common {
  /** What it does, in one line. */
  readonly description: string;
  readonly untrusted: UntrustedRule;
  /** Why an untrusted file may not set it, completing "a file that was found may not …". */
  readonly risk?: string;
  /** The flag that sets it. */
  readonly flag?: string;
  /** true for what only the environment sets. */
  readonly environmentOnly?: true;
}

/** One key: what it takes, what it is without being set, what it means. */
export type Setting = Common &
  (
    | {
        readonly type: "path";
        /** Absent for a folder. */
        readonly of?: "file";
      }
    | { readonly type: "choice"; readonly choices: readonly string[]; readonly default: string }
    | {
        readonly type: "list";
        readonly entries: "folder names" | "headings" | "packages" | "path templates";
        readonly default: readonly string[];
      }
    | { readonly type: "id"; readonly of: PluginKind; readonly default?: string }
    | { readonly type: "ids"; readonly of: PluginKind; readonly default: readonly string[] }
    | {
        readonly type: "number" | "integer";
        readonly min: number;
        readonly max: number;
        readonly default?: number;
      }
    | { readonly type: "boolean"; readonly default: boolean }
  );

/** A table whose keys belong to a plugin, which checks them itself. */
export interface OptionsTable extends Common {
  readonly of: PluginKind;
}

/** The TypeScript value of a setting. */
export type ValueOf<S extends Setting> = S extends { type: "list" | "ids" }
  ? string[]
  : S extends { type: "choice"; choices: readonly (infer Choice)[] }
    ? Choice
    : S extends { type: "number" | "integer" }
      ? number
      : S extends { type: "boolean" }
        ? boolean
        : string;

/** A plugin kind with its article. */
export const kindPhrases = {
  parser: "a parser",
  embedder: "an embedder",
  store: "a store",
  reranker: "a reranker",
  transport: "a transport",
} as const satisfies Readonly<Record<PluginKind, string>>;

/** What a setting takes, in words that complete "takes …". */
export function takes(setting: Setting): string {
  switch (setting.type) {
    case "path":
      return `the path of a ${setting.of ?? "folder"}`;
    case "choice":
      return `one of ${setting.choices.join(", ")}`;
    case "list":
      return `a list of ${setting.entries}`;
    case "id":
      return `the id of ${kindPhrases[setting.of]}`;
    case "ids":
      return `a list of ids of ${setting.of}s`;
    case "number":
      return `a number from ${setting.min} to ${setting.max}`;
    case "integer":
      return `a whole number from ${setting.min} to ${setting.max}`;
    case "boolean":
      return "true or false";
  }
}
