// Runs an evaluation: golden file → questions → rankings by leg → measures, misses, quotations → comparison → history.
import { indexIdentity, readFittingMeta } from "../indexing/index-identity.js";
import { mayBeShown } from "../errors.js";
import type { Lazy } from "../lazy.js";
import type { Embedder, Logger, VectorStore } from "../plugin-api.js";
import type { QueryEmbedder } from "../search/patient-embedder.js";
import { createSearch, type SearchDependencies, type SearchOptions } from "../search/search.js";
import { askQuestions, type Answer } from "./ask-questions.js";
import { compareRuns } from "./compare-runs.js";
import type { EvalReport, EvalRequest } from "./eval-report.js";
import { fingerprintOf } from "./fingerprint.js";
import { appendHistory, readHistory, type EvalRun } from "./history.js";
import { areaUnderCurve, measure, type Measures } from "./metrics.js";
import { missesOf } from "./misses.js";
import { legs, type Leg } from "./rankings.js";
import { readGolden } from "./read-golden.js";

export interface EvalDependencies {
  readonly store: () => Promise<VectorStore>;
  readonly embedder: Pick<Lazy<Embedder>, "get">;
  readonly embedderId: string;
  readonly excludeHeadings: readonly string[];
  /** Where the history is kept. */
  readonly historyDirectory: string;
  readonly searchOptions: SearchOptions;
  readonly searchDependencies: Omit<SearchDependencies, "options">;
  readonly logger: Logger;
}

/**
 * @throws KbError KB_EVAL_*, KB_STORE_*, KB_CANCELLED; KB_STORE_MISMATCH where search would go on with what an index
 *   of other settings holds: that would measure neither; what keeps the embedder from being made
 */
export async function evaluate(
  dependencies: EvalDependencies,
  request: EvalRequest,
  signal: AbortSignal,
): Promise<EvalReport> {
  const { searchOptions, searchDependencies, embedder, embedderId, excludeHeadings } = dependencies;
  const started = performance.now();
  const golden = await readGolden(request.golden);
  const options = { ...searchOptions, everyHit: true, maxReplyTokens: Infinity };
  let failure: { readonly error: unknown } | undefined;
  const search = createSearch({
    ...searchDependencies,
    embedder: () => noting(searchDependencies.embedder, (error) => (failure ??= { error })),
    options,
  });
  const { length: total } = golden.queries;
  // First: without an index there is nothing to ask.
  await searchDependencies.notes();
  const store = await dependencies.store();
  const identity = indexIdentity(embedderId, await embedder.get(), excludeHeadings);
  await readFittingMeta(store, identity);
  const version = await store.version();
  const answers = await askQuestions(search, golden.queries, signal, (done) =>
    request.onProgress?.(done, total),
  );

  const reranker = searchDependencies.reranker === undefined ? undefined : "reranker";
  const fingerprint = await fingerprintOf(golden, identity, searchOptions, reranker, store);
  const { qualityFilter } = searchOptions;
  const limit = request.limit ?? searchOptions.limit;
  const judged = answers.filter(({ question }) => question.answerable);
  const misses = await missesOf(judged, store, {
    limit,
    hiddenBelow: qualityFilter.enabled ? qualityFilter.threshold : undefined,
  });
  const { documents, chunks } = await store.counts();
  const measures = measuresByLeg(judged);
  const report: EvalReport = {
    documents,
    chunks,
    questions: { answerable: judged.length, unanswerable: answers.length - judged.length },
    ...(measures !== undefined && { measures }),
    by_tag: measuresByTag(judged),
    confidence: confidenceOf(answers),
    vector_aside: answers.filter(({ mode }) => mode === "lexical").length,
    limit,
    misses,
    quotations: answers.flatMap(({ quotations }) => quotations),
    notes: [...(await searchDependencies.notes())],
    seconds: 0,
  };

  if (measures !== undefined) {
    const ranks = judged.map(
      ({ rankings, relevant }) => rankings.fused.findIndex((unit) => relevant.has(unit)) + 1,
    );
    const run: EvalRun = { at: new Date().toISOString(), fingerprint, measures: measures.fused, ranks };
    const isSettled = report.notes.length === 0 && (await store.version()) === version;
    const obstacle = isSettled ? failure && describeFailure(failure.error) : "The index was changing";
    if (obstacle !== undefined)
      report.notes.push(`${obstacle}, so this run was neither compared nor added to the history.`);
    else Object.assign(report, await compareAndKeep(dependencies, run, judged, request, report.notes));
  }
  report.seconds = Math.round((performance.now() - started) / 100) / 10;
  return report;
}

