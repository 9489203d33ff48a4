// How keys and values of a configuration appear in messages. What a file holds may be hostile: it is shown
// short, and never with characters that a terminal would act on.
import { TomlLiteral, type TomlValue } from "./toml-value.js";

const shownCharacters = 60;

/** A text in quotes, cut to a readable length, with everything invisible escaped. */
export function quoted(text: string): string {
  const cut = text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text;
  return JSON.stringify(cut).replace(
    /[\p{C}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`,
  );
}

/** A dotted key as it would be written in TOML. */
export function keyName(path: readonly string[]): string {
  return path.map((part) => (/^[\w-]{1,60}$/.test(part) ? part : quoted(part))).join(".");
}

/** What a value is, in words that complete "got …". */
export function described(value: TomlValue): string {
  if (typeof value === "string") return `the text ${quoted(value)}`;
  if (value instanceof TomlLiteral) return `the ${value.kind} ${value.text.slice(0, shownCharacters)}`;
  if (Array.isArray(value)) return "a list";
  if (value instanceof Map) return "a table";
  return String(value);
}
