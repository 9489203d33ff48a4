// The only place that imports a module by a name it was given. Checks that what it exports is a plugin made for
// this version of the interface; what its parts do is checked by who uses them.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { isNativeError } from "node:util/types";
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
    const place = (await syntaxPlace(cause, moduleUrl)) ?? placeOf(cause) ?? moduleUrl;
    throw new KbError("KB_PLUGIN_LOAD", `The plugin ${place} could not be loaded: ${firstLineOf(cause)}`, {
      cause,
    });
  }
  if (!isRecord(exported))
    throw new KbError("KB_PLUGIN_INVALID", `${moduleUrl} has no plugin as its default export`);
  const name = typeof exported.name === "string" && exported.name !== "" ? exported.name : moduleUrl;
  // First: a plugin made for another version may look otherwise in every other respect.
  const { apiVersion } = exported;
  if (typeof apiVersion !== "number")
    throw new KbError(
      "KB_PLUGIN_API_VERSION",
      `The plugin ${name} has ${apiVersion === undefined ? "no apiVersion" : "an apiVersion that is not a number"}`,
      { hint: `Write apiVersion: ${pluginApiVersion}, the version of the interface that it is made for.` },
    );
  if (apiVersion !== pluginApiVersion)
    throw new KbError(
      "KB_PLUGIN_API_VERSION",
      `The plugin ${name} was made for version ${apiVersion} of the plugin interface; this is version ${pluginApiVersion}`,
    );
  const flaw = flawOf(exported);
  if (flaw !== undefined)
    throw new KbError("KB_PLUGIN_INVALID", `The plugin ${name} is not valid: ${flaw}`, {
      hint: "Correct this; docs/write-a-parser.md says what belongs there.",
    });
  return exported as unknown as Plugin;
}

/** What compilers make of a default export for CommonJS is wrapped once more. */
function defaultExport(module: unknown): unknown {
  const exported = (module as { default?: unknown }).default;
  return isRecord(exported) && exported["__esModule"] === true ? exported["default"] : exported;
}

/** The first place in a file that the stack names. */
function placeOf(error: unknown): string | undefined {
  const stack = typeof error === "object" && error !== null && "stack" in error ? String(error.stack) : "";
  return /(file:\/\/\S+?:\d+):\d+/u.exec(stack)?.[1];
}

/** Of an error in the syntax Node tells the line only when it is asked to check the file. */
async function syntaxPlace(error: unknown, moduleUrl: string): Promise<string | undefined> {
  if (!isNativeError(error) || error.name !== "SyntaxError") return undefined;
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ["--check", fileURLToPath(moduleUrl)],
      { timeout: 5000, windowsHide: true },
      (failure, _, stderr) => {
        const [, line] = failure === null ? [] : (/^.+:(\d+)$/mu.exec(stderr) ?? []);
        resolve(line === undefined ? undefined : `${moduleUrl}:${line}`);
      },
    );
  });
}
