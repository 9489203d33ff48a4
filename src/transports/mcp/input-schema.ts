// The part of JSON Schema that describes a tool's arguments: flat and plain, because some clients refuse more.
// Knows no tool and reads no argument.

interface Described {
  /** For a model: what the argument does. */
  readonly description: string;
}

export interface TextParameter extends Described {
  readonly type: "string";
  /** For a model: the values that there are. Reading them with sense is the tool's. */
  readonly enum?: readonly [string, ...string[]];
  readonly examples: readonly [string, ...string[]];
}

export interface NumberParameter extends Described {
  readonly type: "integer" | "number";
  readonly minimum: number;
  readonly maximum?: number;
  readonly default?: number;
  readonly examples: readonly [number, ...number[]];
}

export interface BooleanParameter extends Described {
  readonly type: "boolean";
  readonly default?: boolean;
  readonly examples: readonly [boolean, ...boolean[]];
}

export interface ListParameter extends Described {
  readonly type: "array";
  readonly items: { readonly type: "string" };
  readonly maxItems: number;
  readonly examples: readonly [readonly string[], ...(readonly string[])[]];
}

export type Parameter = TextParameter | NumberParameter | BooleanParameter | ListParameter;

/** The arguments of a tool; `default` says what an absent one means, the reader of arguments never fills it in. */
export interface InputSchema {
  readonly type: "object";
  readonly properties: { readonly [name: string]: Parameter };
  readonly required?: readonly string[];
  readonly additionalProperties: false;
}

type ValueOf<P extends Parameter> = P extends { type: "string" }
  ? string
  : P extends { type: "boolean" }
    ? boolean
    : P extends { type: "array" }
      ? string[]
      : number;

type RequiredName<S extends InputSchema> = S extends { required: readonly (infer Name)[] } ? Name : never;

/** The type of what a schema describes. */
export type Arguments<S extends InputSchema> = {
  -readonly [Name in keyof S["properties"] as Name extends RequiredName<S> ? Name : never]: ValueOf<
    S["properties"][Name]
  >;
} & {
  -readonly [Name in keyof S["properties"] as Name extends RequiredName<S> ? never : Name]?: ValueOf<
    S["properties"][Name]
  >;
};
