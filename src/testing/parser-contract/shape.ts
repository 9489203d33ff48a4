// What the interface promises of a plugin that offers a parser, before it is created.
import assert from "node:assert/strict";
import { pluginApiVersion, type ParserFactory, type Plugin } from "../../core/plugin-api.js";
import type { ShapeCheck } from "./check.js";

/** The parser of a plugin with this id. */
export function factoryOf(plugin: Plugin, id: string): ParserFactory {
  const found = (plugin.parsers ?? []).filter((factory) => factory.id === id);
  assert.equal(found.length, 1, `the plugin offers ${found.length} parsers with the id "${id}"`);
  const [factory] = found;
  assert.ok(factory);
  return factory;
}

export const shapeChecks: readonly ShapeCheck[] = [
  {
    name: "is a plugin with a name and a version, made for this version of the interface",
    run(plugin) {
      for (const key of ["name", "version"] as const)
        assert.ok(typeof plugin[key] === "string" && plugin[key] !== "", `"${key}" is not a text`);
      const apiVersion: unknown = plugin.apiVersion;
      assert.equal(typeof apiVersion, "number", '"apiVersion" is not a number');
      assert.equal(
        apiVersion,
        pluginApiVersion,
        `the plugin was made for version ${String(apiVersion)} of the plugin interface ("apiVersion"); this is version ${pluginApiVersion}`,
      );
    },
  },
  {
    name: "offers one parser with the id",
    run(plugin, id) {
      assert.match(id, /^[\w-]+$/, 'the id has other characters than letters, digits, "-" and "_"');
      assert.equal(typeof factoryOf(plugin, id).create, "function", '"create" is not a function');
    },
  },
  {
    name: "claims extensions in lower case without a dot",
    run(plugin, id) {
      const extensions: unknown = factoryOf(plugin, id).extensions;
      assert.ok(
        Array.isArray(extensions) && extensions.length > 0,
        '"extensions" is not a list with an entry',
      );
      for (const extension of extensions as unknown[])
        assert.ok(
          typeof extension === "string" &&
            /^[^\s./\\:]+$/.test(extension) &&
            extension === extension.toLowerCase(),
          `the extension ${JSON.stringify(extension)} is not in lower case without a dot`,
        );
    },
  },
  {
    name: "says what it delivers and whether it reads bytes",
    run(plugin, id) {
      const { mediaType, binary } = factoryOf(plugin, id);
      assert.ok(
        ["text/markdown", "text/plain"].includes(mediaType),
        '"mediaType" is neither text/markdown nor text/plain',
      );
      assert.equal(typeof binary, "boolean", '"binary" is neither true nor false');
    },
  },
  {
    name: "claims the extension of each sample",
    run(plugin, id, paths) {
      const { extensions } = factoryOf(plugin, id);
      assert.ok(paths.length > 0, "there are no samples");
      for (const path of paths) {
        const extension = path.slice(path.lastIndexOf(".") + 1).toLowerCase();
        assert.ok(
          extensions.includes(extension),
          `the extension of ${path} is none of ${extensions.join(", ")}`,
        );
      }
    },
  },
];
