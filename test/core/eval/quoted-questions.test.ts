import { describe, expect, it } from "@jest/globals";
import { quotationOf } from "../../../src/core/eval/quoted-questions.js";

const english = "how do I get back to the previous version after a bad update";
const japanese = "氷点下の朝に水回りの部品が割れないようにするには";
const containment = (question: string, passage: string): number => quotationOf(question)!(passage);

describe("a passage quotes a golden question", () => {
  it.each([
    [
      english,
      `# FAQ\n\n## How do I get back to the previous version, after a bad update?\n\nPress the button.`,
    ],
    [english, `HOW DO I GET\nBACK TO THE “PREVIOUS” VERSION AFTER A BAD UPDATE`],
    [`${english} that was installed overnight`, `Q: ${english} that was installed over night, please`],
    [japanese, `よくある質問: 「氷点下の朝に、水回りの部品が割れないようにするには？」`],
    [
      "ｈｏｗ　ｄｏ　I reset the ｺﾝﾄﾛｰﾗｰ to factory settings",
      "How do I reset the コントローラー to factory settings",
    ],
  ])("with another punctuation, case or width, or an ending changed: %j", (question, passage) => {
    expect(containment(question, passage)).toBeGreaterThanOrEqual(0.9);
  });

  it.each([
    [
      english,
      "To get back to an earlier firmware after an update went wrong, hold the button for ten seconds.",
    ],
    [english, "the previous version. how do I get a bad update after version back to the"],
    [japanese, "朝の冷え込みで水道の部品が壊れることがある。氷点下になる前に水を抜く。"],
  ])("only where the words are its own: %j", (question, passage) => {
    expect(containment(question, passage)).toBe(0);
  });

  it("nowhere, where it is a few words that anybody would write", () => {
    expect(["E0382", "irrigation schedule", "東京の人口", "", "?!"].map((text) => quotationOf(text))).toEqual(
      Array(5).fill(undefined),
    );
  });
});
