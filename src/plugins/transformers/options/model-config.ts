// What the small files of a model say of it: the length of its vectors, and how many tokens it reads.
import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { KbError } from "../../../core/plugin-api.js";

export interface ModelConfig {
  /** Absent where config.json does not say. */
  readonly dimensions: number | undefined;
  /** Absent where neither file says. */
  readonly window: number | undefined;
  /** The id of the model that it was made of, where it says so. */
  readonly origin: string | undefined;
  /** Changes with the model: a digest of what is known without reading all of it. */
  readonly digest: string;
}

/** Names that configurations have for the length of a hidden vector. */
const dimensionKeys = ["hidden_size", "dim", "d_model", "n_embd"];

/** Models of this family do not use their first two positions. */
const robertaLike = /roberta|camembert|xlm-r|mpnet/u;

/** A tokenizer that knows no bound says 1e30. */
const largestWindow = 1_000_000;

/** @throws KbError KB_MODEL_INVALID */
export async function readModelConfig(folder: string, name: string, onnxFile: string): Promise<ModelConfig> {
  const config = await readTable(folder, name, "config.json");
  const tokenizer = await readTable(folder, name, "tokenizer_config.json");
  const text = (value: unknown): string => (typeof value === "string" ? value : "");
  const positions = wholeNumber(config["max_position_embeddings"] ?? config["n_positions"]);
  const unused = robertaLike.test(text(config["model_type"])) ? 2 : 0;
  const windows = [
    positions === undefined ? undefined : positions - unused,
    wholeNumber(tokenizer["model_max_length"]),
  ];
  const known = windows.filter((window) => window !== undefined && window > 0 && window < largestWindow);
  // The size of the model file tells two conversions apart; reading all of it would take long.
  const size = await stat(join(folder, ...onnxFile.split("/"))).then(
    (found) => found.size,
    () => 0,
  );
  return {
    dimensions: dimensionKeys.map((key) => wholeNumber(config[key])).find((value) => value !== undefined),
    window: known.length === 0 ? undefined : Math.min(...(known as number[])),
    origin: text(config["_name_or_path"]) || undefined,
    digest: createHash("sha256")
      .update(JSON.stringify([config, size]))
      .digest("hex")
      .slice(0, 12),
  };
}

function wholeNumber(value: unknown): number | undefined {
  return typeof value === "number" && Number.isInteger(value) && value > 0 ? value : undefined;
}

async function readTable(folder: string, name: string, file: string): Promise<Record<string, unknown>> {
  let table: unknown;
  try {
    table = JSON.parse(await readFile(join(folder, file), "utf8"));
  } catch (error) {
    throw new KbError("KB_MODEL_INVALID", `${file} of ${name} cannot be read or is not JSON`, {
      cause: error,
    });
  }
  if (typeof table === "object" && table !== null && !Array.isArray(table))
    return table as Record<string, unknown>;
  throw new KbError("KB_MODEL_INVALID", `${file} of ${name} holds no table`);
}
