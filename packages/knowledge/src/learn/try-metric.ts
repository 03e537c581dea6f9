import { type Adapter, AskemaError, type CallContext, QUERY_DEFAULTS } from '@askema/core';
import { bindKnowledge } from '../bind/bind-knowledge.ts';
import type { BoundKnowledge } from '../bind/bound-knowledge.ts';
import { compileMetrics } from '../compile/compile-metrics.ts';
import { entryId, type Knowledge } from '../model/knowledge.ts';
import { sameName } from '../model/same-name.ts';
import type { Metric } from '../model/semantic-model.ts';

/**
 * Binds a metric beside all others, or in the place of the one of its name, compiles it and runs it alone, reading only.
 *
 * @param home The name of the model that it would stand in.
 * @throws AskemaError `KNOWLEDGE_INVALID`, `METRIC_REFUSED` or `QUERY_*` where it cannot be used, also because another
 *   metric that is made of it no longer could be.
 */
export async function tryMetric(
  metric: Metric,
  home: string,
  before: BoundKnowledge,
  { adapter, context }: { readonly adapter: Adapter; readonly context: CallContext },
): Promise<void> {
  const { catalog, dialect } = before;
  const bound = bindKnowledge(withMetric(before.knowledge, metric, home), { catalog, dialect });
  const known = new Set(before.problems.map(({ entry, code }) => `${entry} ${code}`));
  const own = entryId('metric', metric.name);
  const problem = bound.problems.find(
    ({ severity, entry, code }) => severity === 'error' && (entry === own || !known.has(`${entry} ${code}`)),
  );
  if (problem !== undefined)
    throw new AskemaError('KNOWLEDGE_INVALID', `${problem.message} ${problem.advice ?? ''}`.trim());
  const { sql } = compileMetrics({ metrics: [metric.name] }, bound);
  // A time that its rows do not reach fails only who asks for a year.
  if (metric.definition.kind === 'aggregate' && metric.definition.time !== undefined)
    compileMetrics({ metrics: [metric.name], grain: 'year' }, bound);
  await adapter.query(sql, { maxRows: 1, timeoutMs: QUERY_DEFAULTS.timeoutMs, access: 'read', context });
}

function withMetric(knowledge: Knowledge, metric: Metric, home: string): Knowledge {
  return {
    ...knowledge,
    models: knowledge.models.map((model) => {
      const others = model.metrics.filter(({ name }) => !sameName(name, metric.name));
      return { ...model, metrics: model.name === home ? [...others, metric] : others };
    }),
  };
}
