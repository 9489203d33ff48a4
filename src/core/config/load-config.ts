// Loads the effective configuration: command line over environment over file over defaults. The only entry to
// this folder; what other parts of kb-mcp need of it is exported here.
import os from "node:os";
import path from "node:path";
import { KbError } from "../errors.js";
import { checkValue, type SettingValue, type ValueContext } from "./check-value.js";
import { findConfigFile, type ConfigFile } from "./config-file.js";
import { chooseOptions, type ChosenOptions } from "./choose-options.js";
import type { Config, ConfigSources, LoadedConfig } from "./config.js";
import { refuseDataDirectoryInside } from "./data-directory.js";
import { configFileVariable, readEnvironment } from "./environment-settings.js";
import { expandPath, isPackagePath } from "./expand-path.js";
import type { FileSettings } from "./file-settings.js";
import { mergeValues, type Values } from "./merge-values.js";
import type { Problem } from "./problem.js";
import { environmentName, settings, type SettingKey, type SettingValues } from "./settings.js";

export type { Config, ConfigFlags, ConfigSources, KnownPlugins, LoadedConfig, Origin } from "./config.js";
export { indexDirectory, refuseStoreInside } from "./data-directory.js";

const flagKeys = {
  kbPath: "kb_path",
  transport: "transport.use",
  golden: "eval.golden",
} as const satisfies Record<string, SettingKey>;

/**
 * Finds and reads the configuration. Whether the folder of notes exists is not asked.
 *
 * @throws KbError KB_CONFIG_NOT_FOUND, KB_CONFIG_UNREADABLE, KB_CONFIG_SYNTAX, KB_CONFIG_UNKNOWN_KEY,
 *   KB_CONFIG_INVALID_VALUE, KB_PLUGIN_UNKNOWN, KB_CONFIG_NO_KB_PATH, KB_CONFIG_DATA_DIRECTORY
 */
export async function loadConfig(sources: ConfigSources): Promise<LoadedConfig> {
  const { flags, environment, knownPlugins } = sources;
  const workingDirectory = path.resolve(sources.workingDirectory);
  const homeDirectory = sources.homeDirectory ?? os.homedir();
  const base: ValueContext = {
    base: workingDirectory,
    homeDirectory,
    knownPlugins,
    openIds: namesPackages(environment),
  };

  const file = await findConfigFile({
    named: flags.config ?? (environment[configFileVariable]?.trim() || undefined),
    workingDirectory,
    homeDirectory,
    userConfigDirectory: async () => sources.userConfigDirectory ?? (await platformPaths()).config,
  });
  const fromFile = file && (await readFile(file, workingDirectory, base));
  // The packages that the file names may offer what the environment and the command line choose.
  const here = { ...base, openIds: base.openIds || fromFile?.openIds === true };
  const fromEnvironment = await readEnvironment(environment, here);
  const fromFlags = readFlags(sources, here);

  const problems = [fromFile, fromEnvironment, fromFlags].flatMap((source) => source?.problems ?? []);
  if (problems.length > 0) {
    const { problemsError } = await import("./problem.js");
    throw await problemsError(problems);
  }

  const { values, origins } = mergeValues(
    fromFlags.values,
    fromEnvironment.values,
    fromFile?.settings.values,
  );
  const warnings = [...(fromFile?.warnings ?? []), ...fromEnvironment.warnings];
  const options = chooseOptions(values, fromFile?.settings, origins, warnings);

  const fileFolder = file === undefined ? workingDirectory : path.dirname(file.path);
  if (values.kb_path === undefined) throw noKbPath(fromFile?.warnings ?? []);
  const dataDirectory = values.data_dir ?? path.resolve(workingDirectory, (await platformPaths()).data);
  await refuseDataDirectoryInside(values.kb_path, dataDirectory);

  return {
    config: {
      ...toConfig(values, values.kb_path, dataDirectory, options),
      plugins: {
        packages: values["plugins.packages"].map((name) => ({
          name,
          ...(isPackagePath(name) && { path: expandPath(name, fileFolder, homeDirectory) }),
        })),
        folder: fileFolder,
        key:
          origins["plugins.packages"] === "file" && file !== undefined
            ? `[plugins].packages in ${file.path}`
            : packagesVariable,
      },
    },
    ...(file === undefined ? {} : { file: file.path }),
    trusted: file?.trusted ?? true,
    warnings,
    origins,
  };
}

