// tools/list and tools/call: shows the tools, reads a call's arguments, runs it, and puts the reply or the error
// into the form of MCP. Knows no single tool.
import { ListToolsRequestSchema, CallToolRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import type { CallToolResult, ListToolsResult } from "@modelcontextprotocol/sdk/types.js";
import { KbError, nearestName } from "../../core/index.js";
import type { KnowledgeBase } from "../../core/index.js";
import type { Logger } from "../../core/plugin-api.js";
import { readArguments } from "./arguments.js";
import { describeFailure } from "./failure.js";
import { createProgressReporter } from "./index-progress.js";
import { route } from "./request-router.js";
import type { RequestExtra } from "./request-router.js";
import type { Tool } from "./tool.js";

export interface ToolHost {
  readonly kb: KnowledgeBase;
  readonly maxReplyTokens: number;
  readonly logger: Logger;
}

export function toolRoutes(tools: readonly Tool[], host: ToolHost) {
  const listed = { tools: tools.map(advertise) } as ListToolsResult;
  return {
    "tools/list": route(ListToolsRequestSchema, () => listed),
    "tools/call": route(CallToolRequestSchema, ({ params }, extra) =>
      callTool(tools, params.name, params.arguments, host, extra),
    ),
  };
}

function advertise(tool: Tool): object {
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: tool.input,
    outputSchema: tool.output,
    annotations: { title: tool.title, ...tool.behaviour },
  };
}

async function callTool(
  tools: readonly Tool[],
  name: string,
  given: Record<string, unknown> | undefined,
  { kb, maxReplyTokens, logger }: ToolHost,
  extra: RequestExtra,
): Promise<CallToolResult> {
  try {
    const tool = tools.find((known) => known.name === name);
    if (tool === undefined) throw unknownTool(tools, name);
    const args = readArguments(name, tool.input, given);
    const token = extra._meta?.progressToken;
    const onProgress =
      token === undefined ? undefined : createProgressReporter(token, extra.sendNotification, logger);
    const call = { kb, maxReplyTokens, signal: extra.signal, ...(onProgress && { onProgress }) };
    return success(await tool.run(args, call));
  } catch (error) {
    const { code, message, hint } = describeFailure(error, `tools/call ${name.slice(0, 60)}`, logger);
    return { content: [{ type: "text", text: `${code}: ${message}.\n${hint}` }], isError: true };
  }
}

/** Both copies come from one JSON text: they cannot differ, and a key without a value is in neither. */
function success(reply: object): CallToolResult {
  const text = JSON.stringify(reply);
  return {
    content: [{ type: "text", text }],
    structuredContent: JSON.parse(text) as Record<string, unknown>,
  };
}

function unknownTool(tools: readonly Tool[], name: string): KbError {
  const known = tools.map((tool) => tool.name);
  const nearest = nearestName(name, known);
  const there = `The tools are: ${known.join(", ")}.`;
  return new KbError("KB_TOOL_UNKNOWN", `There is no tool ${JSON.stringify(name.slice(0, 60))}`, {
    hint: nearest === undefined ? there : `Did you mean "${nearest}"? ${there}`,
  });
}
