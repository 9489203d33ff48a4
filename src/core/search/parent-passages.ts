// Parent expansion: a passage that was found grows to the section it stands in, as far as there is room.
import type { ChunkKey, StoredChunk } from "../plugin-api.js";
import { chunkId } from "./chunk-key.js";
import { joinChunks, type Passage, type ShownChunk } from "./passages.js";

/** A chunk that may become part of a larger passage. */
export type GrowingChunk = ShownChunk & Pick<StoredChunk, "tokens" | "quality">;

/** Whether `chunk` may not be taken in; `together` are the chunks of the passage with it, in their order. */
export type IsBarred = (chunk: GrowingChunk, together: readonly GrowingChunk[]) => boolean;

export interface Room {
  /** Passages at most. */
  readonly limit: number;
  /** Estimated tokens that a grown passage may hold. */
  readonly tokens: number;
  /** Positions before and after a passage that it may take in. */
  readonly window: number;
}

/** Estimated tokens of a grown passage at most: beyond some pages the answer is lost in its surroundings. */
const parentTokensMax = 2000;
/** Estimated tokens that a chunk is taken to hold at least when it is decided how many to look at. */
const chunkTokensLeast = 100;
/** Estimated tokens of a reply that are not for the contents of passages: its frame, and the fields of one hit. */
const frameTokens = 500;
const fieldTokens = 100;

/** The room that each of `limit` passages has in a reply; a reply holds every content twice. */
export function roomFor(limit: number, maxReplyTokens: number): Room {
  const share = (maxReplyTokens - frameTokens) / limit / 2 - fieldTokens;
  const tokens = Math.max(0, Math.min(parentTokensMax, Math.floor(share)));
  return { limit, tokens, window: Math.ceil(tokens / chunkTokensLeast) };
}

/** The keys of these chunks, of all within the window, and of one more at each end, which says whether that was all. */
export function keysAround(keys: readonly ChunkKey[], { window }: Room): ChunkKey[] {
  const around = new Map<string, ChunkKey>();
  for (const { path, position } of keys)
    for (let at = Math.max(0, position - window - 1); at <= position + window + 1; at++) {
      const key = { path, position: at };
      around.set(chunkId(key), key);
    }
  return [...around.values()];
}

/**
 * Grows passages in order of rank. A passage takes the neighbours of its own section (with the sections below it),
 * nearest first, as many as there is room for; if they all fit, the whole section above, and so on up to the whole
 * document. A passage that a better one has taken in is named there and stands no more for itself, so passages never
 * overlap. In a document that has changed since it was found, nothing grows.
 * @param candidates best first; more than `limit`, so that others come in for those that were taken in
 * @param neighbours the chunks of `keysAround`, as they were read: one may be there twice
 */
export function growPassages(
  candidates: readonly Passage[],
  neighbours: readonly GrowingChunk[],
  room: Room,
  isBarred: IsBarred,
): Passage[] {
  const known = unchanged(candidates, neighbours);
  const runs: Run[] = [];
  for (const passage of candidates) {
    const home = runs.find((run) => run.holds(passage.chunk));
    if (home !== undefined) home.found.push(passage.chunk.position);
    else if (runs.length < room.limit) {
      const run = new Run(passage, known, room);
      run.grow((chunk, together) => runs.some((other) => other.holds(chunk)) || isBarred(chunk, together));
      runs.push(run);
    }
  }
  return runs.map((run) => run.passage());
}

/** The chunks by key, without those of documents of which two reads did not see the same. */
function unchanged(
  candidates: readonly Passage[],
  neighbours: readonly GrowingChunk[],
): ReadonlyMap<string, GrowingChunk> {
  const known = new Map<string, GrowingChunk>();
  const changed = new Set<string>();
  for (const chunk of neighbours) {
    const before = known.get(chunkId(chunk));
    if (before === undefined) known.set(chunkId(chunk), chunk);
    else if (!isSame(before, chunk)) changed.add(chunk.path);
  }
  for (const { chunk } of candidates) {
    const now = known.get(chunkId(chunk));
    if (now === undefined || !isSame(now, chunk)) changed.add(chunk.path);
  }
  return new Map([...known].filter(([, { path }]) => !changed.has(path)));
}

