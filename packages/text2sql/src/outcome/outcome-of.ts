import {
  AskemaError,
  addUsage,
  type CallContext,
  type Dialect,
  type Outcome,
  type OutcomeBase,
  type QueryResult,
  quoteIfNeeded,
} from '@askema/core';
import { relationsIn } from '@askema/sql';
import type { FlowReport } from '../question/flow-spec.ts';
import { knowledgeBases, standingKnowledge } from '../question/known.ts';
import type { Answered } from '../question/outcome-parts.ts';
import type { QuestionDeps } from '../question/question-deps.ts';
import type { QuestionState } from '../question/question-state.ts';
import { resultOf } from '../question/result-of.ts';
import { isSameWords, readAsIn, readAsText, withReadAs } from '../steps/read-as.ts';

/** How a run ended, as {@link outcomeOf} reads it. */
export interface EndedRun {
  readonly runId: string;
  readonly state: QuestionState;
  /** What the flow says beside its state. */
  readonly report: FlowReport;
  /** What broke the run off, if something did. */
  readonly error?: AskemaError | undefined;
  /** What a suspended run waits for. */
  readonly request?: { readonly value: unknown } | undefined;
  /** Spent by the step that was broken off. */
  readonly unrecorded: Pick<OutcomeBase, 'usage' | 'calls'>;
  readonly elapsedMs: number;
}

/** The typed outcome of a run. `bestResult` is what the last good statement gives, for a run whose budget ended. */
export function outcomeOf(run: EndedRun, bestResult: QueryResult | undefined, dialect: Dialect): Outcome {
  const base = baseOf(run);
  const { state, error, request } = run;
  if (error !== undefined) return brokenOff(base, error, bestResult);
  if (request !== undefined)
    return { ...base, type: 'needsClarification', ask: textOfRequest(request.value), choices: [] };
  const { verdict } = state;
  switch (verdict?.type) {
    case 'answered':
      return answered(base, state, verdict, dialect);
    case 'budgetExceeded':
      return { ...base, ...verdict, result: bestResult };
    case 'needsClarification':
      return { ...base, ...verdict, choices: verdict.choices ?? [] };
    case 'unanswerable':
      return { ...base, ...verdict };
    case 'refused':
      return { ...base, ...verdict };
    case 'failed':
      return { ...base, ...verdict };
    case undefined:
      return withoutVerdict(base, state, dialect);
  }
}

/** The type of the outcome of a run that finished. */
export function outcomeTypeOf({ verdict, finalResult }: QuestionState): Outcome['type'] {
  return verdict?.type ?? (finalResult === null ? 'failed' : 'answered');
}

/** True when {@link outcomeOf} can use a best result. */
export function isOverBudget({ state, error }: Pick<EndedRun, 'state' | 'error'>): boolean {
  return error?.code === 'BUDGET_EXCEEDED' || (error === undefined && state.verdict?.type === 'budgetExceeded');
}

/** Runs the best statement so far, for reading only. Undefined when there is none, or when it fails. */
export async function bestResultOf(
  { state, report }: Pick<EndedRun, 'state' | 'report'>,
  { adapter, limits }: Pick<QuestionDeps, 'adapter' | 'limits'>,
  context: CallContext,
): Promise<QueryResult | undefined> {
  const result = resultOf(state);
  const sql = report.bestSql;
  if (result !== null || sql === undefined) return result ?? undefined;
  try {
    return await adapter.query(sql, { ...limits, access: 'read', context });
  } catch {
    // It is an extra: the outcome says that the budget ended, with a result or without.
    return undefined;
  }
}

function baseOf({ runId, state, report, unrecorded, elapsedMs }: EndedRun): OutcomeBase {
  const sql = state.generatedSql ?? report.bestSql;
  const readAs = readAsIn(sql, state.readAs);
  const inOtherWords = readAs.filter(({ value, stored }) => !isSameWords(value, stored));
  return {
    question: state.naturalQuery,
    runId,
    sql,
    explanation: withReadAs(state.explanation ?? '', readAs) || undefined,
    candidates: state.candidates,
    usage: addUsage(state.usage, unrecorded.usage),
    calls: state.calls + unrecorded.calls,
    executions: state.executions,
    elapsedMs,
    solvedBy: state.solvedBy ?? undefined,
    warnings: [...new Set([...state.warnings, ...inOtherWords.map(readAsText)])],
    ...(report.inspection === undefined ? {} : { inspection: report.inspection }),
  };
}

function answered(
  base: OutcomeBase,
  state: QuestionState,
  { sure, confidence, signals }: Pick<Answered, 'sure' | 'confidence' | 'signals'>,
  dialect: Dialect,
): Outcome {
  const sql = state.generatedSql ?? '';
  const known = standingKnowledge(state);
  return {
    ...base,
    type: 'answered',
    sql,
    result: resultOf(state) ?? NO_RESULT,
    assumptions: [...(known?.assumptions ?? []).map((text) => ({ text })), ...state.assumptions],
    basedOn: [
      ...knowledgeBases(state, dialect),
      ...relationsIn(sql, dialect.lexer).map((parts) => ({
        kind: 'relation' as const,
        name: parts.map((part) => quoteIfNeeded(part, dialect)).join('.'),
      })),
    ],
    ...(confidence === undefined ? {} : { confidence }),
    // Attempts that agree may agree on a mistake: only what was fitted on known answers can say how often.
    sure: sure && confidence?.from === 'table',
    ...(signals === undefined ? {} : { signals }),
  };
}

/** Of a flow that says it has answered, and ran nothing. */
const NO_RESULT: QueryResult = { elapsedMs: 0, columns: [], rows: [] };

function brokenOff(base: OutcomeBase, error: AskemaError, bestResult: QueryResult | undefined): Outcome {
  const json = error.toJSON();
  switch (error.code) {
    case 'ABORTED':
      return { ...base, type: 'cancelled', error: json };
    case 'BUDGET_EXCEEDED':
      return { ...base, type: 'budgetExceeded', error: json, result: bestResult };
    case 'MODEL_CONTENT_FILTERED':
      return { ...base, type: 'refused', reason: error.message, error: json };
    default:
      return { ...base, type: 'failed', error: json };
  }
}

/** A flow of one's own may end without a verdict: then the result, or the last error, is the outcome. */
function withoutVerdict(base: OutcomeBase, state: QuestionState, dialect: Dialect): Outcome {
  if (state.finalResult !== null) return answered(base, state, { sure: false }, dialect);
  const error = state.finalError ?? state.executionError;
  if (error !== null) return { ...base, type: 'failed', error };
  const missing = new AskemaError(
    'INTERNAL',
    'The flow ended with neither a result, nor an error, nor a verdict. One of its steps must set `state.verdict`.',
  );
  return { ...base, type: 'failed', error: missing.toJSON() };
}

function textOfRequest(request: unknown): string {
  if (typeof request === 'string') return request;
  const record = (typeof request === 'object' && request !== null ? request : {}) as Readonly<Record<string, unknown>>;
  const text = [record.ask, record.question, record.message].find((value) => typeof value === 'string');
  return typeof text === 'string' ? text : JSON.stringify(request);
}
