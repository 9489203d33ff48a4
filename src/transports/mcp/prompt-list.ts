// Every prompt, in the order in which clients show them.
import type { Prompt } from "./prompt.js";
import { deepDive } from "./prompts/deep-dive.js";
import { findGaps } from "./prompts/find-gaps.js";
import { summarizeTopic } from "./prompts/summarize-topic.js";
import { whatsNew } from "./prompts/whats-new.js";

export const prompts: readonly Prompt[] = [summarizeTopic, deepDive, whatsNew, findGaps];
