// Apart from the analyser: whoever compares an index with a configuration does not load what analyses.

/** Changes whenever the terms or the embedded text of a chunk change: an index of another version is stale. */
export const analyserVersion = "2";
