// Loads the tokenizer and the model of a folder, and tries them once. The library sees that folder and nothing else.
/// <reference types="./library.d.ts" />
import { basename, dirname, join } from "node:path";
import type { LoadRequest, ProcessReply } from "./messages.js";
import { OnnxModel } from "./onnx-model.js";
import { onnxRuntime } from "./onnx-runtime.js";
import { TextTokenizer } from "./text-tokens.js";

type Refusal = Extract<ProcessReply, { type: "refused" }>;

/** Why a model was not loaded. */
export class RefusedModel extends Error {
  constructor(
    readonly code: Refusal["code"],
    message: string,
  ) {
    super(message);
  }
}

export interface LoadedModel {
  readonly model: OnnxModel;
  readonly tokens: TextTokenizer;
}

/** @throws RefusedModel */
export async function loadModel(request: LoadRequest): Promise<LoadedModel> {
  const { folder, name, onnxFile, threads, window, embedding } = request;
  const attempt = async <Part>(what: string, load: () => Part | Promise<Part>): Promise<Part> => {
    try {
      return await load();
    } catch (error) {
      const code = what === "" ? "KB_MODEL_LIBRARY" : "KB_MODEL_INVALID";
      const subject =
        what === "" ? "@xenova/transformers cannot be loaded" : `${what} of ${name} cannot be used`;
      throw new RefusedModel(code, `${subject}: ${reasonOf(error, folder)}`);
    }
  };
  const { library, runtime } = await attempt("", async () => ({
    runtime: onnxRuntime(),
    library: await import("@xenova/transformers"),
  }));
  library.env.allowRemoteModels = false;
  library.env.useFSCache = false;
  library.env.localModelPath = dirname(folder);
  const tokenizer = await attempt("tokenizer.json", async () => {
    const loaded = await library.AutoTokenizer.from_pretrained(basename(folder), { local_files_only: true });
    return { loaded, tokens: new TextTokenizer(loaded, window) };
  });
  const model = await attempt(onnxFile, async () => {
    const session = await runtime.InferenceSession.create(join(folder, ...onnxFile.split("/")), {
      executionProviders: ["cpu"],
      intraOpNumThreads: threads,
      interOpNumThreads: 1,
      logSeverityLevel: 3,
    });
    return new OnnxModel(session, runtime.Tensor, tokenizer.loaded.pad_token_id ?? 0, request.quantized);
  });
  const { tokens } = tokenizer;
  const probe = await attempt("tokenizer.json", () => [tokens.pair("a", "b"), tokens.text("a")] as const);
  await attempt<unknown>(onnxFile, () =>
    embedding === undefined ? model.score([probe[0]]) : model.embed([probe[1]], embedding),
  );
  return { model, tokens };
}

const shownUnits = 300;

/** The first line of an error, without the place of the model on this machine. */
export function reasonOf(error: unknown, folder: string): string {
  const message = error instanceof Error ? error.message : String(error);
  const line = message.split("\n", 1)[0] ?? "";
  return line.replaceAll(folder, "").slice(0, shownUnits);
}
