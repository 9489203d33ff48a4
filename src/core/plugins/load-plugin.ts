// The only place that imports a module by a name it was given. Checks that what it exports is a plugin made for
// this version of the interface; what its parts do is checked by who uses them.
import { KbError } from "../errors.js";
import { pluginApiVersion, type Plugin } from "../plugin-api.js";

/**
 * Loads a plugin's module.
 * @param moduleUrl an absolute URL, e.g. `file:///…/index.js`
 * @throws KbError KB_PLUGIN_INVALID, KB_PLUGIN_API_VERSION
 */
export async function loadPlugin(moduleUrl: string): Promise<Plugin> {
  let exported: unknown;
  try {
    exported = ((await import(moduleUrl)) as { default?: unknown }).default;
  } catch (cause) {
    throw new KbError(
      "KB_PLUGIN_INVALID",
      `The plugin ${moduleUrl} could not be loaded: ${messageOf(cause)}`,
      {
        cause,
        hint: "Check that the package is installed, with all that it depends on, and runs on this version of Node.",
      },
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

const kinds = ["parsers", "embedders", "stores", "rerankers", "transports"] as const;

/** What is wrong with a plugin's shape, or undefined. */
function flawOf(plugin: Readonly<Record<string, unknown>>): string | undefined {
  for (const key of ["name", "version"])
    if (typeof plugin[key] !== "string" || plugin[key] === "") return `"${key}" is not a text`;
  for (const kind of kinds) {
    const factories = plugin[kind];
    if (factories === undefined) continue;
    if (!Array.isArray(factories)) return `"${kind}" is not a list`;
    for (const [index, factory] of factories.entries()) {
      const flaw = factoryFlaw(factory, kind);
      if (flaw !== undefined) return `${kind}[${index}]: ${flaw}`;
    }
  }
  return kinds.some((kind) => plugin[kind] !== undefined)
    ? undefined
    : `it offers none of ${kinds.join(", ")}`;
}

function factoryFlaw(factory: unknown, kind: string): string | undefined {
  if (!isRecord(factory)) return "it is not an object";
  if (typeof factory.id !== "string" || !/^[\w.@/-]+$/.test(factory.id))
    return '"id" is not a name of letters, digits, "-", "_" and "."';
  if (typeof factory.create !== "function") return '"create" is not a function';
  const schema = factory.optionsSchema;
  const standard = isRecord(schema) ? schema["~standard"] : undefined;
  if (schema !== undefined && !(isRecord(standard) && typeof standard.validate === "function"))
    return '"optionsSchema" is not a Standard Schema';
  return kind === "parsers" ? parserFlaw(factory) : undefined;
}

function parserFlaw(parser: Readonly<Record<string, unknown>>): string | undefined {
  const { extensions, mediaType, binary } = parser;
  if (!Array.isArray(extensions) || extensions.length === 0)
    return '"extensions" is not a list with an entry';
  const odd: unknown = extensions.find((each) => typeof each !== "string" || !/^[^\s./\\:A-Z]+$/.test(each));
  if (odd !== undefined) return `the extension ${JSON.stringify(odd)} is not in lower case without a dot`;
  if (mediaType !== "text/markdown" && mediaType !== "text/plain")
    return '"mediaType" is neither text/markdown nor text/plain';
  return typeof binary === "boolean" ? undefined : '"binary" is neither true nor false';
}

/** A schema may be a function with properties. */
function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

function messageOf(error: unknown): string {
  const message = typeof error === "object" && error !== null && "message" in error ? error.message : error;
  return String(message).split("\n")[0] ?? "";
}
