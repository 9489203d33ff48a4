// completion/complete: values for the resource template and for the arguments of prompts.
import { CompleteRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import type { CompleteResult } from "@modelcontextprotocol/sdk/types.js";
import { KbError } from "../../core/index.js";
import type { KnowledgeBase } from "../../core/index.js";
import { findPrompt, unknownArgument } from "./get-prompt.js";
import type { Prompt } from "./prompt.js";
import { beforeFirstIndex, documentTemplate } from "./resources.js";
import { route } from "./request-router.js";

/** Values in one answer; the most that MCP allows. */
const completionLimit = 100;

export function completionRoutes(prompts: readonly Prompt[], kb: KnowledgeBase) {
  return {
    "completion/complete": route(CompleteRequestSchema, ({ params: { ref, argument } }) =>
      ref.type === "ref/prompt"
        ? completePrompt(findPrompt(prompts, ref.name), argument, kb)
        : completeTemplate(ref.uri, argument, kb),
    ),
  };
}

interface Typed {
  readonly name: string;
  readonly value: string;
}

async function completeTemplate(
  uri: string,
  { name, value }: Typed,
  kb: KnowledgeBase,
): Promise<CompleteResult> {
  if (uri !== documentTemplate || name !== "path")
    throw new KbError("KB_REQUEST_INVALID", `Only path of ${documentTemplate} can be completed`);
  const none = { paths: [], total: 0 };
  const { paths, total } = await beforeFirstIndex(kb.completePath(value, completionLimit), none);
  return { completion: { values: paths, total, hasMore: total > paths.length } };
}

async function completePrompt(
  prompt: Prompt,
  { name, value }: Typed,
  kb: KnowledgeBase,
): Promise<CompleteResult> {
  const argument = prompt.arguments.find((known) => known.name === name);
  if (argument === undefined) throw unknownArgument(prompt, name);
  const all = await beforeFirstIndex(argument.complete?.(value, kb) ?? Promise.resolve([]), []);
  const values = all.slice(0, completionLimit);
  return { completion: { values, total: all.length, hasMore: all.length > values.length } };
}