/** The embedder, with a listener for what it fails with. */
async function noting(
  make: SearchDependencies["embedder"],
  onFailure: (error: unknown) => void,
): Promise<QueryEmbedder> {
  try {
    const embedder = await make();
    return {
      fusionWeight: embedder.fusionWeight,
      embedQuery: (text, signal) =>
        embedder.embedQuery(text, signal).catch((error: unknown) => {
          onFailure(error);
          throw error;
        }),
    };
  } catch (error) {
    onFailure(error);
    throw error;
  }
}

function describeFailure(error: unknown): string {
  return `The embedder failed on some questions${mayBeShown(error) ? ` (${error.code}: ${error.message})` : ""}`;
}

/** Compares a run with the history and adds it. A history that cannot be used takes nothing from the report. */
async function compareAndKeep(
  { historyDirectory, logger }: EvalDependencies,
  run: EvalRun,
  judged: readonly Answer[],
  { across = [], tolerance = 0, failOnRegression = false }: EvalRequest,
  notes: string[],
): Promise<Pick<EvalReport, "comparison" | "incomparable">> {
  try {
    const questions = judged.map(({ question }) => question);
    const compared = compareRuns(await readHistory(historyDirectory), run, across, tolerance, questions);
    const failed = failOnRegression && (compared.comparison?.regressions.length ?? 0) > 0;
    await appendHistory(historyDirectory, failed ? { ...run, failed } : run);
    return compared;
  } catch (error) {
    logger.warn(`the history of evaluations cannot be used: ${String(error)}`);
    notes.push("The history of evaluations cannot be used, so this run was not added to it.");
    return {};
  }
}

function measuresByLeg(answers: readonly Answer[]): Record<Leg, Measures> | undefined {
  const entries = legs.flatMap((leg) => {
    const measures = measure(answers.map(({ rankings, relevant }) => ({ ranking: rankings[leg], relevant })));
    return measures === undefined ? [] : [[leg, measures] as const];
  });
  return entries.length === 0 ? undefined : (Object.fromEntries(entries) as Record<Leg, Measures>);
}

function measuresByTag(answers: readonly Answer[]): EvalReport["by_tag"] {
  const tags = new Set(answers.flatMap(({ question }) => question.tag ?? []));
  return [...tags].flatMap((tag) => {
    const some = answers.filter(({ question }) => question.tag === tag);
    const measures = measuresByLeg(some)?.fused;
    return measures === undefined ? [] : [{ tag, questions: some.length, measures }];
  });
}

function confidenceOf(answers: readonly Answer[]): EvalReport["confidence"] {
  const of = (answerable: boolean): readonly Answer[] =>
    answers.filter(({ question }) => question.answerable === answerable);
  const low = (some: readonly Answer[]): number => some.filter(({ lowConfidence }) => lowConfidence).length;
  const values = (some: readonly Answer[]): number[] => some.map(({ confidence }) => confidence);
  const area = areaUnderCurve(values(of(true)), values(of(false)));
  return {
    low_answerable: low(of(true)),
    low_unanswerable: low(of(false)),
    ...(area !== undefined && { area_under_curve: area }),
  };
}
