import { AskemaError, type StepContext } from '@askema/core';
import type { QuestionDeps } from '../question/question-deps.ts';
import { expandStatement } from './expand-statement.ts';
import { lookUp, lookUpWarning } from './look-up.ts';
import type { AlignedStatement } from './read-as.ts';

/** Of one statement. */
const LIMITS = { maxConditions: 20, totalTimeoutMs: 10_000 } as const;

/**
 * A statement that is about to run: metrics in it as they are computed, and with `alignValues` the texts of its conditions
 * as they are stored; undefined where it stays as it is. A metric that cannot be computed stays, too: whoever runs the
 * statement learns why.
 */
export async function alignStatement(
  written: string,
  context: StepContext<QuestionDeps>,
): Promise<AlignedStatement | undefined> {
  const expanded = await lookUp(() => expandStatement(written, context));
  if (expanded === undefined || expanded instanceof AskemaError) return alignTexts(written, context);
  const aligned = await alignTexts(expanded.sql, context);
  const sql = aligned?.sql ?? expanded.sql;
  // Where a text in it was aligned, the whole statement is what computes the metric.
  const computed = expanded.parts.map((part) => (sql.includes(part.sql) ? part : { ...part, sql }));
  return { readAs: [], warnings: [], sql, ...aligned, computed };
}

/** A look-up that fails is a warning: it is an aid. */
async function alignTexts(sql: string, context: StepContext<QuestionDeps>): Promise<AlignedStatement | undefined> {
  const { adapter, alignBy, catalogs, parser } = context.deps;
  if (alignBy === undefined) return undefined;
  const aligned = await lookUp(async () => {
    // Loaded where something is aligned alone: it takes time to start.
    const { alignValues } = await import('@askema/lint');
    const catalog = await catalogs.read(context);
    return alignValues(sql, { adapter, catalog, parser, valueIndex: alignBy(catalog), ...LIMITS, context });
  });
  if (aligned instanceof AskemaError) return { sql, readAs: [], warnings: [lookUpWarning(aligned)] };
  return aligned.readAs.length === 0 ? undefined : { ...aligned, warnings: [] };
}