async function platformPaths(): Promise<{ readonly config: string; readonly data: string }> {
  const { default: envPaths } = await import("env-paths");
  return envPaths("kb-mcp", { suffix: "" });
}

const packagesVariable = environmentName("plugins.packages");

/** Whether the environment names third-party packages, whose ids nobody knows yet; whether they exist is asked later. */
function namesPackages(environment: ConfigSources["environment"]): boolean {
  return (environment[packagesVariable] ?? "").trim() !== "";
}

/** The modules are loaded here so that a start without a file does not pay for them. */
async function readFile(
  file: ConfigFile,
  workingDirectory: string,
  context: ValueContext,
): Promise<{
  settings: FileSettings;
  problems: readonly Problem[];
  warnings: string[];
  openIds: boolean;
}> {
  const [{ parseTomlDocument }, { readFileSettings }, { entryAt }] = await Promise.all([
    import("./toml-document.js"),
    import("./file-settings.js"),
    import("./toml-value.js"),
  ]);
  const root = parseTomlDocument(file.text, file.path);
  const warnings: string[] = [];
  if (!file.trusted) {
    const { removeUntrusted } = await import("./trust.js");
    warnings.push(...(await removeUntrusted(root, file, { ...context, workingDirectory })));
  }
  const packages = entryAt(root, ["plugins", "packages"])?.value;
  const openIds = context.openIds || (Array.isArray(packages) && packages.length > 0);
  const settings = readFileSettings(root, file.path, { ...context, base: path.dirname(file.path), openIds });
  return { settings, problems: settings.problems, warnings, openIds };
}

function readFlags(
  { flags }: ConfigSources,
  context: ValueContext,
): { values: Values; problems: readonly Problem[] } {
  const values = new Map<SettingKey, SettingValue>();
  const problems: Problem[] = [];
  for (const flag of ["kbPath", "transport", "golden"] as const) {
    const text = flags[flag];
    if (text === undefined) continue;
    const setting = settings[flagKeys[flag]];
    const checked = checkValue(setting.flag, setting, text, context);
    if ("value" in checked) values.set(flagKeys[flag], checked.value);
    else problems.push({ ...checked.complaint, where: "command line" });
  }
  return { values, problems };
}

/** What trust removed is said here, because an error leaves no place for warnings. */
function noKbPath(warnings: readonly string[]): KbError {
  const removed = warnings.length === 0 ? "" : `:\n  ${warnings.join("\n  ")}`;
  return new KbError("KB_CONFIG_NO_KB_PATH", `no folder of notes is named${removed}`);
}

function toConfig(
  values: SettingValues,
  kbPath: string,
  dataDirectory: string,
  options: ChosenOptions,
): Omit<Config, "plugins"> {
  const vectorWeight = values["search.vector_weight"];
  const reranker = values["search.reranker"];
  const golden = values["eval.golden"];
  return {
    kbPath,
    excludeDirs: values.exclude_dirs,
    excludeHeadings: values.exclude_headings,
    parsers: { enabled: values["parsers.enabled"], options: options.parsers },
    embedder: { use: values["embedder.use"], options: options.embedder },
    store: { use: values["store.use"], options: options.store },
    ...(reranker === undefined ? {} : { reranker: { use: reranker, options: options.reranker } }),
    transport: { use: values["transport.use"], options: options.transport },
    search: {
      minConfidence: values["search.min_confidence"],
      ...(vectorWeight === undefined ? {} : { vectorWeight }),
      limit: values["search.limit"],
      mmr: values["search.mmr"],
      mmrLambda: values["search.mmr_lambda"],
      mmrSameDocPenalty: values["search.mmr_same_doc_penalty"],
      parentRetriever: values["search.parent_retriever"],
    },
    qualityFilter: {
      enabled: values["quality_filter.enabled"],
      threshold: values["quality_filter.threshold"],
    },
    bestPractice: { pathTemplates: values["best_practice.path_templates"] },
    eval: golden === undefined ? {} : { golden },
    index: { maxFileBytes: values["index.max_file_mib"] * 1024 * 1024 },
    mcp: { maxReplyTokens: values["mcp.max_reply_tokens"] },
    dataDirectory,
    logLevel: values.log,
  };
}
