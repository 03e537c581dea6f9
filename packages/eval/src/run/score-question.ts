import { type Adapter, AskemaError, type Outcome, toAskemaError, UNKNOWN_USAGE } from '@askema/core';
import type { Dataset, DatasetQuestion } from '../datasets/read/dataset.ts';
import type { Metric, MetricInput } from '../metrics/metric.ts';
import { costOf, type EvaluationPrices } from './cost-of.ts';
import type { Pipeline } from './evaluation-options.ts';
import type { EvaluationInspection, EvaluationResult, Verdict } from './evaluation-result.ts';
import { hashesOf, runGold } from './gold.ts';
import { isRightStatement, type Judged, judge } from './judge.ts';
import { runWhole, type StatementOptions } from './run-whole.ts';

interface ScoringOptions extends StatementOptions {
  readonly pipeline: Pipeline;
  /** Under which the pipeline keeps its own run of this question. */
  readonly runId: string;
  /** From 1. */
  readonly attempt?: number | undefined;
  /** The dataset's documents by name. */
  readonly documents?: Dataset['documents'];
  readonly metrics?: readonly Metric[] | undefined;
  /** Further files of the question's database, for metrics. */
  readonly variants?: readonly string[] | undefined;
  /** Opens one of them. */
  readonly useVariant: <T>(file: string, work: (adapter: Adapter) => Promise<T>) => Promise<T>;
  readonly prices?: EvaluationPrices | undefined;
  /** Is given what came back, whole, before its result is written; nothing where there is no answer. */
  readonly keep?: ((answer: Pick<Judged, 'sql' | 'result'>) => Promise<void>) | undefined;
  readonly now: () => number;
}

/**
 * Runs gold, asks, and compares. Whatever fails becomes a result.
 *
 * @throws AskemaError `ABORTED` only, when the signal has fired.
 */
export async function scoreQuestion(question: DatasetQuestion, options: ScoringOptions): Promise<EvaluationResult> {
  const gold = await runGold(question, options);
  if ('reason' in gold) {
    return resultOf(question, options, {
      judged: { verdict: 'goldFailed', reason: gold.reason },
      outcome: 'notAsked',
      elapsedMs: 0,
    });
  }
  const goldHashes = hashesOf(gold.runs);
  const run = (sql: string, variant?: string) =>
    variant === undefined
      ? runWhole(sql, options)
      : options.useVariant(variant, (adapter) => runWhole(sql, { ...options, adapter }));
  const scoresOf = (answer: Pick<Judged, 'sql' | 'result'>) =>
    scoreMetrics(
      { question, gold: gold.runs, sql: answer.sql, result: answer.result, variants: options.variants, run },
      options,
    );
  const started = options.now();
  let outcome: Outcome;
  try {
    outcome = await options.pipeline.ask(question.question, {
      signal: options.signal,
      evidence: question.evidence,
      documents: documentsOf(question, options.documents),
      runId: options.runId,
    });
  } catch (thrown) {
    options.signal?.throwIfAborted();
    const elapsedMs = options.now() - started;
    const scored = await scoresOf({});
    await options.keep?.({});
    return resultOf(question, options, { judged: threw(thrown), outcome: 'threw', elapsedMs, goldHashes, ...scored });
  }
  options.signal?.throwIfAborted();
  const judged = await judge({ question, gold: gold.runs, run }, outcome, options.signal);
  const inspection = await scoreTries(outcome, judged.verdict, (sql) =>
    isRightStatement(sql, { question, gold: gold.runs, run }, options.signal),
  );
  const scored = await scoresOf(judged);
  await options.keep?.(judged);
  return resultOf(
    question,
    options,
    { judged, outcome: outcome.type, elapsedMs: outcome.elapsedMs, inspection, goldHashes, ...scored },
    outcome,
  );
}

/** The result of a question whose database could not be opened, or whose pipeline could not be built. */
export function unaskedResult(
  question: DatasetQuestion,
  thrown: unknown,
  options: Pick<ScoringOptions, 'now' | 'attempt'>,
): EvaluationResult {
  return resultOf(question, options, { judged: threw(thrown), outcome: 'threw', elapsedMs: 0 });
}

function threw(thrown: unknown): Judged {
  const error = toAskemaError(thrown).toJSON();
  return { verdict: 'failed', reason: error.message, error };
}

