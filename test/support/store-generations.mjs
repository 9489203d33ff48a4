// Batches for the crash tests: every generation replaces some documents, adds one and removes one, and each document
// and chunk says which generation it is of.

const paths = 12;

/** @param {number} number from 1; the documents that are replaced and removed go round */
export function generation(number) {
  const put = [0, 1, 2].map((offset) => documentWrite(`doc-${(number + offset) % paths}.md`, number));
  return { put, delete: [`doc-${(number + 6) % paths}.md`] };
}

function documentWrite(path, number) {
  const chunkCount = (number * 7 + path.length) % 5;
  return {
    document: {
      path,
      title: `Generation ${number}`,
      mediaType: "text/markdown",
      parser: "md@1",
      sizeBytes: 100,
      modifiedMs: number,
      contentHash: `generation-${number}`,
      lineCount: 10,
      chunkCount,
      declinedCount: 0,
      topic: "",
      topicKey: "",
      tags: [],
      tagKeys: [],
      pathKey: path,
    },
    chunks: Array.from({ length: chunkCount }, (_, position) => ({
      path,
      position,
      headingPath: [],
      level: 0,
      content: `generation-${number}`,
      contentKey: `generation-${number}`,
      tokens: 3,
      quality: 1,
      terms: { text: ["common", `term${number % 9}`], title: [`title${number % 5}`], bigrams: [] },
      vector: Float32Array.of(1, number, position, 0),
    })),
  };
}
