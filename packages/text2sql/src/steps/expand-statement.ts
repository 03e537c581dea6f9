import { AskemaError, type ExpandedStatement, type StepContext, toAskemaError } from '@askema/core';
import type { QuestionDeps } from '../question/question-deps.ts';

const METRIC_CALL = /\bmetric\s*\(/i;

/**
 * A statement whose `metric(…)` are computed as they are defined; undefined where it has none, always without knowledge.
 *
 * @throws AskemaError `QUERY_FAILED` for a metric that cannot be computed so, with what to do instead.
 */
export async function expandStatement(
  sql: string,
  context: StepContext<QuestionDeps>,
): Promise<ExpandedStatement | undefined> {
  const { adapter, catalogs, knowledge } = context.deps;
  if (knowledge === undefined || !METRIC_CALL.test(sql)) return undefined;
  const known = knowledge.source.on(await catalogs.read(context), adapter.dialect);
  try {
    const expanded = known.expand(sql);
    return expanded.sql === sql ? undefined : expanded;
  } catch (thrown) {
    const error = toAskemaError(thrown);
    // A mistake in the statement, as the engine reports others: whoever wrote it is told.
    throw new AskemaError('QUERY_FAILED', error.message, { cause: error, details: { sql } });
  }
}
