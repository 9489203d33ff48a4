// Writes models that are small enough for tests and as real as any: an embedder and a reranker of four files each, that
// @xenova/transformers reads. An ONNX file is a protobuf message; the few fields needed are encoded here by hand.
//
//   node scripts/tiny-models.mjs <folder>    writes <folder>/tiny-embedder and <folder>/tiny-reranker
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const tinyDimensions = 32;
export const tinyWindow = 64;
/** A word for which the embedder gives no numbers. */
export const poisonWord = "notanumber";

const words =
  "query passage the a of is and in to for backup database night runs every pump greased twice year log kept when does cat dog sat on mat apple pie".split(
    " ",
  );
const letters = [..."abcdefghijklmnopqrstuvwxyz0123456789"];
const marks = [..."!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~。、「」"];
const kana = Array.from({ length: 0x30fc - 0x3041 + 1 }, (_, i) => String.fromCodePoint(0x3041 + i));
const kanji = [..."年二回注油検索文書日本語夜時毎晩東京都知識記録"];
const special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"];
const vocabulary = [
  ...special,
  poisonWord,
  ...words.filter((word) => word.length > 1),
  ...letters,
  ...letters.map((letter) => `##${letter}`),
  ...marks,
  ...kana,
  ...kana.map((sign) => `##${sign}`),
  ...kanji,
];

// ---------------------------------------------------------------------------------------------- protobuf

function varint(value) {
  const bytes = [];
  for (let rest = BigInt(value); ; rest >>= 7n) {
    const low = Number(rest & 0x7fn);
    if (rest < 0x80n) return Buffer.from([...bytes, low]);
    bytes.push(low | 0x80);
  }
}

const number = (field, value) => Buffer.concat([varint(field << 3), varint(value)]);
const bytes = (field, value) => {
  const content = Buffer.from(value);
  return Buffer.concat([varint((field << 3) | 2), varint(content.length), content]);
};
const message = (...parts) => Buffer.concat(parts.flat());

// ---------------------------------------------------------------------------------------------- ONNX

const FLOAT = 1;
const INT64 = 7;

const tensor = (name, dims, type, data) =>
  message(
    dims.map((dim) => number(1, dim)),
    number(2, type),
    bytes(8, name),
    bytes(9, new Uint8Array(data.buffer)),
  );
const floats = (name, dims, values) => tensor(name, dims, FLOAT, Float32Array.from(values));
const integers = (name, dims, values) => tensor(name, dims, INT64, BigInt64Array.from(values.map(BigInt)));
/** @param attributes whole numbers by name */
const node = (type, inputs, outputs, attributes = {}) =>
  message(
    inputs.map((input) => bytes(1, input)),
    [outputs].flat().map((output) => bytes(2, output)),
    bytes(4, type),
    Object.entries(attributes).map(([name, value]) =>
      bytes(5, message(bytes(1, name), number(3, value), number(20, 2))),
    ),
  );
/** @param dims a number, or the name of one that is known at run time only */
const value = (name, type, dims) => {
  const shape = dims.map((dim) => bytes(1, typeof dim === "number" ? number(1, dim) : bytes(2, dim)));
  return message(bytes(1, name), bytes(2, bytes(1, message(number(1, type), bytes(2, message(...shape))))));
};

function model({ nodes, initializers, inputs, outputs }) {
  const graph = message(
    nodes.map((one) => bytes(1, one)),
    bytes(2, "tiny"),
    initializers.map((one) => bytes(5, one)),
    inputs.map((one) => bytes(11, one)),
    outputs.map((one) => bytes(12, one)),
  );
  // The runtime of @xenova/transformers 2.17 reads IR version 8 and operators up to 18.
  return message(number(1, 8), bytes(7, graph), bytes(8, message(bytes(1, ""), number(2, 13))));
}

