// Reads options of a table one by one and collects what is wrong with them.
import type { OptionsResult, OptionsSchema } from "../../../core/plugin-api.js";

export class OptionReader {
  readonly #given: ReadonlyMap<string, unknown>;
  readonly #known = new Set<string>();
  readonly #issues: { readonly message: string; readonly path: string[] }[] = [];

  constructor(table: object) {
    this.#given = new Map(Object.entries(table));
  }

  refuse(key: string, message: string): void {
    this.#issues.push({ message, path: [key] });
  }

  text(key: string, most = 2000): string | undefined {
    const value = this.#take(key);
    if (value === undefined || (typeof value === "string" && value.length <= most)) return value;
    this.refuse(key, `expected a text of at most ${most} characters`);
    return undefined;
  }

  flag(key: string): boolean | undefined {
    const value = this.#take(key);
    if (value === undefined || typeof value === "boolean") return value;
    this.refuse(key, "expected true or false");
    return undefined;
  }

  number(
    key: string,
    {
      least,
      most,
      whole = true,
    }: { readonly least: number; readonly most: number; readonly whole?: boolean },
  ): number | undefined {
    const value = this.#take(key);
    if (value === undefined) return undefined;
    if (typeof value === "number" && value >= least && value <= most && (!whole || Number.isInteger(value)))
      return value;
    this.refuse(key, `expected a ${whole ? "whole " : ""}number from ${least} to ${most}`);
    return undefined;
  }

  choice<Choice extends string>(key: string, choices: readonly Choice[]): Choice | undefined {
    const value = this.#take(key);
    const chosen = choices.find((choice) => choice === value);
    if (value !== undefined && chosen === undefined)
      this.refuse(key, `expected one of ${choices.map((choice) => `"${choice}"`).join(", ")}`);
    return chosen;
  }

  /** To be called when all options were read: whatever else is in the table is unknown. */
  issues(): readonly { readonly message: string; readonly path: string[] }[] {
    const known = [...this.#known].join(", ");
    for (const key of this.#given.keys())
      if (!this.#known.has(key)) this.refuse(key, `unknown option; the options are ${known}`);
    return this.#issues;
  }

  #take(key: string): unknown {
    this.#known.add(key);
    return this.#given.get(key);
  }
}

/** A schema whose options `read` takes from the table. */
export function optionsSchema<Options>(read: (options: OptionReader) => Options): OptionsSchema<Options> {
  const validate = (value: unknown): OptionsResult<Options> => {
    if (typeof value !== "object" || value === null || Array.isArray(value))
      return { issues: [{ message: "expected a table of options", path: [] }] };
    const reader = new OptionReader(value);
    const options = read(reader);
    const issues = reader.issues();
    return issues.length > 0 ? { issues } : { value: options };
  };
  return { "~standard": { version: 1, vendor: "kb-mcp", validate } };
}
