// Random ignore files with every feature of gitignore, and the paths they are tried on.
import fc from "fast-check";

const directoryNames = ["a", "B", "logs", "my notes", "日本語メモ", "[x]", ".hid", "a.b"];
const fileNames = [
  "a",
  "Logs",
  "x.md",
  "Y.MD",
  "#h.md",
  "!b.md",
  "s p.txt",
  "日本語メモ.md",
  "a*b",
  "q?.md",
  "[x]",
  "t.MD ",
];

/** Every path of a tree three levels deep, with its kind. */
export function treePaths(): Map<string, "file" | "directory"> {
  const paths = new Map<string, "file" | "directory">();
  const fill = (prefix: string, names: readonly string[], depth: number): void => {
    names.forEach((name, index) => {
      paths.set(prefix + name, "directory");
      const files = fileNames.filter(
        (file, at) => !names.includes(file) && (depth < 2 || at % 3 === index % 3),
      );
      for (const file of files) paths.set(`${prefix}${name}/${file}`, "file");
      if (depth < 3)
        fill(
          `${prefix}${name}/`,
          directoryNames.slice(index % 3, (index % 3) + (depth === 1 ? 3 : 2)),
          depth + 1,
        );
    });
  };
  fill("", directoryNames, 1);
  for (const file of fileNames) if (!paths.has(file)) paths.set(file, "file");
  return paths;
}

// Left out, and pinned by tests of their own: a run of asterisks right after a literal (`a**/b`), and `?` or `[…]` for a character
// outside ASCII.
const literal = fc.constantFrom(
  "a",
  "A",
  "b",
  "logs",
  "LOGS",
  "my notes",
  "日本語メモ",
  "x.md",
  "X.md",
  "\\[x\\]",
  ".hid",
  "a.b",
  "\\#h.md",
  "#h.md",
  "!b.md",
  "\\!b.md",
  "s\\ p.txt",
  "s p.txt",
  "a\\*b",
  "q\\?.md",
  "t.md\\ ",
  "\\a",
  "nope",
);
const glob = fc.constantFrom(
  "*",
  "*.md",
  "*.MD",
  "x.*",
  "?",
  "??",
  "?.md",
  "[ab]",
  "[!a]",
  "[^a-c]",
  "[a-z].md",
  "[[:upper:]]*",
  "[[:alpha:]]",
  "[]x]*",
  "[x-]*",
  "[\\[]x*",
  "[",
  "[a",
  "a*",
  "*a*",
  "*o*s",
  "l??s",
  "*s p*",
  "*語*",
  "*.*",
  "q?.md",
  "s*t",
  "***",
);
const segment = fc.oneof(
  { weight: 5, arbitrary: literal },
  { weight: 4, arbitrary: glob },
  { weight: 2, arbitrary: fc.constant("**") },
);
const pattern = fc
  .record({
    negated: fc.boolean(),
    rooted: fc.constantFrom("", "", "", "/"),
    segments: fc.array(segment, { minLength: 1, maxLength: 3 }),
    directory: fc.constantFrom("", "", "/"),
    blanks: fc.constantFrom("", "", "", " ", "  ", "\t"),
  })
  .map(
    ({ negated, rooted, segments, directory, blanks }) =>
      (negated ? "!" : "") + rooted + segments.join("/") + directory + blanks,
  )
  .filter((line) => line.split("**/").length <= 3);
/** Whatever the characters with a meaning can be put together to. */
const jumble = fc
  .array(fc.constantFrom(...Array.from("aabxX./*?[]!^-\\# :"), "**", "[a", "[!", "b]", "[:alpha:]", ".md"), {
    minLength: 1,
    maxLength: 8,
  })
  .map((pieces) => pieces.join(""))
  .filter((line) => !/[^/]\*{2,}\//u.test(line) && line.split("**/").length <= 3);
const line = fc.oneof(
  { weight: 9, arbitrary: pattern },
  { weight: 4, arbitrary: jumble },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "",
      "   ",
      "# comment",
      "#",
      "!",
      "/",
      "//",
      "\\",
      "a\\",
      "!!a",
      "/*",
      "/**",
      "!/**/",
      "**",
      "*/",
      "!*/",
    ),
  },
);
export const ignoreFile = fc
  .record({
    bom: fc.constantFrom("", "", "\uFEFF"),
    lines: fc.array(line, { minLength: 1, maxLength: 8 }),
    end: fc.constantFrom("\n", "\r\n"),
    last: fc.boolean(),
  })
  .map(({ bom, lines, end, last }) => bom + lines.join(end) + (last ? end : ""));