/** Numbers from -1 to 1 that are the same each time. */
function noise(count, seed) {
  return Array.from({ length: count }, (_, i) => {
    const x = Math.sin((i + 1) * 12.9898 + seed * 78.233) * 43758.5453;
    return 2 * (x - Math.floor(x)) - 1;
  });
}

const ids = (names) => names.map((name) => value(name, INT64, ["batch", "tokens"]));

/** What every graph begins with: `e`, the vectors of the tokens, and `m`, the mask as numbers with a third axis. */
const beginning = [
  node("Gather", ["table", "input_ids"], "e"),
  node("Cast", ["attention_mask"], "mask2", { to: FLOAT }),
  node("Unsqueeze", ["mask2", "axis2"], "m"),
];
const axes = [integers("axis1", [1], [1]), integers("axis2", [1], [2]), integers("one", [], [1])];

/**
 * Each token's vector, a little of its place, and what the text as a whole is about, so that the first token alone says
 * something. There are vectors for `tinyWindow` places: one more, and the model fails as real ones do.
 * @param quantized whether numbers are rounded to eight bits on the way, by the largest of all that are computed at once
 */
function embedderModel(quantized) {
  const table = noise(vocabulary.length * tinyDimensions, 1);
  const poison = vocabulary.indexOf(poisonWord) * tinyDimensions;
  table.fill(Number.NaN, poison, poison + tinyDimensions);
  return model({
    nodes: [
      ...beginning,
      node("CumSum", ["attention_mask", "one"], "place"),
      node("Gather", ["places", "place"], "p"),
      node("Mul", ["e", "m"], "seen"),
      node("ReduceSum", ["seen", "axis1"], "sum"),
      node("ReduceSum", ["m", "axis1"], "count"),
      node("Div", ["sum", "count"], "about"),
      node("Add", ["e", "p"], "placed"),
      ...(quantized
        ? [
            node("DynamicQuantizeLinear", ["placed"], ["whole", "step", "zero"]),
            node("DequantizeLinear", ["whole", "step", "zero"], "rounded"),
          ]
        : []),
      node("Add", [quantized ? "rounded" : "placed", "about"], "last_hidden_state"),
    ],
    initializers: [
      floats("table", [vocabulary.length, tinyDimensions], table),
      floats(
        "places",
        [tinyWindow + 1, tinyDimensions],
        noise((tinyWindow + 1) * tinyDimensions, 2).map((x) => x / 8),
      ),
      ...axes,
    ],
    inputs: ids(["input_ids", "attention_mask", "token_type_ids"]),
    outputs: [value("last_hidden_state", FLOAT, ["batch", "tokens", tinyDimensions])],
  });
}

/** How alike the words of the two texts are. @param classes 1, or 2 for a model that tells "no" from "yes" */
function rerankerModel(classes) {
  const table = noise(vocabulary.length * tinyDimensions, 3);
  table.fill(0, 0, special.length * tinyDimensions);
  const normalised = (side) => [
    node("Mul", ["e", side], `${side}seen`),
    node("ReduceSum", [`${side}seen`, "axis1"], `${side}sum`, { keepdims: 0 }),
    node("Mul", [`${side}sum`, `${side}sum`], `${side}squares`),
    node("ReduceSum", [`${side}squares`, "axis1"], `${side}square`),
    node("Add", [`${side}square`, "small"], `${side}positive`),
    node("Sqrt", [`${side}positive`], `${side}length`),
    node("Div", [`${side}sum`, `${side}length`], `${side}unit`),
  ];
  return model({
    nodes: [
      ...beginning,
      node("Cast", ["token_type_ids"], "type2", { to: FLOAT }),
      node("Unsqueeze", ["type2", "axis2"], "type"),
      node("Mul", ["m", "type"], "b"),
      node("Sub", ["m", "b"], "a"),
      ...normalised("a"),
      ...normalised("b"),
      node("Mul", ["aunit", "bunit"], "products"),
      node("ReduceSum", ["products", "axis1"], classes === 1 ? "logits" : "yes"),
      ...(classes === 1
        ? []
        : [node("Neg", ["yes"], "no"), node("Concat", ["no", "yes"], "logits", { axis: 1 })]),
    ],
    initializers: [
      floats("table", [vocabulary.length, tinyDimensions], table),
      floats("small", [], [1e-6]),
      ...axes.slice(0, 2),
    ],
    inputs: ids(["input_ids", "attention_mask", "token_type_ids"]),
    outputs: [value("logits", FLOAT, ["batch", classes])],
  });
}