function documentsOf(
  question: DatasetQuestion,
  documents: Dataset['documents'],
): readonly { readonly name: string; readonly text: string }[] | undefined {
  const found = question.documents?.flatMap((name) => {
    const text = documents !== undefined && Object.hasOwn(documents, name) ? documents[name] : undefined;
    return text === undefined ? [] : [{ name, text }];
  });
  return found === undefined || found.length === 0 ? undefined : found;
}

type Known = Pick<
  EvaluationResult,
  'outcome' | 'elapsedMs' | 'inspection' | 'goldHashes' | 'scores' | 'metricErrors'
> & { readonly judged: Judged };

function resultOf(
  question: DatasetQuestion,
  options: Pick<ScoringOptions, 'now' | 'prices' | 'attempt'>,
  { judged, elapsedMs, ...known }: Known,
  outcome?: Outcome,
): EvaluationResult {
  const usage = outcome?.usage ?? UNKNOWN_USAGE;
  return {
    schemaVersion: 1,
    id: question.id,
    databaseId: question.databaseId,
    category: question.category,
    difficulty: question.difficulty,
    question: question.question,
    verdict: judged.verdict,
    reason: judged.reason,
    sql: outcome?.sql,
    goldSql: question.goldSql,
    error: judged.error,
    usage,
    calls: outcome?.calls ?? 0,
    executions: outcome?.executions ?? 0,
    elapsedMs: Math.round(elapsedMs),
    costUsd: options.prices === undefined ? undefined : costOf(usage, options.prices),
    solvedBy: outcome?.solvedBy,
    confidence: outcome?.type === 'answered' ? outcome.confidence?.value : undefined,
    sure: outcome?.type === 'answered' ? outcome.sure : undefined,
    signals: outcome?.type === 'answered' ? outcome.signals : undefined,
    warnings: outcome?.warnings ?? [],
    validSql: judged.validSql,
    resultHash: judged.resultHash,
    ...known,
    attempt: options.attempt ?? 1,
    finishedAt: new Date(options.now()).toISOString(),
  };
}

/**
 * What each metric says of an answer. One that throws, or says what is no score, is noted and ends nothing.
 *
 * @throws AskemaError `ABORTED` only, when the signal has fired.
 */
async function scoreMetrics(
  input: MetricInput,
  options: { readonly metrics?: readonly Metric[] | undefined; readonly signal?: AbortSignal | undefined },
): Promise<Pick<EvaluationResult, 'scores' | 'metricErrors'>> {
  const scores: [string, number][] = [];
  const errors: [string, string][] = [];
  for (const metric of options.metrics ?? []) {
    try {
      const score = await metric.score(input);
      if (score !== undefined) scores.push([metric.id, checked(metric, score)]);
    } catch (thrown) {
      options.signal?.throwIfAborted();
      errors.push([metric.id, toAskemaError(thrown).message]);
    }
  }
  return {
    scores: scores.length === 0 ? undefined : Object.fromEntries(scores),
    metricErrors: errors.length === 0 ? undefined : Object.fromEntries(errors),
  };
}

function checked({ id }: Metric, score: number): number {
  if (score >= 0 && score <= 1) return score;
  throw new AskemaError('INPUT_INVALID', `The metric ${id} scored ${score}; a score lies from 0 to 1.`);
}

/** More tries than a flow makes; keeps a strange outcome from running for ever. */
const MAX_JUDGED_TRIES = 10;

/**
 * What an outcome of the `inspect` flow says about its tries, and which of them were right: the statement of each is
 * run and judged as the answer is. The last one has the verdict of the answer. Undefined for outcomes of other flows.
 *
 * `isRight` runs a statement and compares; one that fails is not right.
 */
async function scoreTries(
  outcome: Outcome,
  verdict: Verdict,
  isRight: (sql: string) => Promise<boolean>,
): Promise<EvaluationInspection | undefined> {
  const { inspection } = outcome;
  if (inspection === undefined) return undefined;
  const known = new Map<string, boolean>();
  if (outcome.type === 'answered') known.set(outcome.sql, verdict === 'right');
  const rightByTry: boolean[] = [];
  for (const { sql } of inspection.tries.slice(0, -1).slice(0, MAX_JUDGED_TRIES)) {
    const judged = known.get(sql) ?? (sql !== '' && (await isRight(sql)));
    known.set(sql, judged);
    rightByTry.push(judged);
  }
  return {
    iterations: inspection.iterations,
    findings: inspection.findings.map(({ code }) => code),
    rightByTry: [...rightByTry, verdict === 'right'],
  };
}
