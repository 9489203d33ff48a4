// The tree that a TOML file becomes. Tables are maps, not objects, so that a hostile key such as `__proto__` is
// a key like any other.

/** A value that JSON has no exact form for, kept as it was written: a date, or a whole number beyond 2^53. */
export class TomlLiteral {
  constructor(
    readonly kind: "date" | "whole number",
    readonly text: string,
  ) {}
}

export interface TomlEntry {
  readonly value: TomlValue;
  /** The line where the key stands first, counted from 1. */
  readonly line: number;
}

export type TomlTable = Map<string, TomlEntry>;

export type TomlValue = string | number | boolean | TomlLiteral | TomlValue[] | TomlTable;

/** The entry at a path of keys, or undefined if there is none. */
export function entryAt(table: TomlTable, path: readonly string[]): TomlEntry | undefined {
  let entry: TomlEntry | undefined;
  let current: TomlValue | undefined = table;
  for (const name of path) {
    entry = current instanceof Map ? current.get(name) : undefined;
    current = entry?.value;
  }
  return entry;
}

/** The table at a path of keys, or undefined if there is none or something else is there. */
export function tableAt(table: TomlTable, path: readonly string[]): TomlTable | undefined {
  if (path.length === 0) return table;
  const value = entryAt(table, path)?.value;
  return value instanceof Map ? value : undefined;
}
