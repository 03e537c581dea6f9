import { isAskemaError, resultsAgree } from '@askema/core';
import type { BoundKnowledge } from '../bind/bound-knowledge.ts';
import { definitionText } from '../bind/definition-text.ts';
import type { StatementRunner } from '../check/check-host.ts';
import { compileMetrics } from '../compile/compile-metrics.ts';
import type { Metric } from '../model/semantic-model.ts';
import { type Answered, runStatement, type Statement, shownResult } from './run-statement.ts';

/** A metric that is defined anew, over all rows. */
export interface MetricDifference {
  readonly name: string;
  /** `new`: nothing of that name is defined before. The others as of an `AnswerDifference`. */
  readonly verdict: 'new' | 'same' | 'other' | 'fails' | 'broken';
  /** Undefined where it did not run. */
  readonly before?: string | undefined;
  readonly after?: string | undefined;
  /** Why it does not run. */
  readonly reason?: string | undefined;
}

/** What metrics give over all rows whose definitions differ, and those that are new. */
export async function diffMetrics(
  before: BoundKnowledge,
  after: BoundKnowledge,
  runner: StatementRunner,
): Promise<readonly MetricDifference[]> {
  const differences: MetricDifference[] = [];
  for (const [key, metric] of after.metrics) {
    const old = before.metrics.get(key);
    if (old !== undefined && keyOf(old) === keyOf(metric)) continue;
    const what = `Metric \`${metric.name}\``;
    const first = old && (await runStatement(statementOf(old.name, before), what, runner));
    const second = await runStatement(statementOf(metric.name, after), what, runner);
    if (second === undefined || (old !== undefined && first === undefined)) continue;
    differences.push({
      name: metric.name,
      verdict: verdictOf(first, second),
      before: first && shownResult(first),
      after: shownResult(second),
      ...(second.kind === 'failed' && { reason: second.reason }),
    });
  }
  return differences;
}

function keyOf(metric: Metric): string {
  const { definition } = metric;
  return [definitionText(metric), definition.kind === 'aggregate' ? definition.time : ''].join('\n');
}

function verdictOf(first: Answered | undefined, second: Answered): MetricDifference['verdict'] {
  if (second.kind === 'failed') return first?.kind === 'rows' ? 'fails' : 'broken';
  if (first === undefined) return 'new';
  return first.kind === 'rows' && resultsAgree(first.result, second.result) ? 'same' : 'other';
}

function statementOf(name: string, bound: BoundKnowledge): Statement {
  try {
    return { sql: compileMetrics({ metrics: [name] }, bound).sql };
  } catch (thrown) {
    if (!isAskemaError(thrown)) throw thrown;
    return { reason: thrown.message };
  }
}
