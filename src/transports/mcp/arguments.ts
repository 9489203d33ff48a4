// Reads what a model sent as arguments with sense, against the schema it was shown. Converts, never guesses:
// what could mean two things is refused with an example.
import { KbError, nearestName } from "../../core/index.js";
import type { Arguments, InputSchema, Parameter } from "./input-schema.js";

type Value = string | number | boolean | string[];

/**
 * `null`, `""` and an empty list are absent. A number, a boolean or a list that came as text is converted by the
 * declared type; a text where a list is declared is a JSON array or one entry.
 * @param tool name of the tool, for messages
 * @throws KbError KB_TOOL_ARGUMENT
 */
export function readArguments<S extends InputSchema>(
  tool: string,
  schema: S,
  given: Readonly<Record<string, unknown>> = {},
): Arguments<S> {
  const read: Record<string, Value> = {};
  for (const [name, value] of Object.entries(given)) {
    const parameter = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
    if (parameter === undefined) throw unknownArgument(tool, schema, name);
    if (isAbsent(value)) continue;
    const converted = convert(parameter, value);
    if (converted === undefined) throw wrongValue(tool, name, parameter, value);
    if (!isAbsent(converted)) read[name] = converted;
  }
  for (const name of schema.required ?? []) {
    if (!Object.hasOwn(read, name)) throw missingArgument(tool, schema, name);
  }
  return read as Arguments<S>;
}

function isAbsent(value: unknown): boolean {
  return (
    value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0)
  );
}

/** The value as its declared type, or undefined if it cannot be read as that. */
function convert(parameter: Parameter, value: unknown): Value | undefined {
  switch (parameter.type) {
    case "string":
      return typeof value === "string" ? value : undefined;
    case "boolean":
      return toBoolean(value);
    case "array":
      return toList(value, parameter.maxItems);
    case "integer":
    case "number": {
      const number = toNumber(value);
      const fits =
        number !== undefined &&
        number >= parameter.minimum &&
        number <= (parameter.maximum ?? Number.MAX_SAFE_INTEGER) &&
        (parameter.type === "number" || Number.isInteger(number));
      return fits ? number : undefined;
    }
  }
}

function toBoolean(value: unknown): boolean | undefined {
  if (typeof value === "boolean") return value;
  const text = typeof value === "string" ? value.trim().toLowerCase() : undefined;
  return text === "true" ? true : text === "false" ? false : undefined;
}

const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/iu;

function toNumber(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  return typeof value === "string" && decimal.test(value.trim()) ? Number(value) : undefined;
}

function toList(value: unknown, maxItems: number): string[] | undefined {
  const list = typeof value === "string" ? (jsonArray(value) ?? [value]) : value;
  if (!Array.isArray(list)) return undefined;
  const entries = list.filter((entry) => !isAbsent(entry)) as unknown[];
  return entries.length <= maxItems && entries.every((entry) => typeof entry === "string")
    ? entries
    : undefined;
}

/** A glob may begin with "[" too: what is no JSON array is one entry. */
function jsonArray(text: string): unknown[] | undefined {
  if (!text.trimStart().startsWith("[")) return undefined;
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function unknownArgument(tool: string, schema: InputSchema, name: string): KbError {
  const known = Object.keys(schema.properties);
  const nearest = nearestName(name, known);
  const takes = known.length === 0 ? `${tool} takes no arguments.` : `${tool} takes: ${known.join(", ")}.`;
  return new KbError("KB_TOOL_ARGUMENT", `${tool} has no argument ${shown(name)}`, {
    hint: nearest === undefined ? takes : `Did you mean "${nearest}"? ${takes}`,
  });
}

function missingArgument(tool: string, schema: InputSchema, name: string): KbError {
  return new KbError("KB_TOOL_ARGUMENT", `${tool} needs the argument "${name}"`, {
    hint: `For example: ${JSON.stringify({ [name]: schema.properties[name]?.examples[0] })}`,
  });
}

function wrongValue(tool: string, name: string, parameter: Parameter, value: unknown): KbError {
  return new KbError(
    "KB_TOOL_ARGUMENT",
    `The argument "${name}" of ${tool} takes ${expected(parameter)}, not ${shown(value)}`,
    { hint: `For example: ${JSON.stringify({ [name]: parameter.examples[0] })}` },
  );
}

function expected(parameter: Parameter): string {
  switch (parameter.type) {
    case "string":
      return "a text";
    case "boolean":
      return "true or false";
    case "array":
      return `a list of at most ${parameter.maxItems} texts`;
    case "integer":
    case "number": {
      const kind = parameter.type === "integer" ? "a whole number" : "a number";
      const to = parameter.maximum === undefined ? " or more" : ` to ${parameter.maximum}`;
      return `${kind} from ${parameter.minimum}${to}`.replace(/from (\S+) or more$/u, "of $1 or more");
    }
  }
}

/** A caller's value in a message, cut so that a large one cannot fill the reply. */
function shown(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length <= 80 ? text : `${text.slice(0, 79)}…`;
}
