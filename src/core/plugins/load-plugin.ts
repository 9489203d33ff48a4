// The only place that imports a module by a name it was given. Checks that what it exports is a plugin made for
// this version of the interface; what its parts do is checked by who uses them.
import { KbError } from "../errors.js";
import { pluginApiVersion, type Plugin } from "../plugin-api.js";
import { firstLineOf } from "../sent-error.js";
import { flawOf, isRecord } from "./plugin-shape.js";

/**
 * Loads a plugin's module.
 * @param moduleUrl an absolute URL, e.g. `file:///…/index.js`
 * @throws KbError KB_PLUGIN_LOAD, KB_PLUGIN_INVALID, KB_PLUGIN_API_VERSION
 */
export async function loadPlugin(moduleUrl: string): Promise<Plugin> {
  let exported: unknown;
  try {
    exported = defaultExport(await import(moduleUrl));
  } catch (cause) {
    throw new KbError(
      "KB_PLUGIN_LOAD",
      `The plugin ${placeOf(cause) ?? moduleUrl} could not be loaded: ${firstLineOf(cause)}`,
      { cause },
    );
  }
  if (!isRecord(exported))
    throw new KbError("KB_PLUGIN_INVALID", `${moduleUrl} has no plugin as its default export`);
  const name = typeof exported.name === "string" && exported.name !== "" ? exported.name : moduleUrl;
  // First: a plugin made for another version may look otherwise in every other respect.
  if (exported.apiVersion !== pluginApiVersion)
    throw new KbError(
      "KB_PLUGIN_API_VERSION",
      `The plugin ${name} was made for version ${String(exported.apiVersion)} of the plugin interface; this is version ${pluginApiVersion}`,
    );
  const flaw = flawOf(exported);
  if (flaw !== undefined) throw new KbError("KB_PLUGIN_INVALID", `The plugin ${name} is not valid: ${flaw}`);
  return exported as unknown as Plugin;
}

/** What compilers make of a default export for CommonJS is wrapped once more. */
function defaultExport(module: unknown): unknown {
  const exported = (module as { default?: unknown }).default;
  return isRecord(exported) && exported["__esModule"] === true ? exported["default"] : exported;
}

/** Where the syntax is wrong: Node says so at the head of the stack only. */
function placeOf(error: unknown): string | undefined {
  const stack = typeof error === "object" && error !== null && "stack" in error ? String(error.stack) : "";
  return /^file:\S+:\d+/u.exec(stack)?.[0];
}
