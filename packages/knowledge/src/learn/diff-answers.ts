import {
  type Adapter,
  type Catalog,
  createCallContext,
  isAskemaError,
  resultsAgree,
  systemRuntime,
} from '@askema/core';
import { isSelectOnly } from '@askema/sql';
import { bindKnowledge } from '../bind/bind-knowledge.ts';
import type { BoundKnowledge } from '../bind/bound-knowledge.ts';
import { createRunner, type StatementRunner } from '../check/check-host.ts';
import type { SkippedCheck } from '../check/knowledge-check.ts';
import { usableKnowledge } from '../folder/usable-knowledge.ts';
import type { Knowledge, VerifiedQuery } from '../model/knowledge.ts';
import { readMetricQuestion } from '../reader/read-metric-question.ts';
import { allValues, type ParameterValues } from '../verified/match-question.ts';
import { plainKey } from '../verified/plain-question.ts';
import { runnableStatement } from '../verified/runnable-statement.ts';
import { diffMetrics, type MetricDifference } from './diff-metrics.ts';
import { type Answered, runStatement, type Statement, shownResult } from './run-statement.ts';

/** Two versions of knowledge, and the database in which they answer. */
export interface DiffAnswersOptions {
  readonly before: Knowledge;
  /** For example what `takeProposals` makes of the same. */
  readonly after: Knowledge;
  /** Read from within the caps; nothing is written. */
  readonly adapter: Adapter;
  /** Read from the database when left out. */
  readonly catalog?: Catalog | undefined;
  /** Statements that are run at most, for all questions. Default: 1,000. */
  readonly maxStatements?: number | undefined;
  /** For each statement, in milliseconds. Default: 30,000. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** ISO 8601 date, for relative times. Default: that of the system's clock. */
  readonly today?: string | undefined;
}

/** A verified query of `before`, and what becomes of its answer. */
export interface AnswerDifference {
  readonly id: string;
  readonly question: string;
  /**
   * `same` or `other` rows; `fails`: it ran before and does not run any more; `contradicts`: its SQL gives what it gave,
   * and what the definitions alone answer to the question is something else; `broken`: it does not run before either.
   */
  readonly verdict: 'same' | 'other' | 'fails' | 'contradicts' | 'broken';
  /** The value of a result of one cell, else how many rows there are; undefined where it did not run. */
  readonly before?: string | undefined;
  readonly after?: string | undefined;
  /** What the definitions answer alone, afterwards; undefined where they do not read the question. */
  readonly defined?: string | undefined;
  /** Why it does not run. */
  readonly reason?: string | undefined;
}

export interface AnswerDifferences {
  /** Those that are defined anew or otherwise. */
  readonly metrics: readonly MetricDifference[];
  readonly answers: readonly AnswerDifference[];
  readonly statements: number;
  /** What was not compared, each with its reason. */
  readonly skipped: readonly SkippedCheck[];
}

/**
 * What every verified query answers by two versions of knowledge: its SQL, with names and metrics expanded anew, and
 * what the definitions alone answer to its question; and what the metrics give over all rows that are new or
 * defined otherwise. It only reads.
 *
 * Rejects with `ABORTED`, and with `DATABASE_*` where the database is gone.
 */
export async function diffAnswers(options: DiffAnswersOptions): Promise<AnswerDifferences> {
  const { adapter, signal } = options;
  const context = createCallContext({ path: 'knowledge-diff', ...(signal !== undefined && { signal }) });
  const catalog = options.catalog ?? (await adapter.introspect({ context }));
  const today = options.today ?? new Date(systemRuntime().clock.now()).toISOString().slice(0, 10);
  const bind = (knowledge: Knowledge): BoundKnowledge =>
    bindKnowledge(usableKnowledge(knowledge).knowledge, { catalog, dialect: adapter.dialect });
  const [before, after] = [bind(options.before), bind(options.after)];
  const runner = createRunner(options);
  const metrics = await diffMetrics(before, after, runner);
  const answers: AnswerDifference[] = [];
  for (const query of before.knowledge.verifiedQueries) {
    const difference = await differenceOf(query, before, after, today, runner);
    if (difference !== undefined) answers.push(difference);
  }
  return { metrics, answers, statements: runner.statements, skipped: runner.skipped };
}

