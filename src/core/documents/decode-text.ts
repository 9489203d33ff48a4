// Bytes of a text file to text. Honest: either every byte is accounted for, or the file is refused.
import { KbError } from "../errors.js";
import { decodeLegacy, decodeStrictly, isPlausibleUtf16 } from "./legacy-encoding.js";

/** A text without its byte-order mark, and the encoding it was read in, as the WHATWG names it. */
export interface DecodedText {
  readonly text: string;
  readonly encoding: string;
}

const byteOrderMarks: readonly { readonly bytes: readonly number[]; readonly encoding: string }[] = [
  { bytes: [0xef, 0xbb, 0xbf], encoding: "utf-8" },
  { bytes: [0xff, 0xfe], encoding: "utf-16le" },
  { bytes: [0xfe, 0xff], encoding: "utf-16be" },
];

/**
 * Decodes a text file: by its byte-order mark; as UTF-16 where that is evident; as ISO-2022-JP where its escape
 * sequences are there; as UTF-8; else in a detected legacy encoding.
 * @throws KbError KB_PARSE_ENCODING for binary content, damaged text, and what no encoding explains
 */
export function decodeText(bytes: Uint8Array): DecodedText {
  const marked = byteOrderMarks.find((mark) => mark.bytes.every((byte, at) => bytes[at] === byte));
  if (marked !== undefined) {
    const text = decodeStrictly(bytes, marked.encoding);
    if (text === undefined)
      throw refusal(`it begins with the mark of ${marked.encoding}, but its bytes are damaged`);
    return accept(text, marked.encoding);
  }
  if (bytes.includes(0)) {
    for (const encoding of ["utf-16le", "utf-16be"])
      if (isPlausibleUtf16(bytes, encoding)) {
        const text = decodeStrictly(bytes, encoding);
        if (text !== undefined) return accept(text, encoding);
      }
    throw refusal("it holds binary data");
  }
  if (hasJapaneseEscapes(bytes)) {
    const text = decodeStrictly(bytes, "iso-2022-jp");
    if (text !== undefined) return accept(text, "iso-2022-jp");
  }
  const utf8 = decodeStrictly(bytes, "utf-8");
  if (utf8 !== undefined) return accept(utf8, "utf-8");
  if (isDamagedUtf8(bytes)) throw refusal("it is UTF-8 with damaged bytes");
  const legacy = decodeLegacy(bytes);
  if (legacy === undefined) throw refusal("its bytes are not text in any encoding that kb-mcp knows");
  return accept(legacy.text, legacy.encoding);
}

/** Control characters that occur in text files: terminal colours, form feeds, an old end-of-file mark. */
// eslint-disable-next-line no-control-regex -- control characters are what is looked for
const strangeCharacters = /[\0-\x07\x0e-\x19\x1c-\x1f\x7f\uFFFD]/g;

/** Text of which a tenth or more is control characters, or characters that were lost earlier, is no text. */
function accept(text: string, encoding: string): DecodedText {
  let strange = 0;
  for (const character of text.matchAll(strangeCharacters)) {
    if (character[0] === "\0") throw refusal("it holds binary data");
    strange++;
  }
  if (strange * 10 >= Math.max(text.length, 20))
    throw refusal("much of it is control characters or characters that were lost when it was saved");
  return { text, encoding };
}

/** Seven-bit bytes with the escape sequences that switch to Japanese: valid UTF-8 too, but meaningless as such. */
function hasJapaneseEscapes(bytes: Uint8Array): boolean {
  if (!bytes.includes(0x1b) || bytes.some((byte) => byte >= 0x80)) return false;
  // eslint-disable-next-line no-control-regex -- the escape sequences begin with one
  return /\x1b\$[@B]/.test(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1"));
}

/** Whether nearly all bytes above ASCII form UTF-8 sequences; a few do by chance in other encodings. */
function isDamagedUtf8(bytes: Uint8Array): boolean {
  const text = new TextDecoder("utf-8").decode(bytes);
  let lost = 0;
  let whole = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 0xfffd) lost++;
    else if (unit >= 0x80) whole++;
  }
  return whole >= 4 * lost;
}

function refusal(reason: string): KbError {
  return new KbError("KB_PARSE_ENCODING", `the file cannot be read as text: ${reason}`);
}
