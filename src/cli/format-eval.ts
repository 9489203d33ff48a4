// The report of an evaluation, for people: how good, what was missed, where the answer was, what to do about it.
import { basename } from "node:path";
import { styleText } from "node:util";
import { fingerprintParts, type FingerprintPart } from "../core/eval/fingerprint-parts.js";
import { measureNames, type Measures } from "../core/eval/metrics.js";
import type { Comparison, EvalReport, Miss, MissedTarget } from "../core/index.js";
import { printable } from "../core/text/printable.js";
import { columnsOf, padded } from "./columns.js";
import { adviceFor } from "./eval-advice.js";

/** What is listed one by one; the rest is counted. */
const listed = { misses: 20, targets: 5, quotations: 10, moved: 5 } as const;
/** Characters of a question that are shown. */
const questionCharacters = 100;

type Style = (format: Parameters<typeof styleText>[0], text: string) => string;

const names = Object.keys(measureNames) as (keyof Measures)[];

/**
 * Coloured only where the stream shows colours and NO_COLOR is not set.
 * @param golden the path of the golden file
 */
export function formatEval(report: EvalReport, golden: string, stream: { isTTY?: boolean }): string {
  const coloured = stream.isTTY === true && !process.env["NO_COLOR"];
  const style: Style = (format, text) =>
    coloured ? styleText(format, text, { validateStream: false }) : text;
  const file = basename(golden);
  const blocks = [
    [headOf(report, file)],
    tableOf(report, style),
    factsOf(report),
    comparisonOf(report, file, style),
    missesOf(report, file, style),
    quotationsOf(report, file, style),
    report.notes.map((note) => `note: ${printable(note)}`),
  ];
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

function headOf({ questions, documents, chunks, seconds }: EvalReport, file: string): string {
  const silent = questions.unanswerable > 0 ? ` and ${questions.unanswerable} without an answer` : "";
  return printable(
    `${several(questions.answerable, "question")}${silent} from ${file}, asked of ${several(documents, "document")} in ${several(chunks, "passage")} (${seconds} s)`,
  );
}

/** Documents by their best passage: one row for each leg, then one for each tag. */
function tableOf({ measures, by_tag }: EvalReport, style: Style): string[] {
  if (measures === undefined) return [];
  const rows = [
    ["words alone (lexical)", "", measures.lexical],
    ["meaning alone (vector)", "", measures.vector],
    ["search (fused)", "", measures.fused],
    ...by_tag.map(
      ({ tag, questions, measures: of }) => [`  ${printable(tag)}`, String(questions), of] as const,
    ),
  ] as const;
  const width = Math.max(...rows.map(([label]) => columnsOf(label)));
  const counted = by_tag.length > 0 ? "questions" : "";
  const cells = (of: Measures): string =>
    names.map((name) => of[name].toFixed(3).padStart(Math.max(5, measureNames[name].length))).join("  ");
  return [
    style(
      "dim",
      `${" ".repeat(width)}  ${counted}  ${names.map((name) => measureNames[name].padStart(5)).join("  ")}`,
    ),
    ...rows.map(([label, count, of], index) => {
      const line = `${padded(label, width)}  ${count.padStart(counted.length)}  ${cells(of)}`;
      return index === 2 ? style("bold", line) : line;
    }),
  ];
}

function factsOf({ questions, confidence, vector_aside }: EvalReport): string[] {
  const lines = [];
  if (questions.unanswerable > 0) {
    const { low_unanswerable, low_answerable, area_under_curve: area } = confidence;
    const measured = area === undefined ? "" : `; AUC ${area.toFixed(3)}`;
    lines.push(
      `Confidence is low for ${low_unanswerable} of ${questions.unanswerable} questions without an answer and ${low_answerable} of ${questions.answerable} with one${measured}.`,
    );
  }
  if (vector_aside > 0)
    lines.push(
      `${vector_aside} of ${questions.answerable + questions.unanswerable} questions were searched by words alone: the vector leg stood aside.`,
    );
  return lines;
}

function comparisonOf(
  { comparison, incomparable, measures }: EvalReport,
  file: string,
  style: Style,
): string[] {
  if (comparison === undefined) {
    if (incomparable === undefined) return [];
    const { at, differs } = incomparable;
    return [
      `Not compared with the run of ${moment(at)}: ${changed(differs)} since.`,
      `  → ${differs.map((part) => `--across ${part}`).join(" ")} compares all the same.`,
    ];
  }
  const { before, regressions, differs, worse, better } = comparison;
  const after = measures?.fused;
  const since = differs.length > 0 ? ` (${changed(differs)} since)` : "";
  const moves = names.flatMap((name) => {
    const change = after === undefined ? 0 : after[name] - before[name];
    if (Math.abs(change) < 0.0005 && !regressions.includes(name)) return [];
    const text = `${measureNames[name]} ${before[name].toFixed(3)} → ${(after?.[name] ?? 0).toFixed(3)} (${change > 0 ? "+" : ""}${change.toFixed(3)})`;
    return [`  ${regressions.includes(name) ? style("red", `${text}  regression`) : text}`];
  });
  if (moves.length === 0 && worse.length === 0 && better.length === 0)
    return [`The same as in the run of ${moment(comparison.at)}${since}.`];
  return [
    `Since the run of ${moment(comparison.at)}${since}:`,
    ...moves,
    ...movedOf("worse", worse, file),
    ...movedOf("better", better, file),
  ];
}

function movedOf(label: string, moved: Comparison["worse"], file: string): string[] {
  const place = (rank: number): string => (rank === 0 ? "none" : String(rank));
  const lines = moved
    .slice(0, listed.moved)
    .map(
      ({ line, query, before, after }) =>
        `  ${label}: first answer ${place(before)} → ${place(after)}  ${placeOf(file, line)}  ${question(query)}`,
    );
  const more = moved.length - lines.length;
  return more > 0 ? [...lines, `  … and ${more} more ${label}; --format json lists all`] : lines;
}

function missesOf({ misses, questions, limit }: EvalReport, file: string, style: Style): string[] {
  if (questions.answerable === 0) return [];
  const none = misses.filter(({ found }) => found === 0).length;
  if (misses.length === 0)
    return [`Every question has all of its answers among the first ${limit} documents.`];
  const some = misses.length - none;
  const partly = some > 0 ? `, ${some} only some of theirs` : "";
  const head = `${none} of ${questions.answerable} questions have no answer among the first ${limit} documents${partly}:`;
  const shown = misses.toSorted((a, b) => Math.sign(a.found) - Math.sign(b.found)).slice(0, listed.misses);
  const more = misses.length - shown.length;
  return [
    head,
    ...shown.flatMap((miss) => ["", ...missOf(miss, file, style)]),
    ...(more > 0 ? ["", `… and ${more} more; --format json lists all`] : []),
    "",
    "What helps:",
    ...adviceOn(shown),
  ];
}

/** Each piece of advice once, with the lines of the questions that it is for. */
function adviceOn(misses: readonly Miss[]): string[] {
  const lines = new Map<string, Set<number>>();
  for (const miss of misses)
    for (const target of miss.missing.slice(0, listed.targets)) {
      const advice = adviceFor(target, miss);
      lines.set(advice, (lines.get(advice) ?? new Set()).add(miss.line));
    }
  return [...lines].map(([advice, of]) => `  line ${[...of].join(", ")}: ${printable(advice)}`);
}

function missOf(miss: Miss, file: string, style: Style): string[] {
  const targets = miss.missing.slice(0, listed.targets);
  const names = targets.map(({ path, heading }) =>
    printable(heading === undefined ? path : `${path} › ${heading}`),
  );
  const width = Math.max(...names.map(columnsOf));
  const more = miss.missing.length - targets.length;
  const about = [miss.id, miss.tag].filter((one) => one !== undefined).join(", ");
  return [
    `${style("cyan", placeOf(file, miss.line))}  ${style("bold", question(miss.query))}${about === "" ? "" : style("dim", `  ${printable(about)}`)}`,
    ...targets.map((target, index) => `  ${padded(names[index] ?? "", width)}  ${whereOf(target, miss)}`),
    ...(more > 0 ? [`  … and ${more} more`] : []),
    ...(miss.instead.length > 0
      ? [style("dim", `  first: ${miss.instead.map((path) => printable(path)).join(", ")}`)]
      : []),
  ];
}

function whereOf({ reason, ranks }: MissedTarget, { mode }: Miss): string {
  switch (reason) {
    case "not_indexed":
      return "not in the index";
    case "no_such_heading":
      return "in the index, without this heading";
    case "hidden":
      return "in the index, hidden by the quality filter";
    case "not_found":
    case "outranked": {
      const rank = (of: number | undefined): string => (of === undefined ? "not in its top 100" : String(of));
      const vector = mode === "lexical" ? "aside" : rank(ranks.vector);
      return `lexical ${rank(ranks.lexical)}, vector ${vector}, fused ${ranks.fused ?? "none"}`;
    }
  }
}

function quotationsOf({ quotations }: EvalReport, file: string, style: Style): string[] {
  if (quotations.length === 0) return [];
  const shown = quotations.slice(0, listed.quotations);
  const more = quotations.length - shown.length;
  const documents = new Set(quotations.map(({ path }) => path)).size;
  return [
    style(
      "yellow",
      `warning: ${several(documents, "document")} ${documents === 1 ? "quotes" : "quote"} golden questions, which then measure only that:`,
    ),
    ...shown.map(({ line, path, start_line, containment }) => {
      const place = start_line === undefined ? path : `${path}:${start_line}`;
      return `  ${printable(place)} holds ${Math.round(containment * 100)} % of ${placeOf(file, line)}`;
    }),
    ...(more > 0 ? [`  … and ${more} more; --format json lists all`] : []),
    "  → Ask in words that no document copies, or keep lists of questions out of the index.",
  ];
}

function changed(differs: readonly FingerprintPart[]): string {
  const parts = differs.map((part) => fingerprintParts[part]);
  const last = parts.at(-1) ?? "";
  const plural = parts.length > 1 || ["settings", "documents"].includes(differs[0] ?? "");
  const all = parts.length > 1 ? `${parts.slice(0, -1).join(", ")} and ${last}` : last;
  return `${all} ${plural ? "have" : "has"} changed`;
}

function several(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function placeOf(file: string, line: number): string {
  return printable(`${file}:${line}`);
}

function question(query: string): string {
  const characters = Array.from(query);
  return printable(
    characters.length > questionCharacters ? `${characters.slice(0, questionCharacters).join("")}…` : query,
  );
}

/** In the time zone of this machine, to the second: a run may follow another within a minute. */
function moment(at: string): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return printable(at);
  const two = (number: number): string => String(number).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}
