// Counts the terms of a query in a term column as Arrow holds it, in bytes: making strings of a few hundred terms for
// each of 150 candidates would take longer than LanceDB takes to find them.
import type { TextCell } from "./arrow-rows.js";

/** How often each term of a query occurs in one field of a chunk, and how long the field is. */
export interface Occurrences {
  /** Terms in the field. */
  readonly length: number;
  /** One count for each term of the query, in its order. */
  readonly counts: Uint32Array;
}

const space = 0x20;

/** A function that counts these terms, which are distinct, in terms joined by single spaces. */
export function termScanner(terms: readonly string[]): (cell: TextCell) => Occurrences {
  const encoded = terms.map((term) => Buffer.from(term));
  const slots = new Map<number, number[]>();
  encoded.forEach((bytes, slot) => {
    const hash = hashOf(bytes, 0, bytes.length);
    slots.set(hash, [...(slots.get(hash) ?? []), slot]);
  });

  return ({ bytes, start, end }) => {
    const counts = new Uint32Array(encoded.length);
    if (start === end) return { length: 0, counts };
    let length = 0;
    let from = start;
    while (from <= end) {
      let to = from;
      let hash = hashSeed;
      for (; to < end && bytes[to] !== space; to++) hash = hashStep(hash, bytes[to] ?? 0);
      length++;
      for (const slot of slots.get(hash) ?? [])
        if (equals(encoded[slot], bytes, from, to)) counts[slot] = (counts[slot] ?? 0) + 1;
      from = to + 1;
    }
    return { length, counts };
  };
}

const hashSeed = 7;

/** A hash that fits a small integer, which keeps look-ups in the map free of allocation. */
function hashStep(hash: number, byte: number): number {
  return (Math.imul(hash, 31) + byte) & 0x3fffffff;
}

function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = hashSeed;
  for (let at = start; at < end; at++) hash = hashStep(hash, bytes[at] ?? 0);
  return hash;
}

function equals(term: Uint8Array | undefined, bytes: Uint8Array, start: number, end: number): boolean {
  if (term?.length !== end - start) return false;
  for (let at = 0; at < term.length; at++) if (term[at] !== bytes[start + at]) return false;
  return true;
}