/** Undefined where nothing can be said: `skipped` has why. */
async function differenceOf(
  query: VerifiedQuery,
  before: BoundKnowledge,
  after: BoundKnowledge,
  today: string,
  runner: StatementRunner,
): Promise<AnswerDifference | undefined> {
  const what = `Verified query \`${query.id}\``;
  const skip = (reason: string): undefined => runner.skip(what, reason) as undefined;
  const next = sameIn(after, query);
  if (next === undefined) return skip('It is not there afterwards.');
  const values = allValues(query, {}, {});
  const nextValues = allValues(next, values ?? {}, {});
  if (values === undefined || nextValues === undefined) return skip('A parameter has no default.');
  const written = [query, next].map((one) => one.dialect ?? after.knowledge.settings.dialect);
  if (written.some((dialect) => dialect !== undefined && dialect.toLowerCase() !== after.dialect.name))
    return skip(`It is written for another dialect than ${after.dialect.displayName}.`);

  const first = statementOf(query, values, before);
  const second = statementOf(next, nextValues, after);
  const ran = await runStatement(first, what, runner);
  const isUnchanged = 'sql' in first && 'sql' in second && first.sql === second.sql;
  const ranAfter = isUnchanged ? ran : await runStatement(second, what, runner);
  if (ran === undefined || ranAfter === undefined) return undefined;
  const { id, question } = query;
  const shown = { id, question, before: shownResult(ran), after: shownResult(ranAfter) };
  if (ranAfter.kind === 'failed')
    return { ...shown, verdict: ran.kind === 'failed' ? 'broken' : 'fails', reason: ranAfter.reason };
  const defined = await definedAnswer(next, nextValues, after, today, what, runner);
  const whole = defined === undefined ? shown : { ...shown, defined: shownResult(defined) };
  const isSame = ran.kind === 'rows' && resultsAgree(ran.result, ranAfter.result);
  if (!isSame) return { ...whole, verdict: 'other' };
  const isContradicted = defined !== undefined && !resultsAgree(defined.result, ranAfter.result);
  return { ...whole, verdict: isContradicted ? 'contradicts' : 'same' };
}

/** The query for the same question, else that of the same id. */
function sameIn({ knowledge }: BoundKnowledge, { id, question }: VerifiedQuery): VerifiedQuery | undefined {
  const { verifiedQueries } = knowledge;
  const key = plainKey(question);
  return verifiedQueries.find((one) => plainKey(one.question) === key) ?? verifiedQueries.find((one) => one.id === id);
}

function statementOf(query: VerifiedQuery, values: ParameterValues, bound: BoundKnowledge): Statement {
  try {
    const sql = runnableStatement(query, values, bound);
    return isSelectOnly(sql, bound.dialect.lexer) ? { sql } : { reason: 'It is not one query that only reads.' };
  } catch (thrown) {
    if (!isAskemaError(thrown)) throw thrown;
    return { reason: thrown.message };
  }
}

/** What metrics answer to the question, without the verified query; undefined where they do not. */
async function definedAnswer(
  { question }: VerifiedQuery,
  values: ParameterValues,
  bound: BoundKnowledge,
  today: string,
  what: string,
  runner: StatementRunner,
): Promise<Extract<Answered, { kind: 'rows' }> | undefined> {
  const asked = question.replaceAll(/\{(\w+)\}/gu, (hole, name: string) => String(values[name] ?? hole));
  const read = readMetricQuestion(asked, bound, { today });
  if (read.kind !== 'request') return undefined;
  const ran = await runStatement({ sql: read.compiled.sql }, `What is defined for ${what}`, runner);
  return ran?.kind === 'rows' ? ran : undefined;
}
