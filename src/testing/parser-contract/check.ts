// One test of the parser contract, and what it is about.
import type { Parser, ParserFactory, Plugin } from "../../core/plugin-api.js";
import type { Observation } from "./observe-parse.js";

/** A file as the parser is given it. */
export interface SampleFile {
  readonly path: string;
  /** What is odd about it, for the message of a test. */
  readonly note?: string;
  readonly bytes: Uint8Array;
  /** Decoded; empty for a binary format. */
  readonly text: string;
}

export interface ParserSubject {
  readonly factory: ParserFactory;
  readonly parser: Parser;
  readonly samples: readonly SampleFile[];
  readonly observe: (file: SampleFile) => Promise<Observation>;
}

export interface ParserCheck {
  /** A sentence of behaviour. */
  readonly name: string;
  run(subject: ParserSubject): Promise<void>;
}

/** A test that needs no parser yet. */
export interface ShapeCheck {
  readonly name: string;
  run(plugin: Plugin, id: string, paths: readonly string[]): void;
}
