// Writes values into SQL. Every value that comes from outside goes through here.

/** A text literal. DataFusion knows no escape but the doubled quote: backslash, % and _ mean themselves. */
export function text(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

/** A list of text literals, separated by commas. */
export function texts(values: Iterable<string>): string {
  return Array.from(values, text).join(", ");
}

/** That a column holds one of some values. At least one value must be given. */
export function isOneOf(column: string, values: Iterable<string>): string {
  return `${column} IN (${texts(values)})`;
}

/** That all conditions hold, or undefined if there are none. */
export function allOf(conditions: readonly string[]): string | undefined {
  return conditions.length === 0 ? undefined : conditions.map((condition) => `(${condition})`).join(" AND ");
}

/** That at least one of the conditions holds. */
export function anyOf(conditions: readonly string[]): string {
  return conditions.map((condition) => `(${condition})`).join(" OR ");
}
