// The dependency rule of docs/architecture.md. Each rule says what to do instead. test/boundaries.test.ts appends
// one breaking import for each rule to a copy of src/ and expects that rule to fail.

const builtIns = "^(node:)?[a-z_/]+$";

/** Few and pure: no I/O of their own. */
const coreLibraries = [
  "ignore",
  "chardet",
  "env-paths",
  "fastest-levenshtein",
  "import-meta-resolve",
  "stemmer",
  "toml-eslint-parser",
  "yaml",
].join("|");

/** The files of core that may touch the file system, and why: they own the files they touch. */
const fileReaders = [
  "src/core/documents/(read-guard|walk|ignore-file|knowledge-base-root)[^/]*\\.ts$",
  "src/core/config/",
  "src/core/operator-file\\.ts$",
  "src/core/eval/history\\.ts$",
  "src/core/indexing/(writer-lease|lease-file|index-overview|make-directory)\\.ts$",
].join("|");

export default {
  forbidden: [
    {
      name: "core-stays-pure",
      comment:
        "core/ knows no plugin, transport, container or protocol: take what you need as an argument, through an interface of plugin-api.ts.",
      severity: "error",
      from: { path: "^src/core/" },
      to: {
        pathNot: `^src/core/|node_modules/(${coreLibraries})/`,
        dependencyTypesNot: ["core"],
      },
    },
    {
      name: "plugins-use-the-plugin-api",
      comment:
        "A plugin imports core/plugin-api.ts, its own folder and its own packages: what a stranger cannot do, it cannot do.",
      severity: "error",
      from: { path: "^src/plugins/([^/]+)/([^/]+)/", pathNot: "^src/plugins/transformers/" },
      to: { path: "^src/", pathNot: "^src/core/plugin-api\\.ts$|^src/plugins/$1/$2/" },
    },
    {
      name: "transformers-uses-the-plugin-api",
      comment:
        "As plugins-use-the-plugin-api, for the plugin that offers parts of two kinds: it imports core/plugin-api.ts and its own folder.",
      severity: "error",
      from: { path: "^src/plugins/transformers/" },
      to: { path: "^src/", pathNot: "^src/core/plugin-api\\.ts$|^src/plugins/transformers/" },
    },
    {
      name: "mcp-surface-knows-no-transport",
      comment: "transports/mcp/ is the surface of every transport: it uses the two faces of core and itself.",
      severity: "error",
      from: { path: "^src/transports/mcp/" },
      to: { path: "^src/", pathNot: "^src/core/(index|plugin-api)\\.ts$|^src/transports/mcp/" },
    },
    {
      name: "transports-stand-alone",
      comment: "A transport uses the two faces of core, transports/mcp/ and itself, never another transport.",
      severity: "error",
      from: { path: "^src/transports/([^/]+)/", pathNot: "^src/transports/mcp/" },
      to: {
        path: "^src/",
        pathNot: "^src/core/(index|plugin-api)\\.ts$|^src/transports/(mcp|$1)/",
      },
    },
    {
      name: "testing-uses-the-plugin-api",
      comment: "testing/ is published for plugin authors: it imports core/plugin-api.ts and itself.",
      severity: "error",
      from: { path: "^src/testing/" },
      to: { pathNot: "^src/core/plugin-api\\.ts$|^src/testing/", dependencyTypesNot: ["core"] },
    },
    {
      name: "one-composition-root",
      comment:
        "The application is opened by the command line and the package entry; everyone else gets what they need passed in.",
      severity: "error",
      from: { pathNot: "^src/(cli/|(index|container|open-application)\\.ts$)" },
      to: { path: "^src/(container|open-application)\\.ts$" },
    },
    {
      name: "one-user-of-tsyringe",
      comment: "Only the composition root knows the container library.",
      severity: "error",
      from: { pathNot: "^src/container\\.ts$" },
      to: { path: "node_modules/(tsyringe|reflect-metadata)/" },
    },
    {
      name: "few-touch-files",
      comment:
        "In core only the read guard, the walk and the owners of their own files use the file system; read documents through readGuarded.",
      severity: "error",
      from: { path: "^src/core/", pathNot: fileReaders },
      to: { path: "^(node:)?fs(/promises)?$" },
    },
    {
      name: "no-cycles",
      comment: "Move what both need into a file of its own.",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    {
      name: "no-dead-files",
      comment: "Nothing imports this file: delete it, or import it.",
      severity: "error",
      from: {
        orphan: true,
        pathNot: "^src/(index|cli/main)\\.ts$",
      },
      to: {},
    },
    {
      name: "no-undeclared-packages",
      comment: "Declare the package in package.json.",
      severity: "error",
      from: {},
      to: { dependencyTypes: ["npm-no-pkg", "npm-unknown", "unknown", "undetermined"], pathNot: builtIns },
    },
    {
      name: "no-development-packages",
      comment: "What ships must not import development dependencies.",
      severity: "error",
      from: { path: "^src/" },
      to: { dependencyTypes: ["npm-dev"] },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "node", "default"] },
  },
};
