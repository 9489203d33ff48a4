// kb-mcp models list, pull and verify
import type { LibraryInUse } from "../../core/plugins/model-libraries.js";
import { KbError } from "../../core/errors.js";
import {
  formatChecks,
  formatModelList,
  formatPulled,
  type CheckedModels,
  type ListedModels,
  type PulledModel,
} from "../format-models.js";
import type { PreparationDisplay } from "../preparation-progress.js";
import type { ExitCode } from "../program.js";

/** What the commands work with, and where they print. */
export interface ModelsContext {
  /** The embedder's first. */
  readonly libraries: readonly LibraryInUse[];
  readonly format: "text" | "json";
  readonly signal: AbortSignal;
  /** Shows what the libraries' hosts tell of progress; ended before anything is printed. */
  readonly progress: PreparationDisplay;
  readonly print: (text: string) => void;
}

/** Prints the models that the parts in use know and those on this machine. */
export async function listModels({ libraries, format, print }: ModelsContext): Promise<ExitCode> {
  const lists: ListedModels[] = [];
  const shown = new Set<string>();
  for (const { kind, id, library } of libraries) {
    // Parts of one plugin share a cache: a model that only the other one knows is listed with it.
    const others = await Promise.all(
      libraries.filter((one) => one.library !== library).map(({ library: one }) => one.list()),
    );
    const theirs = new Set(
      others.flat().flatMap(({ model, description }) => (description === undefined ? [] : [model])),
    );
    const models = (await library.list()).filter(
      ({ model, folder, description }, index) =>
        index === 0 || description !== undefined || !(theirs.has(model) || shown.has(folder ?? "")),
    );
    for (const { folder } of models) if (folder !== undefined) shown.add(folder);
    lists.push({ kind, id, models });
  }
  print(format === "json" ? json(lists) : formatModelList(lists));
  return 0;
}

/**
 * Fetches what is missing or damaged of a model.
 * @param model absent for all that are in use
 */
export async function pullModels(
  { libraries, format, signal, progress, print }: ModelsContext,
  model?: string,
): Promise<ExitCode> {
  const pulled: PulledModel[] = [];
  try {
    for (const { kind, id, library } of await librariesOf(libraries, model))
      pulled.push({ kind, id, model: await library.pull(model, signal) });
  } finally {
    progress.end();
  }
  print(format === "json" ? json(pulled) : formatPulled(pulled));
  return 0;
}

/**
 * Checks the models on this machine; 1 if something is wrong with one.
 * @param model absent for all of them
 */
export async function verifyModels(
  { libraries, format, signal, print }: ModelsContext,
  model?: string,
): Promise<ExitCode> {
  const checked: CheckedModels[] = [];
  const seen = new Set<string>();
  for (const { kind, id, library } of await librariesOf(libraries, model)) {
    const checks = (await library.verify(model, signal)).filter(
      ({ entry: { folder } }) => !seen.has(folder ?? ""),
    );
    for (const { entry } of checks) if (entry.folder !== undefined) seen.add(entry.folder);
    checked.push({ kind, id, checks });
  }
  print(format === "json" ? json(checked) : formatChecks(checked));
  return checked.some(({ checks }) => checks.some(({ problems }) => problems.length > 0)) ? 1 : 0;
}

/** All of them, or the one that knows a model: by its table, else because it holds it, else the embedder's. */
async function librariesOf(
  libraries: readonly LibraryInUse[],
  model: string | undefined,
): Promise<readonly LibraryInUse[]> {
  const [first] = libraries;
  if (model === undefined) return libraries;
  if (first === undefined)
    throw new KbError(
      "KB_MODEL_UNKNOWN",
      "neither the embedder nor the reranker in use has models of its own",
      {
        hint: 'Name one that does in kb-mcp.toml: [embedder] use = "transformers".',
      },
    );
  const found = await Promise.all(
    libraries.map(async (one) => {
      const models = await one.library.list();
      const index = models.findIndex((entry) => entry.model === model);
      return { one, rank: index < 0 ? 2 : index === 0 || models[index]?.description !== undefined ? 0 : 1 };
    }),
  );
  return [found.toSorted((a, b) => a.rank - b.rank)[0]?.one ?? first];
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
