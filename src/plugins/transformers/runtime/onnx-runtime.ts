// The ONNX runtime that @xenova/transformers brings. Used beneath it, because the library hands the runtime no number
// of threads, holds each model in memory twice, cannot read weights beside the model file, and tries WebAssembly,
// which is many times slower, where a model does not load.
import { createRequire } from "node:module";

export interface Tensor {
  readonly data: Float32Array | BigInt64Array;
  readonly dims: readonly number[];
}

export interface Session {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  run(inputs: Readonly<Record<string, Tensor>>, outputs: readonly string[]): Promise<Record<string, Tensor>>;
}

interface OnnxRuntime {
  readonly Tensor: new (type: "int64", data: BigInt64Array, dims: readonly number[]) => Tensor;
  readonly InferenceSession: {
    create(
      path: string,
      options: {
        readonly executionProviders: readonly string[];
        readonly intraOpNumThreads: number;
        readonly interOpNumThreads: number;
        /** 3: errors only. */
        readonly logSeverityLevel: number;
      },
    ): Promise<Session>;
  };
}

/** @throws where the library is not installed, or has no runtime for this platform */
export function onnxRuntime(): OnnxRuntime {
  const library = createRequire(import.meta.url).resolve("@xenova/transformers");
  const requireOfLibrary = createRequire(library);
  return requireOfLibrary("onnxruntime-node") as OnnxRuntime;
}
