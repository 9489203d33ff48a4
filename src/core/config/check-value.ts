// Checks one value against its setting, wherever the value came from. Pure: asks nothing of the disk.
import { templateFlaw } from "../documents/path-template.js";
import { described, quoted } from "./display.js";
import { expandPath, isPackagePath, windowsPathHint } from "./expand-path.js";
import type { KnownPlugins } from "./config.js";
import type { Problem } from "./problem.js";
import { takes, type PluginKind, type Setting } from "./setting.js";
import type { TomlValue } from "./toml-value.js";

/** What a value needs to be understood. */
export interface ValueContext {
  /** The folder from which relative paths count. */
  readonly base: string;
  readonly homeDirectory: string;
  readonly knownPlugins: KnownPlugins;
  /** Whether third-party packages are named: which ids they offer is only known when they are loaded. */
  readonly openIds: boolean;
}

export type SettingValue = string | number | boolean | string[];

/** A problem that does not know its place yet. */
export type Complaint = Omit<Problem, "where" | "line">;

type Checked = { readonly value: SettingValue } | { readonly complaint: Complaint };

/** @param name how messages call the setting */
export function checkValue(name: string, setting: Setting, value: TomlValue, context: ValueContext): Checked {
  const refuse = (got: string, hint?: string): Checked => ({
    complaint: {
      code: "KB_CONFIG_INVALID_VALUE",
      text: `${name} takes ${takes(setting)}; got ${got}`,
      ...(hint === undefined ? {} : { hint }),
    },
  });

  switch (setting.type) {
    case "path":
      if (typeof value !== "string" || value.trim() === "") return refuse(described(value));
      // "C:\notes" in double quotes is a line break and "otes".
      if (/\p{Cc}/u.test(value)) {
        return refuse(`${described(value)}, which holds a control character`, windowsPathHint);
      }
      return { value: expandPath(value, context.base, context.homeDirectory) };
    case "boolean":
      return typeof value === "boolean" ? { value } : refuse(described(value));
    case "number":
    case "integer": {
      if (typeof value !== "number" || (setting.type === "integer" && !Number.isInteger(value))) {
        return refuse(described(value));
      }
      return value >= setting.min && value <= setting.max ? { value } : refuse(described(value));
    }
    case "choice":
      return typeof value === "string" && setting.choices.includes(value)
        ? { value }
        : refuse(described(value));
    case "id": {
      if (typeof value !== "string") return refuse(described(value));
      const complaint = complainOfId(name, setting.of, value, context);
      return complaint === undefined ? { value } : { complaint };
    }
    case "ids":
    case "list": {
      if (!Array.isArray(value)) return refuse(described(value));
      const texts: string[] = [];
      for (const [index, entry] of value.entries()) {
        if (typeof entry !== "string" || entry.trim() === "") {
          return refuse(`${described(entry)} as entry ${index + 1}`);
        }
        texts.push(entry);
      }
      const complaint = complainOfList(name, setting, texts, context);
      return complaint === undefined ? { value: [...new Set(texts)] } : { complaint };
    }
  }
}

/** What is wrong with a plugin's id, if anything that can be known before packages are loaded. */
export function complainOfId(
  name: string,
  kind: PluginKind,
  id: string,
  { knownPlugins, openIds }: Pick<ValueContext, "knownPlugins" | "openIds">,
): Complaint | undefined {
  const known = knownPlugins[`${kind}s`];
  if (openIds || known.includes(id)) return undefined;
  const text = `${name}: there is no ${kind} ${quoted(id)}; this version has ${known.join(", ") || "none"}`;
  return known.length === 0
    ? { code: "KB_PLUGIN_UNKNOWN", text, hint: "Leave the setting out." }
    : { code: "KB_PLUGIN_UNKNOWN", text, nearest: { to: id, among: known } };
}

function complainOfList(
  name: string,
  setting: Setting & { readonly type: "ids" | "list" },
  texts: readonly string[],
  context: ValueContext,
): Complaint | undefined {
  const invalid = (text: string, hint: string): Complaint => ({
    code: "KB_CONFIG_INVALID_VALUE",
    text: `${name} ${text}`,
    hint,
  });
  if (setting.type === "ids") {
    if (texts.length === 0) {
      return invalid(`needs at least one id of ${setting.of}s`, "Leave the key out to have the default.");
    }
    for (const id of texts) {
      const complaint = complainOfId(name, setting.of, id, context);
      if (complaint !== undefined) return complaint;
    }
    return undefined;
  }
  switch (setting.entries) {
    case "packages": {
      const wrong = texts.find((text) => !isPackage(text));
      return wrong === undefined
        ? undefined
        : invalid(
            `takes names of npm packages, and paths that begin with "./", "../", "~/" or "/"; got ${quoted(wrong)}`,
            'For example: packages = ["kb-mcp-parser-org", "./plugins/my-parser.mjs"].',
          );
    }
    case "folder names": {
      const wrong = texts.find((text) => /[/\\]/.test(text));
      return wrong === undefined
        ? undefined
        : invalid(
            `takes names of folders, not paths; got ${quoted(wrong)}`,
            "Write paths and patterns into .kb-mcpignore in the root of the knowledge base.",
          );
    }
    case "path templates":
      for (const text of texts) {
        const flaw = templateFlaw(text);
        if (flaw !== undefined)
          return invalid(
            `holds ${quoted(text)}, but a template ${flaw}`,
            'For example: ["best-practices/{target}/PERFECT.md"].',
          );
      }
      return undefined;
    case "headings":
      return undefined;
  }
}

/** A path, or the name of an npm package (with what it exports under a name of its own). No URL, whatever its scheme. */
function isPackage(text: string): boolean {
  return (
    isPackagePath(text) ||
    /^(?:@[a-z\d~-][\w.~-]*\/)?[a-z\d~-][\w.~-]*(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)*$/i.test(text)
  );
}
