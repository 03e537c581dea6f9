import type { AnswerSignals, ComputedPart, InspectionFinding, QueryResult, StepContext } from '@askema/core';
import { findingText } from '../../inspection/finding-text.ts';
import { readStatement } from '../../inspection/inspect-statement.ts';
import { cleanSql } from '../../prompts/clean-sql.ts';
import { catalogOf, type QuestionData } from '../../question/question-input.ts';
import { alignStatement } from '../../steps/align-statement.ts';
import type { AlignedStatement } from '../../steps/read-as.ts';
import { readOnly } from '../../steps/read-only.ts';
import { resultDoubts } from '../refine/thread/result-doubts.ts';
import { answerSignals } from './answer-signals.ts';
import type { AutoDeps, AutoSlice } from './auto-state.ts';
import type { Doubt } from './doubt.ts';

/** A statement that ran. */
export interface RunStatement {
  readonly sql: string;
  readonly result: QueryResult;
  /** How it reads the question, by who wrote it. */
  readonly explanation?: string | undefined;
  /** What computes metrics in it. */
  readonly computed?: readonly ComputedPart[] | undefined;
  /** What its texts were read as. */
  readonly aligned?: AlignedStatement | undefined;
}

/** What speaks against it, and what it tells beside that. */
export interface DoubtsFound {
  readonly doubts: readonly Doubt[];
  readonly signals: AnswerSignals;
  readonly warnings: readonly string[];
}

/** A result may repeat rows, and be cut, for a good reason. */
const NO_DOUBTS: ReadonlySet<string> = new Set(['repeated-rows', 'capped']);

/** What the tools of `inspect` find, and what makes a result implausible. No tokens. */
export async function findDoubts(
  { sql, result, explanation, computed }: RunStatement,
  { question, evidence, catalogFingerprint }: Pick<QuestionData, 'question' | 'evidence' | 'catalogFingerprint'>,
  doubtFrom: AutoSlice['doubtFrom'],
  context: StepContext<AutoDeps>,
): Promise<DoubtsFound> {
  const { inspection } = context.deps.own;
  const catalog = await catalogOf(catalogFingerprint, context.deps, context);
  // It ran, so the planner has nothing to add.
  const plan = { ...inspection.plan, stages: { ...inspection.plan.stages, planner: false } };
  const { tools } = inspection;
  const { findings, warnings, query } = await readStatement(
    { sql, question, evidence, explanation, computed, catalog, plan, tools },
    context,
  );
  const counted = findings.filter(({ severity }) => severity === 'error' || severity === doubtFrom);
  const implausible = resultDoubts(result, { format: null }).filter(({ code }) => !NO_DOUBTS.has(code));
  return {
    doubts: [
      ...counted.map(doubtOf),
      ...implausible.map(({ code, message }): Doubt => ({ code, text: message, isError: false })),
    ],
    signals: answerSignals(query, result),
    warnings,
  };
}

function doubtOf(finding: InspectionFinding): Doubt {
  return { code: finding.code, text: findingText(finding), isError: finding.severity === 'error' };
}

/**
 * What a written statement gives, and what speaks against it; undefined where it is empty or fails. `known` is what
 * computes metrics in statements before it.
 */
export async function runDoubted(
  { sql: written, explanation }: Pick<RunStatement, 'sql' | 'explanation'>,
  asked: QuestionData,
  doubtFrom: AutoSlice['doubtFrom'],
  context: StepContext<AutoDeps>,
  known: readonly ComputedPart[] = [],
): Promise<(RunStatement & DoubtsFound) | undefined> {
  const clean = cleanSql(written);
  const aligned = await alignStatement(clean, context);
  const sql = aligned?.sql ?? clean;
  const result = sql === '' ? undefined : await readOnly(sql, context);
  if (result === undefined) return undefined;
  const computed = [...known, ...(aligned?.computed ?? [])];
  return {
    sql,
    result,
    ...(aligned && { aligned }),
    ...(await findDoubts({ sql, result, explanation, computed }, asked, doubtFrom, context)),
  };
}
