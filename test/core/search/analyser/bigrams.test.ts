import { describe, expect, it } from "@jest/globals";
import { bigramsOf } from "../../../../src/core/search/analyser/bigrams.js";

describe("bigrams", () => {
  it("are the pairs of neighbouring CJK characters of every run", () => {
    expect(bigramsOf("東海道 kb サーバー", { singleHan: false })).toEqual([
      "東海",
      "海道",
      "サー",
      "ーバ",
      "バー",
    ]);
  });

  it("of a run of one character are that character", () => {
    expect(bigramsOf("梅, AI", { singleHan: false })).toEqual(["梅"]);
    expect(bigramsOf("梅", { singleHan: true })).toEqual(["梅"]);
  });

  it("come with single Han characters where asked for, so that 梅 is found in 梅雨", () => {
    expect(bigramsOf("梅雨は", { singleHan: true })).toEqual(["梅", "梅雨", "雨", "雨は"]);
  });

  it("treat characters outside the basic plane as one", () => {
    expect(bigramsOf("𠮷野", { singleHan: false })).toEqual(["𠮷野"]);
  });

  it("serve Korean", () => {
    expect(bigramsOf("데이터", { singleHan: true })).toEqual(["데이", "이터"]);
  });
});