// ---------------------------------------------------------------------------------------------- files

const tokenizer = {
  version: "1.0",
  truncation: null,
  padding: null,
  added_tokens: special.map((content, id) => ({
    id,
    content,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special: true,
  })),
  normalizer: {
    type: "BertNormalizer",
    clean_text: true,
    handle_chinese_chars: true,
    strip_accents: false,
    lowercase: true,
  },
  pre_tokenizer: { type: "BertPreTokenizer" },
  post_processor: {
    type: "TemplateProcessing",
    single: [
      { SpecialToken: { id: "[CLS]", type_id: 0 } },
      { Sequence: { id: "A", type_id: 0 } },
      { SpecialToken: { id: "[SEP]", type_id: 0 } },
    ],
    pair: [
      { SpecialToken: { id: "[CLS]", type_id: 0 } },
      { Sequence: { id: "A", type_id: 0 } },
      { SpecialToken: { id: "[SEP]", type_id: 0 } },
      { Sequence: { id: "B", type_id: 1 } },
      { SpecialToken: { id: "[SEP]", type_id: 1 } },
    ],
    special_tokens: Object.fromEntries(
      ["[CLS]", "[SEP]"].map((token) => [
        token,
        { id: token, ids: [vocabulary.indexOf(token)], tokens: [token] },
      ]),
    ),
  },
  decoder: { type: "WordPiece", prefix: "##", cleanup: true },
  model: {
    type: "WordPiece",
    unk_token: "[UNK]",
    continuing_subword_prefix: "##",
    max_input_chars_per_word: 100,
    vocab: Object.fromEntries(vocabulary.map((token, id) => [token, id])),
  },
};
const tokenizerConfig = {
  tokenizer_class: "BertTokenizer",
  model_max_length: tinyWindow,
  do_lower_case: true,
  pad_token: "[PAD]",
  unk_token: "[UNK]",
  cls_token: "[CLS]",
  sep_token: "[SEP]",
  mask_token: "[MASK]",
};
const config = {
  model_type: "bert",
  hidden_size: tinyDimensions,
  max_position_embeddings: tinyWindow,
  vocab_size: vocabulary.length,
  pad_token_id: 0,
};

function write(folder, onnx, quantized) {
  const files = {
    "config.json": JSON.stringify(config),
    "tokenizer_config.json": JSON.stringify(tokenizerConfig),
    "tokenizer.json": JSON.stringify(tokenizer),
    [quantized ? "onnx/model_quantized.onnx" : "onnx/model.onnx"]: onnx,
  };
  for (const [path, content] of Object.entries(files)) {
    const place = join(folder, path);
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, content);
  }
}

/** @param options.quantized whether the model rounds, and which of the two names its file gets */
export function writeTinyEmbedder(folder, { quantized = true } = {}) {
  write(folder, embedderModel(quantized), quantized);
}

/**
 * @param options.quantized which of the two names the model file gets; its numbers have 32 bits either way
 * @param options.classes how many numbers the model gives for a pair: 1 or 2
 */
export function writeTinyReranker(folder, { quantized = true, classes = 1 } = {}) {
  write(folder, rerankerModel(classes), quantized);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder] = process.argv.slice(2);
  if (folder === undefined) throw new Error("Name the folder that the models go into");
  writeTinyEmbedder(join(folder, "tiny-embedder"));
  writeTinyReranker(join(folder, "tiny-reranker"));
}
