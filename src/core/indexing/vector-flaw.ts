// What an embedder may answer for one text: a vector of its dimensions, or null.

/**
 * What is wrong with an answer, in words that follow "answered" or "answered with"; undefined for a vector of finite numbers, and for null.
 * Told by its tag and not by its class: a plugin may run in another realm.
 */
export function vectorFlaw(answer: unknown, dimensions: number): string | undefined {
  if (answer === null) return undefined;
  if (!isFloat32Array(answer)) return `${nameOf(answer)} instead of a Float32Array`;
  if (answer.length !== dimensions) return `a vector of ${answer.length} numbers instead of ${dimensions}`;
  const position = answer.findIndex((value) => !Number.isFinite(value));
  return position < 0 ? undefined : `a vector that holds ${String(answer[position])}`;
}

/** What kind of value something is: "undefined", "a list of 3", "Float64Array". */
export function nameOf(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.length}`;
  return typeof value === "object" && value !== null
    ? Object.prototype.toString.call(value).slice("[object ".length, -1)
    : typeof value;
}

function isFloat32Array(value: unknown): value is Float32Array {
  return ArrayBuffer.isView(value) && Object.prototype.toString.call(value) === "[object Float32Array]";
}
