// Counts the bytes of all files of a download together: for progress, and against the bound on a model.
import { KbError, type PluginHost } from "../../../core/plugin-api.js";
import type { ModelRequest } from "./model-request.js";

export class Tally {
  readonly #done = new Map<string, number>();
  readonly #sizes: Map<string, number>;
  /** Needed files whose size nobody told yet. */
  readonly #unknown: Set<string>;
  readonly #model: string;
  readonly #mostBytes: number;
  readonly #progress: PluginHost["progress"];

  /**
   * @param sizes those that the server announced
   * @throws KbError KB_MODEL_DOWNLOAD where they are too large together
   */
  constructor(
    { model }: ModelRequest,
    mostBytes: number,
    progress: PluginHost["progress"],
    wanted: readonly string[],
    sizes: ReadonlyMap<string, number>,
  ) {
    this.#model = model;
    this.#mostBytes = mostBytes;
    this.#progress = progress;
    this.#sizes = new Map(sizes);
    this.#unknown = new Set(wanted.filter((file) => !sizes.has(file)));
    this.#check();
  }

  /**
   * Bytes of a file that are here, and its size where it is known.
   * @throws KbError KB_MODEL_DOWNLOAD where all are too large together
   */
  count(file: string, bytes: number, size: number | undefined): void {
    this.#done.set(file, bytes);
    if (size !== undefined) {
      this.#sizes.set(file, size);
      this.#unknown.delete(file);
    }
    this.#check();
    this.#tell(this.#unknown.size === 0 ? sumOf(this.#sizes) : undefined);
  }

  /** Forgets a file that the model does not have. */
  drop(file: string): void {
    this.#done.delete(file);
    this.#sizes.delete(file);
    this.#unknown.delete(file);
  }

  end(): void {
    if (this.#done.size > 0) this.#tell(sumOf(this.#done));
  }

  #check(): void {
    if (Math.max(sumOf(this.#done), sumOf(this.#sizes)) > this.#mostBytes)
      throw new KbError(
        "KB_MODEL_DOWNLOAD",
        `The files of ${this.#model} are larger than ${(this.#mostBytes / 1024 ** 3).toFixed(1)} GiB together`,
        { hint: "Choose a smaller model, or a quantized one." },
      );
  }

  #tell(total: number | undefined): void {
    this.#progress({
      what: `Downloading ${this.#model}`,
      done: sumOf(this.#done),
      ...(total !== undefined && { total }),
      unit: "bytes",
    });
  }
}

function sumOf(numbers: ReadonlyMap<string, number>): number {
  return [...numbers.values()].reduce((sum, number) => sum + number, 0);
}
