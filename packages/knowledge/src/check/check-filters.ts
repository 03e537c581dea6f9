import { quoteIdentifier } from '@askema/core';
import type { BoundKnowledge } from '../bind/bound-knowledge.ts';
import type { Subject } from '../bind/problem-list.ts';
import { compileMetrics } from '../compile/compile-metrics.ts';
import { ansi, type Metric } from '../model/semantic-model.ts';
import { attempt, type CheckHost, numberOf, reportFailure } from './check-host.ts';
import { fromClause } from './from-clause.ts';

/** A name that no metric of a model has. */
const ROWS = 'rows of the check';

/** Counts what default filters and named filters leave. */
export async function checkFilters(host: CheckHost): Promise<void> {
  const { datasets, filters } = host.bound;
  for (const { dataset } of datasets.values()) {
    const { name, standing, defaultFilter } = dataset;
    if (defaultFilter === undefined || !host.isWanted(standing)) continue;
    await checkFilter(host, { kind: 'dataset', name, standing }, `The default filter of \`${name}\``, name, []);
  }
  for (const { name, standing, dataset } of filters.values())
    if (host.isWanted(standing))
      await checkFilter(host, { kind: 'filter', name, standing }, `Filter \`${name}\``, dataset, [name]);
}

/** Counted as a metric would be: over the joins that the condition needs. */
async function checkFilter(
  host: CheckHost,
  subject: Subject,
  what: string,
  dataset: string,
  where: readonly string[],
): Promise<void> {
  const sql = attempt(
    () => countOf(dataset, where, subject, host.bound),
    (message) => host.report(subject, { code: 'filter-refused', message: `${what} cannot be asked: ${message}` }),
  );
  if (sql === undefined) return;
  const left = await host.run(what, sql);
  reportFailure(host, subject, what, 'filter-fails', left);
  if (numberOf(left) !== 0) return;
  const source = host.bound.datasets.get(dataset.toLowerCase());
  const all = source && (await host.run(what, `SELECT COUNT(*) FROM ${fromClause(source, 't')}`));
  const count = all && numberOf(all);
  // An empty table contradicts nothing.
  if (count === undefined || count === 0) return;
  host.report(subject, {
    severity: 'warning',
    code: 'filter-empty',
    message: `${what} leaves none of the ${count} rows of \`${dataset}\`.`,
    advice: 'Look how its values are written in the cells.',
  });
}

function countOf(dataset: string, where: readonly string[], subject: Subject, bound: BoundKnowledge): string {
  const { sql, columns } = compileMetrics({ metrics: [ROWS], where }, withRows(bound, dataset, subject));
  const name = columns.find(({ kind }) => kind === 'metric')?.name ?? ROWS;
  return `SELECT q.${quoteIdentifier(name, bound.dialect)} FROM (${sql}) q`;
}

function withRows(bound: BoundKnowledge, dataset: string, { standing }: Subject): BoundKnowledge {
  const rows: Metric = {
    name: ROWS,
    definition: {
      kind: 'aggregate',
      expressions: ansi('COUNT(*)'),
      dataset,
    },
    extensions: [],
    standing,
  };
  return { ...bound, metrics: new Map([...bound.metrics, [ROWS, rows]]) };
}
