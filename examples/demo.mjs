// npm run demo: indexes the sample knowledge base and answers three questions through a real MCP client over
// stdio. It also ends with the lines to connect a client of your own.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { parse } from "yaml";

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));
const kbMcp = path("../dist/cli/main.js");
const knowledgeBase = path("./knowledge-base");
const say = (text = "") => process.stdout.write(`${text}\n`);

const { queries } = parse(readFileSync(path("./golden.yml"), "utf8"));
const questions = queries.filter(({ id }) => id?.startsWith("demo-")).map(({ query }) => query);

say("1. Index the sample knowledge base, the documents of a small maker of greenhouse controllers");
say("   $ kb-mcp index --kb-path examples/knowledge-base\n");
const index = spawnSync(process.execPath, [kbMcp, "index", "--kb-path", knowledgeBase], { stdio: "inherit" });
if (index.status !== 0) process.exit(index.status ?? 1);

say("\n2. Ask it three questions, as an assistant would: through an MCP client over stdio\n");
const client = new Client({ name: "kb-mcp-demo", version: "1.0.0" });
await client.connect(
  new StdioClientTransport({
    command: process.execPath,
    args: [kbMcp, "serve", "--kb-path", knowledgeBase],
    env: { KB_MCP_LOG: "warn", ...process.env },
    stderr: "inherit",
  }),
);
try {
  for (const query of questions) {
    const { structuredContent, isError, content } = await client.callTool({
      name: "search",
      arguments: { query, limit: 3 },
    });
    if (isError) throw new Error(content[0].text);
    say(`   ${query}`);
    for (const {
      path: file,
      start_line,
      title,
      content: passage,
      match_spans,
    } of structuredContent.results) {
      say(`     ${file}${start_line ? `:${start_line}` : ""}  ${title}`);
      if (file === structuredContent.results[0].path) say(`       ${snippet(passage, match_spans)}`);
    }
    say();
  }
} finally {
  await client.close();
}

say(`3. Now your own notes. Index a folder, then search it:
   $ node dist/cli/main.js index --kb-path ~/notes
   $ node dist/cli/main.js search "what did we decide about backups" --kb-path ~/notes

   And connect your MCP client (Claude Desktop, Cursor, VS Code …) with this entry:
   {
     "mcpServers": {
       "notes": {
         "command": ${JSON.stringify(process.execPath)},
         "args": [${JSON.stringify(kbMcp)}, "serve", "--kb-path", "/path/to/your/notes"]
       }
     }
   }
   In Claude Code: claude mcp add notes -- ${process.execPath} ${kbMcp} serve --kb-path /path/to/your/notes`);

/** The line of a passage with the most matches, shortened. */
function snippet(passage, spans) {
  let best = "";
  let most = -1;
  let at = 0;
  for (const line of passage.split("\n")) {
    const matches = spans.filter(([start]) => start >= at && start < at + line.length).length;
    if (matches > most && line.trim() !== "" && !line.startsWith("#")) [best, most] = [line.trim(), matches];
    at += line.length + 1;
  }
  return best.length > 100 ? `${best.slice(0, 99)}…` : best;
}
