// The promises that every parser keeps, kept by the built-in ones.
import { describe, it } from "@jest/globals";
import md from "../../../src/plugins/parsers/md/index.js";
import txt from "../../../src/plugins/parsers/txt/index.js";
import { parserContract } from "../../../src/testing/index.js";

const markdown = `---
title: Pump
tags: [water, 設備]
checked: 2024-05-01
nested: { deep: [1, null, true] }
---

Before the first heading.

# Pump

Greased twice a year.

## 手順

1. Stop it.

\`\`\`sh
# no heading
\`\`\`

Setext
======

| a | b |
| - | - |
| 1 | 2 |
`;

const samples = {
  md: [
    { path: "notes/pump.md", content: markdown },
    { path: "notes/broken.markdown", content: "---\ntitle: [never closed\n---\n# Still read\n\ntext\n" },
    { path: "notes/marked.md", content: "\ufeff# With a byte-order mark\r\n\r\ntext" },
  ],
  txt: [
    { path: "notes/pump.txt", content: "\n\nThe pump.\n\n年に二回、注油する。\n\n" },
    { path: "notes/dos.TEXT", content: Buffer.from("one\r\ntwo\rthree", "utf8") },
  ],
};

describe("the parser md", () => {
  parserContract({ plugin: md, id: "md", samples: samples.md }, { describe, it });
});

describe("the parser txt", () => {
  parserContract({ plugin: txt, id: "txt", samples: samples.txt }, { describe, it });
});
