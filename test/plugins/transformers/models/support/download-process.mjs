// Downloads the tiny model in a process of its own: node download-process.mjs CACHE MIRROR. Prints the folder.
import { locateModel } from "../../../../../dist/plugins/transformers/models/locate-model.js";

const [, , cacheDirectory, mirror] = process.argv;
const log = (message) => process.stderr.write(`${message}\n`);
const folder = await locateModel(
  {
    model: "Some/tiny-model",
    revision: "main",
    files: ["config.json", "tokenizer.json", "onnx/model_quantized.onnx"],
    optionalFiles: [],
  },
  {
    cacheDirectory,
    mirror,
    signal: new AbortController().signal,
    progress: () => undefined,
    logger: { debug: () => undefined, info: log, warn: log, error: log },
    allowDownload: true,
    limits: { lock: { beatMs: 50, goneMs: 200, silentMs: 5000 } },
  },
);
process.stdout.write(folder);
