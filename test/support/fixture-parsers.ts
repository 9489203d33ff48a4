// Registries made of the parsers in test/fixtures/plugins/.
import { pathToFileURL } from "node:url";
import { createParserRegistry, type ParserRegistry } from "../../src/core/documents/parser-registry.js";
import { loadPlugin } from "../../src/core/plugins/load-plugin.js";

/** All parsers of one fixture module, each with the options given for its id. */
export async function fixtureRegistry(
  file: string,
  options: Readonly<Record<string, unknown>> = {},
): Promise<ParserRegistry> {
  const moduleUrl = pathToFileURL(`test/fixtures/plugins/${file}`).href;
  const plugin = await loadPlugin(moduleUrl);
  return createParserRegistry(
    (plugin.parsers ?? []).map(({ id, extensions, mediaType, binary }) => ({
      id,
      version: plugin.version,
      extensions,
      mediaType,
      binary,
      owner: "kb-mcp",
      moduleUrl,
      options: options[id] ?? {},
    })),
  );
}
