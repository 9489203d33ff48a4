// What kb-mcp asks of every parser.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { parserContract } from "kb-mcp/testing";
import plugin from "kb-mcp-parser-org";

const sample = (name) => ({
  path: `notes/${name}`,
  content: readFileSync(join(import.meta.dirname, "samples", name)),
});

describe("kb-mcp-parser-org", () => {
  parserContract(
    { plugin, id: "org", samples: [sample("garden-journal.org"), sample("会議メモ.org")] },
    { describe, it },
  );
});
