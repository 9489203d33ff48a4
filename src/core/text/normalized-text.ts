// NFKC with a way back: which part of the original a part of the normalised text came from. NFKC changes
// lengths ("㌀" becomes four characters, "が" of two code points one), so offsets cannot be carried over as they are.

/** A text in NFKC and, for each of its UTF-16 units, the stretch of the original that it came from. */
export interface NormalizedText {
  readonly text: string;
  /** The offset in the original where what became `text[position]` begins. */
  readonly originalStart: (position: number) => number;
  /** The offset in the original where what became `text[position]` ends. */
  readonly originalEnd: (position: number) => number;
}

// Marks, the half-width voicing marks and the jamo that join the syllable before them.
const joining = String.raw`\p{M}\uFF9E\uFF9F\u1100-\u11FF\u3131-\u318E\uFFA0-\uFFDC\uA960-\uA97F\uD7B0-\uD7FF\u{16D67}`;
// ASCII, kana and the common kanji are what they are in NFKC unless something joins them.
const stable = String.raw`\x00-\x7F\u3041-\u3096\u30A1-\u30FA\u30FC\u4E00-\u9FFF`;
/** Stretches that NFKC may change; none influences its neighbours. */
const changeable = new RegExp(`(?:[^${stable}]|[\\s\\S](?=[${joining}]))[${joining}]*`, "gu");

/** Normalises to NFKC and keeps the way back. Time and memory are linear in the length. */
export function normalizeWithOffsets(original: string): NormalizedText {
  const text = original.normalize("NFKC");
  if (text === original) {
    return { text, originalStart: (position) => position, originalEnd: (position) => position + 1 };
  }
  const starts = new Uint32Array(text.length);
  const ends = new Uint32Array(text.length);
  let position = 0;
  let copied = 0;
  const copyUntil = (end: number): void => {
    while (copied < end) {
      starts[position] = copied++;
      ends[position++] = copied;
    }
  };
  for (const match of original.matchAll(changeable)) {
    copyUntil(match.index);
    copied += match[0].length;
    const length = match[0].normalize("NFKC").length;
    starts.fill(match.index, position, position + length);
    ends.fill(copied, position, position + length);
    position += length;
  }
  copyUntil(original.length);
  return {
    text,
    originalStart: (at) => starts[at] ?? original.length,
    originalEnd: (at) => ends[at] ?? original.length,
  };
}
