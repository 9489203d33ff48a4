export const tinyDimensions: number;
export const tinyWindow: number;
export const poisonWord: string;
export function writeTinyEmbedder(folder: string, options?: { readonly quantized?: boolean }): void;
export function writeTinyReranker(
  folder: string,
  options?: { readonly quantized?: boolean; readonly classes?: 1 | 2 },
): void;
