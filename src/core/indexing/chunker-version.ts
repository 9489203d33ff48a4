// Apart from the chunker: whoever compares an index with a configuration does not load what cuts.

/** Changes when the same document would be cut otherwise; an index made with another one is built anew. */
export const chunkerVersion = "2";
