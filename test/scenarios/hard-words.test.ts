// Words that search engines lose, each in a real document, indexed and searched as a user does.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { SearchHit, SearchReply } from "../../src/core/index.js";
import { connectClient, runCli } from "../support/kb-mcp-process.js";
import { writeTree } from "../support/temporary-folder.js";

/** By name of the document. Beside each stands one that only looks like it. */
const documents: Record<string, string> = {
  kyoto: "# 旅程\n\n京都の寺を二日で回る。金閣寺と清水寺は朝のうちに行く。",
  tokyo: "# 条例\n\n東京都の条例を調べる。都庁の窓口は平日だけ開いている。",
  shinkansen: "# 切符\n\n東海道新幹線の切符は前日までに駅の窓口で買う。",
  salmon: "# 献立\n\n夕食は鮭の塩焼きと味噌汁にする。大根をおろして添える。",
  "plum-rain": "# 天気\n\n梅雨の間は洗濯物を部屋に干す。除湿機を一晩つけておく。",
  ai: "# Tools\n\nWe try AI for drafting the minutes of a meeting.",
  mail: "# Post\n\nThe mail is said to be available in the main hall again.",
  cpp: "# Native\n\nThe engine is written in C++ and compiled twice a day.",
  csharp: "# Desktop\n\nThe desktop client is written in C# and signed by the build.",
  "c-plain": "# Firmware\n\nThe firmware is plain C and small enough to be read in a day.",
  dotnet: "# Runtime\n\nThe service needs .NET on the machine before it starts.",
  net: "# Fishing\n\nA net of fine mesh is mended in the winter by the harbour.",
  hyphen: "# Tickets\n\nThe ticket ABC-204 asks for a well-known address on the gateway.",
  "hyphen-parts": "# Letters\n\nThe letters abc stand before the number 205 on every known wall.",
  "full-width": "# 契約\n\nＷＥＢＨＯＯＫの料金は月ごとに決まる。請求は翌月の初めに届く。",
  "half-width": "# 機器\n\nﾙｰﾀｰの交換は夜間に行う。作業の前に設定を控えておく。",
  "long-vowel": "# 機械\n\nコンピューターの購入は部長が承認する。三年ごとに入れ替える。",
  "no-long-vowel": "# 利用\n\nユーザの登録は総務が行う。退職した人は月末に消す。",
  rocket: "# Releases\n\nA release is marked with 🚀 in the channel, and nothing else.",
  thumb: "# Votes\n\nA vote counts when it is given as 👍🏽 below the proposal.",
  heart: "# Thanks\n\nGuests leave a ❤️ in the book at the door when they go.",
  flag: "# Labels\n\nThe label 🇯🇵 stands on boxes that are shipped over the sea.",
  england: "# Match\n\nThe sticker 🏴󠁧󠁢󠁥󠁮󠁧󠁿 is on the door of the visiting team.",
  scotland: "# Match\n\nThe sticker 🏴󠁧󠁢󠁳󠁣󠁴󠁿 is on the door of the home team.",
  korean: "# 회의\n\n서울에서 열리는 회의는 오전 열 시에 시작한다.",
  chinese: "# 备份\n\n数据库每天凌晨自动备份，失败时发送邮件通知管理员。",
  snake: "# Limits\n\nThe gateway stops after max_retry_count attempts and says so.",
  camel: "# Parsing\n\nThe function parseHttpHeader reads one line and trims it.",
  settings: "# Settings\n\nEverything is set in kb-mcp.toml beside the notes.",
  "error-code": "# Borrowing\n\nThe compiler says E0382 when a moved value is used again.",
};

let data: string;
let client: Client;

beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), "kb-mcp-hard-words-"));
  const files = Object.entries(documents).map(([name, text]) => [`${name}.md`, text]);
  await writeTree(join(data, "kb"), Object.fromEntries(files) as Record<string, string>);
  const indexed = await runCli(["index", "--kb-path", join(data, "kb")], data);
  expect(indexed).toMatchObject({ code: 0 });
  ({ client } = await connectClient(["--kb-path", join(data, "kb")], data));
}, 120_000);

afterAll(async () => {
  await client.close();
  await rm(data, { recursive: true, force: true });
});

async function find(query: string): Promise<SearchReply> {
  const result = await client.callTool({ name: "search", arguments: { query } });
  expect(result.isError ?? false).toBe(false);
  return result.structuredContent as SearchReply;
}

const marked = ({ content, match_spans }: SearchHit): string[] =>
  match_spans.map(([start, end]) => content.slice(start, end));

