// Reads a regular expression. What a single character may be is left to RegExp; this is about how they follow.

export type ExpressionNode =
  | { readonly kind: "one"; readonly matches: (character: string) => boolean }
  | { readonly kind: "edge"; readonly at: "start" | "end" }
  | { readonly kind: "sequence" | "either"; readonly parts: readonly ExpressionNode[] }
  | { readonly kind: "repeat"; readonly part: ExpressionNode; readonly sign: RepeatSign };

type RepeatSign = "*" | "+" | "?";

/** Groups inside one another; a reader that calls itself must not run out of stack. */
const depthMax = 200;

/** An escape, a class or a dot: whatever stands for one character. */
const single =
  /\\(?:[pP]\{[^}]*\}|x[0-9a-fA-F]{2}|u\{[0-9a-fA-F]+\}|[dDsSwWfnrtv]|[^\p{L}\p{N}])|\[(?:\\.|[^\]\\])*\]|\./uy;

/**
 * The tree of an expression that RegExp takes with the flag `u`; undefined where it holds more than characters, groups,
 * alternatives, `^`, `$`, `*`, `+` and `?`.
 */
export function expressionTree(source: string): ExpressionNode | undefined {
  const reader = new Reader(source);
  const tree = reader.alternatives(0);
  return reader.isAtEnd() ? tree : undefined;
}

class Reader {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  isAtEnd(): boolean {
    return this.#at >= this.#source.length;
  }

  alternatives(depth: number): ExpressionNode | undefined {
    if (depth > depthMax) return undefined;
    const parts: ExpressionNode[] = [];
    do {
      const part = this.#sequence(depth);
      if (part === undefined) return undefined;
      parts.push(part);
    } while (this.#takes("|"));
    return { kind: "either", parts };
  }

  #sequence(depth: number): ExpressionNode | undefined {
    const parts: ExpressionNode[] = [];
    while (!this.isAtEnd() && !"|)".includes(this.#source.charAt(this.#at))) {
      const part = this.#part(depth);
      if (part === undefined) return undefined;
      parts.push(this.#repeated(part));
    }
    return { kind: "sequence", parts };
  }

  /** A lazy repetition matches the same texts. */
  #repeated(part: ExpressionNode): ExpressionNode {
    const sign = (["*", "+", "?"] as const).find((one) => this.#takes(one));
    if (sign === undefined) return part;
    this.#takes("?");
    return { kind: "repeat", part, sign };
  }

  #part(depth: number): ExpressionNode | undefined {
    if (this.#takes("^")) return { kind: "edge", at: "start" };
    if (this.#takes("$")) return { kind: "edge", at: "end" };
    if (this.#takes("(?:") || (!this.#source.startsWith("(?", this.#at) && this.#takes("("))) {
      const inner = this.alternatives(depth + 1);
      return inner !== undefined && this.#takes(")") ? inner : undefined;
    }
    single.lastIndex = this.#at;
    const text = single.exec(this.#source)?.[0];
    if (text !== undefined) {
      this.#at += text.length;
      const expression = new RegExp(`^${text}$`, "u");
      return { kind: "one", matches: (character) => expression.test(character) };
    }
    const literal = String.fromCodePoint(this.#source.codePointAt(this.#at) ?? 0);
    if ("\\{}()[]*+?".includes(literal)) return undefined;
    this.#at += literal.length;
    return { kind: "one", matches: (character) => character === literal };
  }

  #takes(text: string): boolean {
    if (!this.#source.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }
}