function isSame(a: ShownChunk, b: ShownChunk): boolean {
  return (
    a.content === b.content &&
    a.startLine === b.startLine &&
    a.headingPath.join("\n") === b.headingPath.join("\n")
  );
}

/** Neighbouring chunks of one document. */
class Run {
  /** Positions of the chunks that were found, best first. */
  readonly found: number[];
  /** Empty where it may not grow. */
  #chunks: readonly GrowingChunk[];

  constructor(
    private readonly origin: Passage,
    private readonly known: ReadonlyMap<string, GrowingChunk>,
    private readonly room: Room,
  ) {
    const start = known.get(chunkId(origin.chunk));
    this.#chunks = start === undefined ? [] : [start];
    this.found = [origin.chunk.position];
  }

  holds({ path, position }: ChunkKey): boolean {
    return path === this.origin.chunk.path && position >= this.#first && position <= this.#last;
  }

  grow(isShut: IsBarred): void {
    if (this.#chunks.length === 0) return;
    const { headingPath } = this.origin.chunk;
    let complete = this.#extend(headingPath, isShut);
    for (let depth = headingPath.length - 1; complete && depth >= 0; depth--) {
      const before = this.#chunks;
      complete = this.#extend(headingPath.slice(0, depth), isShut);
      if (!complete) this.#chunks = before;
    }
  }

  passage(): Passage {
    if (this.#chunks.length <= 1) return this.origin;
    const { ranked, chunk } = this.origin;
    const { content, spans } = joinChunks(this.#chunks);
    const startLine = this.#chunks[0]?.startLine;
    const endLine = this.#chunks.at(-1)?.endLine;
    return {
      ranked,
      chunk: {
        path: chunk.path,
        position: chunk.position,
        ...(chunk.heading !== undefined && { heading: chunk.heading }),
        headingPath: chunk.headingPath,
        content,
        ...(startLine !== undefined && { startLine }),
        ...(endLine !== undefined && { endLine }),
      },
      expandedFrom: this.found.flatMap((position) => {
        const span = spans[position - this.#first];
        return span === undefined ? [] : [span];
      }),
    };
  }

  get #first(): number {
    return this.#chunks[0]?.position ?? this.origin.chunk.position;
  }

  get #last(): number {
    return this.#chunks.at(-1)?.position ?? this.origin.chunk.position;
  }

  /** Takes in the chunks on both sides that are under the heading. Whether it ended where the section does. */
  #extend(heading: readonly string[], isShut: IsBarred): boolean {
    let after: Side = "open";
    let before: Side = "open";
    while (after === "open" || before === "open") {
      if (after === "open") after = this.#take(this.#last + 1, heading, isShut);
      if (before === "open") before = this.#take(this.#first - 1, heading, isShut);
    }
    return after === "end of section" && before === "end of section";
  }

  #take(position: number, heading: readonly string[], isShut: IsBarred): Side {
    const { path, position: start } = this.origin.chunk;
    const chunk = this.known.get(chunkId({ path, position }));
    if (chunk === undefined) return "end of section";
    if (!heading.every((name, index) => chunk.headingPath[index] === name)) return "end of section";
    const together = position > start ? [...this.#chunks, chunk] : [chunk, ...this.#chunks];
    if (Math.abs(position - start) > this.room.window) return "stopped";
    if (together.reduce((sum, { tokens }) => sum + tokens, 0) > this.room.tokens) return "stopped";
    if (isShut(chunk, together)) return "stopped";
    this.#chunks = together;
    return "open";
  }
}

type Side = "open" | "end of section" | "stopped";
