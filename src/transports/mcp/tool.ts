// The form of a tool. One file in tools/ for each.
import type { IndexProgress, KnowledgeBase } from "../../core/index.js";
import type { Arguments, InputSchema } from "./input-schema.js";

/** JSON Schema of a reply. Open to further fields: a client that keeps an older copy must not refuse a newer reply. */
export interface OutputSchema {
  readonly type: "object";
  readonly properties: { readonly [name: string]: object };
  readonly required: readonly string[];
}

/** See ToolAnnotations of MCP: what a client may assume before it asks its user. */
export interface ToolBehaviour {
  readonly readOnlyHint: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint: boolean;
}

/** What a tool works with during one call. */
export interface ToolCall {
  readonly kb: KnowledgeBase;
  /** Aborted when the client cancels the call or goes away. */
  readonly signal: AbortSignal;
  /** Estimated tokens one reply may take, its structured and its text copy together. */
  readonly maxReplyTokens: number;
  /** Present if the client asked for progress. */
  readonly onProgress?: (progress: IndexProgress) => void;
}

export interface Tool<S extends InputSchema = InputSchema> {
  readonly name: string;
  readonly title: string;
  /** For a model: when to use it, what comes back, an example. */
  readonly description: string;
  readonly input: S;
  readonly output: OutputSchema;
  readonly behaviour: ToolBehaviour;
  /** @throws KbError which the model is shown; anything else is an internal error */
  run(args: Arguments<S>, call: ToolCall): Promise<object>;
}

/** Lets `run` see the types of its own schema, then forgets them so that tools fit into one list. */
export function defineTool<const S extends InputSchema>(tool: Tool<S>): Tool {
  return tool;
}
