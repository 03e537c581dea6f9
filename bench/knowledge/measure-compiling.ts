import path from 'node:path';
import { buildCatalog, type Catalog } from '../../packages/core/src/index.ts';
import { sqliteDialect } from '../../packages/dialects/src/index.ts';
import {
  type BoundKnowledge,
  bindKnowledge,
  compileMetrics,
  type Knowledge,
  loadKnowledge,
  type MetricRequest,
} from '../../packages/knowledge/src/index.ts';
import type { Table } from '../harness/bench.ts';
import { quantile } from '../harness/measure-work.ts';
import { scratchFolder } from '../harness/scratch.ts';
import { type Amount, makeFolder } from './make-folder.ts';

const METRICS = ['metric_1', 'metric_2', 'metric_3'];
/** Looked up anew so often, since what is found of them once is kept. */
const BOUND = 9;

/** The statement of metrics of three facts, and of one, by month and by a field of a dataset that all facts join. */
export async function measureCompiling(amounts: readonly Amount[], times: number): Promise<Table> {
  const rows: number[][] = [];
  for (const amount of amounts) {
    const folder = path.join(scratchFolder(), `compiling-${amount.fields}`);
    makeFolder(folder, { ...amount, queries: 0 }, 'json');
    const knowledge = await loadKnowledge(folder);
    const catalog = catalogOf(knowledge);
    const bind = (): BoundKnowledge => bindKnowledge(knowledge, { catalog, dialect: sqliteDialect });
    for (const facts of [3, 1]) {
      const request: MetricRequest = {
        metrics: METRICS.slice(0, facts),
        by: ['dataset_0.field_4'],
        grain: 'month',
        where: ['dataset_0.field_6 > 10', "metric_time >= DATE '2024-01-01'"],
      };
      const compile = (bound: BoundKnowledge): number => elapsed(() => compileMetrics(request, bound)).ms;
      const looked = Array.from({ length: BOUND }, () => elapsed(bind));
      const [first = Number.NaN, ...others] = looked.map(({ result }) => compile(result));
      const again = Array.from({ length: times }, () => compile((looked[0] as (typeof looked)[number]).result));
      const binding = median(looked.map(({ ms }) => ms));
      rows.push([amount.metrics, amount.fields, facts, binding, first, median(others), median(again)]);
    }
  }
  const columns = ['metrics', 'fields', 'facts', 'looked up, ms', 'first, ms', 'first of others, ms', 'again, ms'];
  return { columns, rows };
}

function elapsed<Result>(work: () => Result): { readonly ms: number; readonly result: Result } {
  const before = performance.now();
  const result = work();
  return { ms: performance.now() - before, result };
}

function median(times: readonly number[]): number {
  return quantile(
    times.toSorted((a, b) => a - b),
    0.5,
  );
}

/** Of a folder that `makeFolder` made. */
export function catalogOf({ models }: Knowledge): Catalog {
  return buildCatalog({
    dialect: sqliteDialect,
    name: 'made',
    relations: models.flatMap(({ datasets }) =>
      datasets.map(({ name, fields }) => ({
        nameParts: { schema: 'main', relation: name },
        kind: 'table',
        attributes: fields.map((field) => ({
          name: field.name,
          nativeType: field.type === 'Date' ? 'DATE' : 'INTEGER',
        })),
      })),
    ),
  });
}
