import { readFile } from "node:fs/promises";
import { describe, expect, it } from "@jest/globals";
import { decodeText } from "../../../src/core/documents/decode-text.js";

const hex = (bytes: string): Uint8Array => Uint8Array.from(Buffer.from(bytes, "hex"));
const utf16 = (text: string): Buffer => Buffer.from(text, "utf16le");
const swapped = (text: string): Buffer => Buffer.from(utf16(text)).swap16();
const fixture = (name: string): Promise<Buffer> => readFile(`test/fixtures/encodings/${name}.txt`);

function refusal(bytes: Uint8Array): string {
  try {
    return `was read as ${decodeText(bytes).encoding}`;
  } catch (error) {
    const { code, message } = error as { code: string; message: string };
    expect(code).toBe("KB_PARSE_ENCODING");
    return message;
  }
}

describe("UTF-8", () => {
  it("is read with and without a mark, which is left out", () => {
    expect(decodeText(Buffer.from("日本語 text"))).toEqual({ text: "日本語 text", encoding: "utf-8" });
    expect(decodeText(Buffer.from("\uFEFF日本語"))).toEqual({ text: "日本語", encoding: "utf-8" });
    expect(decodeText(new Uint8Array())).toEqual({ text: "", encoding: "utf-8" });
  });

  it("keeps line endings, form feeds and terminal colours", () => {
    const text = "a\r\nb\rc\n\f\u001b[31mred\u001b[0m\t$B";
    expect(decodeText(Buffer.from(text)).text).toBe(text);
  });

  it("is refused when it is damaged, rather than read as something else", () => {
    const text = Buffer.from("設定を確認してから再起動してください。".repeat(5));
    text[40] = 0xff;
    expect(refusal(text)).toContain("UTF-8 with damaged bytes");
    expect(refusal(Buffer.from("\uFEFFabc").fill(0xff, 4, 5))).toContain("utf-8");
  });

  it("is refused when most of it was lost before it was saved", () => {
    expect(refusal(Buffer.from("\uFFFD\uFFFD\uFFFD\uFFFD ab \uFFFD\uFFFD"))).toContain("lost");
    expect(decodeText(Buffer.from(`The character \uFFFD stands for what was lost.`)).encoding).toBe("utf-8");
  });
});

describe("UTF-16", () => {
  const text = "設定を確認する。\r\nSettings: 1\r\n";

  it("is read by its mark, in both byte orders", () => {
    expect(decodeText(Buffer.concat([hex("fffe"), utf16(text)]))).toEqual({ text, encoding: "utf-16le" });
    expect(decodeText(Buffer.concat([hex("feff"), swapped(text)]))).toEqual({ text, encoding: "utf-16be" });
  });

  it.each([text, "Plain English\r\n", "Größe: 5 m\n", "short\n", "設定を確認する、再起動する"])(
    "is recognised without a mark (%j)",
    (sample) => {
      expect(decodeText(utf16(sample))).toEqual({ text: sample, encoding: "utf-16le" });
      expect(decodeText(swapped(sample))).toEqual({ text: sample, encoding: "utf-16be" });
    },
  );

  it("is refused when it is damaged", () => {
    expect(refusal(hex("fffe00d84100"))).toContain("damaged");
    expect(refusal(hex("fffe4100d8"))).toContain("damaged");
  });
});

describe("legacy encodings", () => {
  it.each([
    ["japanese.shift_jis", "japanese"],
    ["japanese.utf-16le", "japanese"],
    ["japanese.utf-16be", "japanese"],
    ["japanese-jis.euc-jp", "japanese-jis"],
    ["japanese-jis.iso-2022-jp", "japanese-jis"],
    ["western.windows-1252", "western"],
    ["russian.windows-1251", "russian"],
    ["russian.koi8-r", "russian"],
    ["chinese.gb18030", "chinese"],
    ["korean.euc-kr", "korean"],
  ])("are detected in a note (%s)", async (name, original) => {
    const text = (await fixture(`${original}.utf-8`)).toString("utf8");
    expect(decodeText(await fixture(name))).toEqual({ text, encoding: name.split(".")[1] });
  });

  it.each([
    ["93fa967b8cea", "日本語", "shift_jis"],
    ["c6fccbdcb8ec", "日本語", "euc-jp"],
    ["1b2442467c4b5c386c1b2842", "日本語", "iso-2022-jp"],
    ["83818382814689ef8b6382cd8c8e976a93fa", "メモ：会議は月曜日", "shift_jis"],
    ["a5e1a5e2a1a7b2f1b5c4a4cfb7eecdcbc6fc", "メモ：会議は月曜日", "euc-jp"],
    ["89ef8b63", "会議", "shift_jis"],
    ["b2f1b5c4", "会議", "euc-jp"],
    ["23208ee88f870d0a87402093648cb982f090d882e9", "# 手順\r\n① 電源を切る", "shift_jis"],
    ["636166e9", "café", "windows-1252"],
    ["4772f6df65", "Größe", "windows-1252"],
    ["646f6e9274", "don’t", "windows-1252"],
    ["49749273209366696e65942096208035", "It’s “fine” – €5", "windows-1252"],
  ])("are detected in a few bytes (%s is %s)", (bytes, text, encoding) => {
    expect(decodeText(hex(bytes))).toEqual({ text, encoding });
  });

  it("are detected where the text is far below much ASCII, and all bytes are decoded", async () => {
    const ascii = Buffer.from("A line of plain text.\n".repeat(10_000));
    const note = await fixture("japanese.shift_jis");
    const { text, encoding } = decodeText(Buffer.concat([ascii, ...Array.from({ length: 50 }, () => note)]));
    expect(encoding).toBe("shift_jis");
    expect(text.endsWith((await fixture("japanese.utf-8")).toString("utf8"))).toBe(true);
  });

  it("are refused when a byte fits none of them", async () => {
    const note = Buffer.concat([await fixture("japanese.shift_jis"), hex("ff00"), Buffer.from("x")]);
    expect(refusal(note)).toContain("binary");
    expect(refusal(hex("81ff8181fffd90feff"))).toContain("not text");
  });
});

describe("binary content", () => {
  it.each([
    ["a picture", "89504e470d0a1a0a0000000d49484452"],
    ["an archive", "504b0304140000000800"],
    ["a program", "7f454c4602010100000000000000000003003e00"],
    ["zeros", "0000000000000000"],
    ["UTF-32", "fffe00004100000042000000"],
    ["control characters", "010203040506070e0f10111213141516"],
  ])("is refused: %s", (_, bytes) => {
    expect(refusal(hex(bytes))).toMatch(/^the file cannot be read as text: /);
  });

  it("is refused in any length, and never becomes replacement characters", () => {
    let state = 7;
    const noise = Uint8Array.from(
      { length: 5000 },
      () => (state = (state * 1103515245 + 12345) % 2147483648) >> 16,
    );
    for (const length of [64, 500, 5000])
      expect(refusal(noise.subarray(0, length))).toContain("cannot be read");
  });
});
