import type { BoundKnowledge } from '../bind/bound-knowledge.ts';
import { METRIC_TIME } from './bind-names.ts';
import type { CompiledColumn, CompiledMetrics, MetricRequest } from './metric-request.ts';
import { notesOn } from './notes-on.ts';
import { planRequest } from './plan-request.ts';
import { planScans } from './plan-scans.ts';
import { writeStatement } from './write-statement.ts';

/**
 * The statement that computes metrics as they are defined. Each dataset is aggregated apart, over joins from many to one
 * only, and the aggregates are put together on the dimensions. Ratios are made of sums, and NULL where the divisor is 0.
 * Pure: nothing is run.
 *
 * @throws AskemaError `METRIC_REFUSED` where no right statement exists (`details.reason` says why: `fan-out`,
 * `unreachable`, `ambiguous-path`, …), `KNOWLEDGE_INVALID` for a definition that cannot be used.
 */
export function compileMetrics(request: MetricRequest, bound: BoundKnowledge): CompiledMetrics {
  const plan = planRequest(request, bound);
  const branches = planScans(plan, bound);
  const { sql, datasets, groupsOverlap } = writeStatement(request, plan, branches, bound);
  const dimensions = plan.dimensions.map(
    ({ column, of, grain }): CompiledColumn => ({
      kind: 'dimension',
      name: column,
      field: of?.name ?? METRIC_TIME,
      ...(grain !== undefined && { grain }),
    }),
  );
  const metrics = plan.metrics.map(
    ({ column, analysed }): CompiledColumn => ({ kind: 'metric', name: column, metric: analysed.metric.name }),
  );
  const made = plan.metrics.flatMap(({ analysed }) => analysed.madeOf);
  const notes = notesOn(request, plan, branches, bound, groupsOverlap);
  return { sql, columns: [...dimensions, ...metrics], metrics: [...new Set(made)], datasets, notes };
}
