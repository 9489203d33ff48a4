// Finds the encoding of a text that is not UTF-8: candidates from a statistical detector, ranked by how much their
// decoding looks like text. The detector alone is at chance below some forty bytes, and most notes' first guess
// counts: here Japanese and Western European come first.
import chardet from "chardet";
import { plausibility } from "./text-plausibility.js";

/** Always tried, whatever the detector says, with a lead over the others. */
const usualEncodings: ReadonlyMap<string, number> = new Map([
  ["shift_jis", 0.15],
  ["euc-jp", 0.15],
  ["windows-1252", 0.07],
]);

/** Bytes looked at to choose; all of them are decoded in the end. */
const sampleBytes = 64 * 1024;

/** What correct decodings reach and wrong ones of more than a few bytes do not; see the test. */
const leastPlausible = 0.5;

/** Characters that no text in a legacy encoding holds: controls, private use, unassigned. */
// eslint-disable-next-line no-control-regex -- control characters are what is looked for
const impossible = /[\0-\x07\x0e-\x19\x1c-\x1f\x7f-\x9f\uFFFD\p{Co}\p{Cn}]/u;

/** Decodes bytes in the legacy encoding that explains all of them best, or returns undefined if none does. */
export function decodeLegacy(bytes: Uint8Array): { text: string; encoding: string } | undefined {
  for (const encoding of rankedEncodings(sample(bytes))) {
    const text = decodeStrictly(bytes, encoding);
    if (text !== undefined && !impossible.test(text)) return { text, encoding };
  }
  return undefined;
}

/** Whether bytes without a mark are UTF-16 beyond doubt: nearly all of it looks like text. */
export function isPlausibleUtf16(bytes: Uint8Array, encoding: string): boolean {
  if (bytes.length % 2 !== 0) return false;
  const text = decodeStrictly(bytes.subarray(0, sampleBytes), encoding, true);
  return text !== undefined && !impossible.test(text) && plausibility(text, encoding) >= 0.75;
}

/**
 * Decodes bytes if every one of them is valid in the encoding, without a byte-order mark.
 * @param cut whether the bytes may end within a character
 */
export function decodeStrictly(bytes: Uint8Array, encoding: string, cut = false): string | undefined {
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: cut });
    return encoding === "windows-1252" ? restoreWindows1252(text) : text;
  } catch {
    return undefined;
  }
}

function rankedEncodings(bytes: Uint8Array): string[] {
  const confidences = new Map([...usualEncodings.keys()].map((encoding) => [encoding, 0]));
  for (const { name, confidence } of chardet.analyse(bytes)) {
    const encoding = standardName(name);
    // Ten is what the detector says when it has too little to go by.
    if (encoding !== undefined)
      confidences.set(encoding, Math.max(confidence > 10 ? confidence : 0, confidences.get(encoding) ?? 0));
  }
  if (bytes.length % 2 === 0) for (const encoding of ["utf-16le", "utf-16be"]) confidences.set(encoding, 0);
  // The detector's word counts in full from twenty bytes above ASCII.
  const weight = Math.min(1, bytes.filter((byte) => byte >= 0x80).length / 20) * 0.004;
  return [...confidences]
    .flatMap(([encoding, confidence]) => {
      const text = decodeStrictly(bytes, encoding, true);
      if (text === undefined || impossible.test(text)) return [];
      const plausible = plausibility(text, encoding);
      const score = plausible + confidence * weight + (usualEncodings.get(encoding) ?? 0);
      return plausible < leastPlausible ? [] : [{ encoding, score }];
    })
    .sort((a, b) => b.score - a.score)
    .map(({ encoding }) => encoding);
}

/** The WHATWG name of one of the detector's legacy encodings; undefined for those decided elsewhere. */
function standardName(name: string): string | undefined {
  if (/^(?:UTF-|ASCII|ISO-2022-)/.test(name)) return undefined;
  try {
    return new TextDecoder(name).encoding;
  } catch {
    return undefined;
  }
}

/** The lines that hold bytes above ASCII, up to the sample's size: ASCII says nothing about the encoding. */
function sample(bytes: Uint8Array): Uint8Array {
  if (bytes.length <= sampleBytes) return bytes;
  const lines: Uint8Array[] = [];
  let left = sampleBytes;
  for (let start = 0; start < bytes.length && left > 0;) {
    const lineFeed = bytes.indexOf(0x0a, start);
    const end = lineFeed === -1 ? bytes.length : lineFeed + 1;
    const line = bytes.subarray(start, Math.min(end, start + left));
    if (line.some((byte) => byte >= 0x80)) {
      lines.push(line);
      left -= line.length;
    }
    start = end;
  }
  return Buffer.concat(lines);
}

/** 0x80 to 0x9F of windows-1252; a zero is a byte that it leaves undefined. */
const windows1252 = [
  0x20ac, 0, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160, 0x2039, 0x0152, 0,
  0x017d, 0, 0, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a,
  0x0153, 0, 0x017e, 0x0178,
];

/** Node decodes windows-1252 as ISO-8859-1, which has control characters where windows-1252 has “quotes” and €. */
function restoreWindows1252(text: string): string {
  return text.replace(/[\x80-\x9f]/g, (control) => {
    const code = windows1252[control.charCodeAt(0) - 0x80] ?? 0;
    return code === 0 ? control : String.fromCharCode(code);
  });
}
