// The few calls of @xenova/transformers that the worker makes. Its own typings take seconds to check.
declare module "@xenova/transformers" {
  export interface Encoding {
    readonly input_ids: readonly number[];
    readonly token_type_ids?: readonly number[];
  }

  export interface Tokenizer {
    (
      text: string,
      options: {
        readonly text_pair?: string;
        readonly return_tensor: false;
        readonly return_token_type_ids: true;
      },
    ): Encoding;
    readonly all_special_ids: readonly number[];
    readonly pad_token_id: number | undefined;
  }

  export const AutoTokenizer: {
    from_pretrained(folder: string, options: { readonly local_files_only: true }): Promise<Tokenizer>;
  };

  export const env: {
    allowRemoteModels: boolean;
    useFSCache: boolean;
    localModelPath: string;
  };
}
