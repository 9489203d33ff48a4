// The least an MCP server over stdio can be.
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";

const server = new McpServer({ name: "bare", version: "1.0.0" });
server.registerTool("nothing", { description: "Does nothing" }, () => ({ content: [] }));
await server.connect(new StdioServerTransport());
process.stdin.on("end", () => process.exit(0));
