// What a plugin must look like, checked before anything of it is used.

/** The kinds of plugin, as a plugin names what it offers. */
export const pluginKinds = ["parsers", "embedders", "stores", "rerankers", "transports"] as const;

export type PluginKinds = (typeof pluginKinds)[number];

/** What is wrong with a plugin's shape, or undefined. */
export function flawOf(plugin: Readonly<Record<string, unknown>>): string | undefined {
  for (const key of ["name", "version"])
    if (typeof plugin[key] !== "string" || plugin[key] === "") return `"${key}" is not a text`;
  for (const kind of pluginKinds) {
    const factories = plugin[kind];
    if (factories === undefined) continue;
    if (!Array.isArray(factories)) return `"${kind}" is not a list`;
    for (const [index, factory] of factories.entries()) {
      const flaw = factoryFlaw(factory, kind);
      if (flaw !== undefined) return `${kind}[${index}]: ${flaw}`;
    }
  }
  return pluginKinds.some((kind) => plugin[kind] !== undefined)
    ? undefined
    : `it offers none of ${pluginKinds.join(", ")}`;
}

function factoryFlaw(factory: unknown, kind: string): string | undefined {
  if (!isRecord(factory)) return "it is not an object";
  if (typeof factory.id !== "string" || !/^[\w-]+$/.test(factory.id))
    return '"id" is not a name of letters, digits, "-" and "_"';
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
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}
