import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { takes, type Setting } from "../../../src/core/config/setting.js";
import {
  environmentName,
  optionsTables,
  settings,
  type SettingKey,
} from "../../../src/core/config/settings.js";
import { ConfigWorkspace } from "./support/config-workspace.js";

const page = readFileSync(path.resolve("docs/configuration.md"), "utf8");

/** The rows of the table under a header row that starts with these cells, as cells without code marks. */
function rowsUnder(...header: string[]): string[][] {
  const cells = (line: string): string[] =>
    line
      .slice(1, -1)
      .split(" | ")
      .map((cell) => cell.trim());
  const lines = page.split("\n");
  const start = lines.findIndex(
    (line) => line.startsWith("|") && header.every((name, index) => cells(line)[index] === name),
  );
  expect(start).toBeGreaterThan(-1);
  const length = lines.slice(start).findIndex((line) => !line.startsWith("|"));
  return lines.slice(start + 2, start + length).map(cells);
}

const toml = (value: unknown): string =>
  Array.isArray(value) ? `[${value.map(toml).join(", ")}]` : JSON.stringify(value);
const entries = Object.entries<Setting>(settings) as [SettingKey, Setting][];
const code = (text: string): string => `\`${text}\``;
const withDefault = (setting: Setting): string | undefined =>
  "default" in setting ? code(toml(setting.default)) : undefined;

describe("docs/configuration.md", () => {
  it("documents every key, and no other, with what it takes, its default, its variable and its meaning", () => {
    const documented = rowsUnder("Key", "Takes", "Default", "Environment", "Meaning");
    const expected = entries
      .filter(([, setting]) => setting.environmentOnly !== true)
      .map(([key, setting]) => [
        code(key),
        takes(setting),
        withDefault(setting) ?? expect.stringMatching(/^[a-z]/),
        code(environmentName(key)),
        setting.description + (setting.flag === undefined ? "" : ` Also ${code(setting.flag)}.`),
      ]);
    expect(documented).toEqual(expected);
  });

  it("documents every variable without a key, and no other", () => {
    const documented = rowsUnder("Variable", "Takes", "Default", "Meaning").map(([name]) => name);
    const expected = entries.filter(([, setting]) => setting.environmentOnly === true);
    expect(documented.sort()).toEqual(
      [...expected.map(([key]) => code(environmentName(key))), "`KB_MCP_CONFIG`"].sort(),
    );
  });

  it("documents every table of options, and no other", () => {
    expect(rowsUnder("Table", "Meaning")).toEqual(
      Object.entries(optionsTables).map(([table, { description }]) => [code(`[${table}]`), description]),
    );
  });

  it("names every key that an untrusted file may not set freely, and no other", () => {
    const documented = rowsUnder("Key", "In a file that was merely found").map(([name]) => name);
    const guarded = entries.filter(
      ([, setting]) => setting.untrusted !== "allowed" && setting.environmentOnly !== true,
    );
    const tables = Object.entries(optionsTables).filter(([, { untrusted }]) => untrusted !== "allowed");
    const tableName = (table: string): string =>
      `${table.includes("<id>") ? "options" : "other options"} in ${code(`[${table}]`)}`;
    expect(documented).toEqual([
      ...guarded.map(([key]) => code(key)),
      ...tables.map(([table]) => tableName(table)),
    ]);
  });

  describe("its examples", () => {
    let workspace: ConfigWorkspace;
    beforeAll(async () => {
      workspace = await ConfigWorkspace.create();
    });
    afterAll(() => workspace.remove());

    const [, examplesSection = ""] = page.split("\n## Examples\n");
    const examples = [...examplesSection.matchAll(/```toml\n(.*?)```/gs)].map((match) => match[1] ?? "");
    it("are two", () => expect(examples).toHaveLength(2));
    it.each(examples)("load without a warning from a file that was merely found: %#", async (example) => {
      const { warnings, origins } = await workspace.loadFound(example);
      expect([warnings, origins["kb_path"]]).toEqual([[], "file"]);
    });
  });
});
