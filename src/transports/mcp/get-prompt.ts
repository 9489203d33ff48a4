// prompts/list and prompts/get: shows the prompts and checks what they are given. Knows no single prompt.
import { GetPromptRequestSchema, ListPromptsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import type { GetPromptResult, ListPromptsResult } from "@modelcontextprotocol/sdk/types.js";
import { KbError, limits, nearestName } from "../../core/index.js";
import type { KnowledgeBase } from "../../core/index.js";
import type { Prompt } from "./prompt.js";
import { route } from "./request-router.js";

export function promptRoutes(prompts: readonly Prompt[], kb: KnowledgeBase) {
  const listed = { prompts: prompts.map(advertise) } satisfies ListPromptsResult;
  return {
    "prompts/list": route(ListPromptsRequestSchema, () => listed),
    "prompts/get": route(GetPromptRequestSchema, async ({ params }): Promise<GetPromptResult> => {
      const prompt = findPrompt(prompts, params.name);
      const text = await prompt.write(readValues(prompt, params.arguments ?? {}), kb);
      return {
        description: prompt.description,
        messages: [{ role: "user", content: { type: "text", text } }],
      };
    }),
  };
}

/** @throws KbError KB_PROMPT_UNKNOWN */
export function findPrompt(prompts: readonly Prompt[], name: string): Prompt {
  const prompt = prompts.find((known) => known.name === name);
  if (prompt !== undefined) return prompt;
  throw new KbError("KB_PROMPT_UNKNOWN", `There is no prompt ${shown(name)}`, {
    hint: didYouMean(
      name,
      prompts.map((known) => known.name),
      "prompts",
    ),
  });
}

function advertise(prompt: Prompt) {
  const { name, title, description } = prompt;
  const args = prompt.arguments.map((argument) => ({
    name: argument.name,
    description: argument.description,
    required: argument.required,
  }));
  return { name, title, description, arguments: args };
}

/** An empty value is an absent one. @throws KbError KB_PROMPT_ARGUMENT */
function readValues(
  prompt: Prompt,
  given: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const known = prompt.arguments.map(({ name }) => name);
  const values: Record<string, string> = {};
  for (const [name, raw] of Object.entries(given)) {
    if (!known.includes(name)) throw unknownArgument(prompt, name);
    if (Buffer.byteLength(raw) > limits.promptArgumentBytes)
      throw new KbError("KB_PROMPT_ARGUMENT", `${name} is longer than ${limits.promptArgumentBytes} bytes`, {
        hint: "Ask in fewer words.",
      });
    const value = raw.trim();
    if (value !== "") values[name] = value;
  }
  for (const { name, required, description } of prompt.arguments)
    if (required && values[name] === undefined)
      throw new KbError("KB_PROMPT_ARGUMENT", `${prompt.name} needs the argument "${name}"`, {
        hint: description,
      });
  return values;
}

/** The error for an argument that a prompt does not take. */
export function unknownArgument(prompt: Prompt, name: string): KbError {
  const known = prompt.arguments.map((argument) => argument.name);
  return new KbError("KB_PROMPT_ARGUMENT", `${prompt.name} takes no argument ${shown(name)}`, {
    hint: didYouMean(name, known, "arguments"),
  });
}

function didYouMean(wrong: string, known: readonly string[], what: string): string {
  const nearest = nearestName(wrong, known);
  const list = `The ${what} are: ${known.join(", ")}.`;
  return nearest === undefined ? list : `Did you mean "${nearest}"? ${list}`;
}

function shown(name: string): string {
  return JSON.stringify(name.slice(0, 60));
}
