// Reads a golden file from disk.
import { basename } from "node:path";
import { KbError } from "../errors.js";
import { limits } from "../limits.js";
import { OperatorFileError, readOperatorFile } from "../operator-file.js";
import type { GoldenSet } from "./golden-set.js";
import { parseGolden } from "./parse-golden.js";

/**
 * @param file absolute
 * @throws KbError KB_EVAL_UNREADABLE, KB_EVAL_GOLDEN
 */
export async function readGolden(file: string): Promise<GoldenSet> {
  let text: string | undefined;
  try {
    text = await readOperatorFile(file, limits.goldenFileBytes);
  } catch (error) {
    if (!(error instanceof OperatorFileError)) throw error;
    throw new KbError("KB_EVAL_UNREADABLE", `the golden file ${file} cannot be read: ${error.message}`, {
      cause: error,
      ...(error.reason === "encoding" && { hint: "Save the file as UTF-8." }),
    });
  }
  if (text === undefined) throw new KbError("KB_EVAL_UNREADABLE", `there is no golden file at ${file}`);
  return parseGolden(text, basename(file));
}
