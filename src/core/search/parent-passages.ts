// Parent expansion: a passage that was found grows to the section it stands in, as far as there is room.
import type { ChunkKey, StoredChunk } from "../plugin-api.js";
import { chunkId } from "./chunk-key.js";
import type { Span } from "./match-spans.js";
import type { Passage, ShownChunk } from "./passages.js";

/** A chunk that may become part of a larger passage. */
export type GrowingChunk = ShownChunk & Pick<StoredChunk, "contentKey" | "tokens">;

export interface Room {
  /** Passages at most. */
  readonly limit: number;
  /** Estimated tokens that a grown passage may hold. */
  readonly tokens: number;
  /** Positions before and after each passage whose chunks are known. */
  readonly window: number;
}

/** Estimated tokens of a grown passage at most: beyond some pages the answer is lost in its surroundings. */
const parentTokensMax = 2000;
/** Positions to each side that are looked at: chunks are mostly larger than 100 tokens. */
const windowMax = 10;
/** Estimated tokens of a reply that are not for the contents of passages: its frame, and the fields of one hit. */
const frameTokens = 500;
const fieldTokens = 100;

/** The room that each of `limit` passages has in a reply; a reply holds every content twice. */
export function roomFor(limit: number, maxReplyTokens: number): Room {
  const share = (maxReplyTokens - frameTokens) / limit / 2 - fieldTokens;
  const tokens = Math.max(0, Math.min(parentTokensMax, Math.floor(share)));
  return { limit, tokens, window: Math.min(windowMax, Math.ceil(tokens / 100)) };
}

/** The keys of all chunks within the window of these. */
export function keysAround(keys: readonly ChunkKey[], { window }: Room): ChunkKey[] {
  const around = new Map<string, ChunkKey>();
  for (const { path, position } of keys)
    for (let at = Math.max(0, position - window); at <= position + window; at++) {
      const key = { path, position: at };
      around.set(chunkId(key), key);
    }
  return [...around.values()];
}

/**
 * Grows passages in order of rank. A passage takes the neighbours of its own section (with the sections below it),
 * nearest first, as many as there is room for; if they all fit, the whole section above, and so on up to the whole
 * document. A passage that a better one has taken in is named there and stands no more for itself, so passages never
 * overlap.
 * @param candidates best first; more than `limit`, so that others come in for those that were taken in
 * @param neighbours the chunks of `keysAround`
 * @param isBarred whether a chunk may not be shown, because the query excludes it
 */
export function growPassages(
  candidates: readonly Passage<GrowingChunk>[],
  neighbours: readonly GrowingChunk[],
  room: Room,
  isBarred: (chunk: GrowingChunk) => boolean,
): Passage[] {
  const known = new Map(
    [...neighbours, ...candidates.map(({ chunk }) => chunk)].map((chunk) => [chunkId(chunk), chunk]),
  );
  const runs: Run[] = [];
  for (const passage of candidates) {
    const home = runs.find((run) => run.holds(passage.chunk));
    if (home !== undefined) home.found.push(passage.chunk.position);
    else if (runs.length === room.limit) break;
    else {
      const run = new Run(passage, known, room);
      run.grow((chunk) => isBarred(chunk) || runs.some((other) => other.holds(chunk)));
      runs.push(run);
    }
  }
  return runs.map((run) => run.passage());
}

/** Neighbouring chunks of one document. */
class Run {
  readonly found: number[];
  readonly #start: number;
  #chunks: GrowingChunk[];
  #tokens: number;

  constructor(
    private readonly origin: Passage<GrowingChunk>,
    private readonly known: ReadonlyMap<string, GrowingChunk>,
    private readonly room: Room,
  ) {
    this.#start = origin.chunk.position;
    this.#chunks = [origin.chunk];
    this.#tokens = origin.chunk.tokens;
    this.found = [this.#start];
  }

  holds({ path, position }: ChunkKey): boolean {
    return path === this.origin.chunk.path && position >= this.#first && position <= this.#last;
  }

  grow(isTaken: (chunk: GrowingChunk) => boolean): void {
    const { headingPath } = this.origin.chunk;
    let complete = this.#extend(headingPath, isTaken);
    for (let depth = headingPath.length - 1; complete && depth >= 0; depth--) {
      const before = { chunks: this.#chunks, tokens: this.#tokens };
      complete = this.#extend(headingPath.slice(0, depth), isTaken);
      if (!complete) [this.#chunks, this.#tokens] = [before.chunks, before.tokens];
    }
  }

  passage(): Passage {
    const { ranked, chunk } = this.origin;
    if (this.#chunks.length === 1) return this.origin;
    let content = "";
    const spans = new Map<number, Span>();
    this.#chunks.forEach((each, index) => {
      content += separator(this.#chunks[index - 1], each);
      spans.set(each.position, [content.length, content.length + each.content.length]);
      content += each.content;
    });
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
        const span = spans.get(position);
        return span === undefined ? [] : [span];
      }),
    };
  }

  get #first(): number {
    return this.#chunks[0]?.position ?? this.#start;
  }

  get #last(): number {
    return this.#chunks.at(-1)?.position ?? this.#start;
  }

  /** Takes in the chunks on both sides that are under the heading. Whether it ended where the section does. */
  #extend(heading: readonly string[], isTaken: (chunk: GrowingChunk) => boolean): boolean {
    let after: Side = "open";
    let before: Side = "open";
    while (after === "open" || before === "open") {
      if (after === "open") after = this.#take(this.#last + 1, heading, isTaken);
      if (before === "open") before = this.#take(this.#first - 1, heading, isTaken);
    }
    return after === "end of section" && before === "end of section";
  }

  #take(position: number, heading: readonly string[], isTaken: (chunk: GrowingChunk) => boolean): Side {
    const key = { path: this.origin.chunk.path, position };
    const chunk = this.known.get(chunkId(key));
    if (chunk === undefined)
      return Math.abs(position - this.#start) <= this.room.window ? "end of section" : "stopped";
    if (!heading.every((name, index) => chunk.headingPath[index] === name)) return "end of section";
    if (isTaken(chunk) || this.#tokens + chunk.tokens > this.room.tokens) return "stopped";
    this.#chunks = position > this.#start ? [...this.#chunks, chunk] : [chunk, ...this.#chunks];
    this.#tokens += chunk.tokens;
    return "open";
  }
}

type Side = "open" | "end of section" | "stopped";

/** What stands between two chunks: what did in the document, as far as their lines say so. */
function separator(before: GrowingChunk | undefined, after: GrowingChunk): string {
  if (before === undefined) return "";
  if (before.endLine === undefined || after.startLine === undefined) return "\n\n";
  // Both hold a part of one long line if there is no line between.
  return "\n".repeat(Math.min(2, Math.max(0, after.startLine - before.endLine)));
}