describe("hard words", () => {
  it.each([
    ["a Japanese word of two characters", "京都", "kyoto", "京都"],
    ["a word inside a longer dictionary word", "新幹線", "shinkansen", "新幹線"],
    ["the same as a phrase", '"新幹線"', "shinkansen", "新幹線"],
    ["a single kanji that is a word", "鮭", "salmon", "鮭"],
    ["a single kanji inside a word", "梅", "plum-rain", "梅"],
    ["AI", "AI", "ai", "AI"],
    ["AI in a Japanese sentence", "AIの活用", "ai", "AI"],
    ["C++", "C++", "cpp", "C++"],
    ["C#", "C#", "csharp", "C#"],
    ["C# as a phrase", '"C#"', "csharp", "C#"],
    [".NET", ".NET", "dotnet", ".NET"],
    [".NET in small letters", "install .net", "dotnet", ".NET"],
    ["a hyphen inside a word", "well-known", "hyphen", "well-known"],
    ["a ticket number", "ABC-204", "hyphen", "ABC-204"],
    ["full-width letters by half-width ones", "webhook", "full-width", "ＷＥＢＨＯＯＫ"],
    ["half-width letters by full-width ones", "ＡＢＣ－２０４", "hyphen", "ABC-204"],
    ["half-width kana by full-width kana", "ルーター", "half-width", "ﾙｰﾀｰ"],
    ["full-width kana by half-width kana", "ｺﾝﾋﾟｭｰﾀｰ", "long-vowel", "コンピューター"],
    ["a long-vowel mark that the query lacks", "コンピュータ", "long-vowel", "コンピューター"],
    ["a long-vowel mark that the document lacks", "ユーザー", "no-long-vowel", "ユーザ"],
    ["an emoji", "🚀", "rocket", "🚀"],
    ["an emoji of another colour", "👍", "thumb", "👍🏽"],
    ["an emoji without its variation", "❤", "heart", "❤️"],
    ["an emoji of another colour as a phrase", '"👍🏿"', "thumb", "👍🏽"],
    ["an emoji without its variation as a phrase", '"a ❤ in"', "heart", "a ❤️ in"],
    ["a flag", "🇯🇵", "flag", "🇯🇵"],
    ["a flag that is spelled in tags", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "england", "🏴󠁧󠁢󠁥󠁮󠁧󠁿"],
    ["a Korean word before its particle", "서울", "korean", "서울"],
    ["a Chinese word", "数据库", "chinese", "数据库"],
    ["snake_case as a whole", "max_retry_count", "snake", "max_retry_count"],
    ["a part of snake_case", "retry", "snake", "retry"],
    ["camelCase as a whole", "parseHttpHeader", "camel", "parseHttpHeader"],
    ["camelCase in small letters", "parsehttpheader", "camel", "parseHttpHeader"],
    ["a part of camelCase", "header", "camel", "Header"],
    ["a file name as a whole", "kb-mcp.toml", "settings", "kb-mcp.toml"],
    ["a part of a file name", "toml", "settings", "toml"],
    ["an error code", "E0382", "error-code", "E0382"],
    ["an error code in small letters", "what is e0382", "error-code", "E0382"],
    ["an error code among common words", "the meeting says E0382, what does it want", "error-code", "E0382"],
    ["an error code in a Japanese sentence", "E0382が出たらどうするか", "error-code", "E0382"],
  ])("finds %s", async (_what, query, name, span) => {
    const { results } = await find(query);
    expect(results[0]?.path).toBe(`${name}.md`);
    expect(marked(results[0]!)).toContain(span);
  });

  it("takes a query of 1 KiB and refuses one byte more", async () => {
    const question = "why does the compiler say E0382 when a moved value is used again ";
    const longest = question.repeat(20).slice(0, 1024);
    expect((await find(longest)).results[0]?.path).toBe("error-code.md");
    const refused = await client.callTool({ name: "search", arguments: { query: `${longest}x` } });
    expect(refused.isError).toBe(true);
    expect(JSON.stringify(refused.content)).toContain("KB_SEARCH_QUERY");
  });

  it("takes a Japanese query of 1 KiB, with an exclusion at its end", async () => {
    const exclusion = " -条例";
    const characters = Math.floor((1024 - Buffer.byteLength(exclusion)) / 3);
    const longest = "京都の寺と東京都の条例について教えてください。".repeat(20).slice(0, characters);
    const { results, notes } = await find(longest + exclusion);
    expect(results[0]?.path).toBe("kyoto.md");
    expect(results.map(({ path }) => path)).not.toContain("tokyo.md");
    expect(notes.join()).toContain('"条例"');
  });

  it("excludes hard words too", async () => {
    const written = "written firmware -C++ -C#";
    expect((await find(written)).results.map(({ path }) => path)).not.toContain("cpp.md");
    expect((await find(written)).results.map(({ path }) => path)).not.toContain("csharp.md");
    expect((await find("service starts -.NET")).results.map(({ path }) => path)).not.toContain("dotnet.md");
    const vote = await find("vote proposal release -👍");
    expect(vote.results.map(({ path }) => path)).not.toContain("thumb.md");
    expect(vote.results[0]?.path).toBe("rocket.md");
    expect((await find("窓口 －新幹線")).results.map(({ path }) => path)).toEqual(["tokyo.md"]);
  });

  it("are found from the command line with its filters", async () => {
    const run = (...flags: string[]) =>
      runCli(["search", "C++", "--kb-path", join(data, "kb"), "--format", "json", ...flags], data);
    const found = await run("--mmr", "--parent", "--explain", "--min-quality", "0.1");
    const { results } = JSON.parse(found.stdout) as SearchReply;
    expect(results[0]).toMatchObject({ path: "cpp.md", explanation: { lexical: { rank: 1 } } });
    const dated = await run("--date-from", "2020-01-01");
    expect((JSON.parse(dated.stdout) as SearchReply).results).toEqual([]);
    const tagged = await run("--tag-any", "x", "--tag-any", "y");
    expect((JSON.parse(tagged.stdout) as SearchReply).filter_applied).toMatchObject({ tags_any: ["x", "y"] });
    expect(await run("--date-to", "soon")).toMatchObject({ code: 2 });
  });
});
