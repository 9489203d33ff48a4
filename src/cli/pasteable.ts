// Commands that a message names, with the flags that the user gave: to be pasted into the same shell.
import type { CommonFlags } from "./program.js";

/** The commands that messages advise, up to where the flags may stand. */
const advised = /\bkb-mcp (?:index(?: --force)?|models (?:pull|verify))(?![\w-])/gu;

/** What no shell sees anything in. */
const plain = process.platform === "win32" ? /^[\w./\\:-]+$/u : /^[\w./:@%+,=-]+$/u;

/** The text, each command in it with `--kb-path` and `--config` as they were given. */
export function pasteable(text: string, { kbPath, config }: CommonFlags): string {
  const flags = [
    ...(kbPath === undefined ? [] : ["--kb-path", quoted(kbPath)]),
    ...(config === undefined ? [] : ["--config", quoted(config)]),
  ];
  return text.replace(advised, (command) => [command, ...flags].join(" "));
}

function quoted(value: string): string {
  if (plain.test(value)) return value;
  return process.platform === "win32" ? `"${value}"` : `'${value.replaceAll("'", String.raw`'\''`)}'`;
}
