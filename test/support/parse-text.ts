// Runs a text parser plugin the way the parse process does, in this process.
import type { ParsedDocument, Plugin } from "../../src/core/plugin-api.js";
import { pluginHost } from "../support/plugin-host.js";

/** Parses a text with the only parser of a plugin. */
export async function parseText(plugin: Plugin, text: string, path = "note.md"): Promise<ParsedDocument> {
  const { signal } = new AbortController();
  const factory = plugin.parsers?.[0];
  if (factory === undefined) throw new Error(`${plugin.name} offers no parser`);
  const parser = await factory.create({}, pluginHost("unused", { signal }));
  return parser.parse({ path, bytes: new TextEncoder().encode(text), text, signal });
}
