// Turns texts into the numbers that a model reads, at most as many as it has places for.
import type { Encoding, Tokenizer } from "@xenova/transformers";

/** The numbers of one text, or of a query and a text. */
export interface TextTokens {
  readonly ids: readonly number[];
  readonly types: readonly number[];
}

/** UTF-16 units of a text that are looked at for each token that is read; English takes four to five. */
const unitsPerToken = 24;

export class TextTokenizer {
  constructor(
    private readonly tokenizer: Tokenizer,
    private readonly window: number,
  ) {}

  /** Tokens of the whole text, whatever the model reads of it. */
  count(text: string): number {
    return this.#encode(text).input_ids.length;
  }

  text(text: string): TextTokens {
    return this.#cut(this.#encode(this.#beginning(text)));
  }

  /** The text gives way first: a query takes more than half of the window only where it is all there is. */
  pair(query: string, text: string): TextTokens {
    return this.#cut(this.#encode(this.#shortQuery(query), this.#beginning(text)));
  }

  #encode(text: string, pair?: string): Encoding {
    return this.tokenizer(wellFormed(text), {
      ...(pair !== undefined && { text_pair: wellFormed(pair) }),
      return_tensor: false,
      return_token_type_ids: true,
    });
  }

  /** What is read of a text is in its beginning: tokenizing a whole book for it would take seconds. */
  #beginning(text: string): string {
    return text.slice(0, this.window * unitsPerToken);
  }

  #shortQuery(query: string): string {
    const most = Math.max(4, Math.floor(this.window / 2));
    let short = this.#beginning(query);
    for (let tokens = this.count(short); tokens > most && short.length > 1; tokens = this.count(short))
      short = short.slice(0, Math.floor(Math.min(0.9, most / tokens) * short.length));
    return short;
  }

  /** The library's own truncation takes away the token that ends a text, which models were trained with. */
  #cut({ input_ids: ids, token_type_ids: types }: Encoding): TextTokens {
    const all = { ids, types: types ?? ids.map(() => 0) };
    if (ids.length <= this.window) return all;
    const last = ids.at(-1);
    const endsSpecially = last !== undefined && this.tokenizer.all_special_ids.includes(last);
    const kept = endsSpecially ? this.window - 1 : this.window;
    const cut = (numbers: readonly number[]): number[] => [
      ...numbers.slice(0, kept),
      ...(endsSpecially ? numbers.slice(-1) : []),
    ];
    return { ids: cut(all.ids), types: cut(all.types) };
  }
}

/** Half a character, as a cut through an emoji leaves it, is none to a tokenizer. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "\uFFFD");
}
