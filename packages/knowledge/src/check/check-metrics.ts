import { isAskemaError, quoteIdentifier } from '@askema/core';
import type { BoundDataset, BoundKnowledge } from '../bind/bound-knowledge.ts';
import type { Subject } from '../bind/problem-list.ts';
import { compileMetrics } from '../compile/compile-metrics.ts';
import type { CompiledMetrics, MetricRequest } from '../compile/metric-request.ts';
import type { Metric } from '../model/semantic-model.ts';
import { isAdditive } from './additive.ts';
import { type CheckHost, type Ran, reportFailure } from './check-host.ts';

/** Fields by which each metric is grouped: two of each dataset that it reaches, so many in all. */
const MAX_FIELDS = 8;
const FIELDS_OF_DATASET = 2;
/** Sums in another order differ in their last digits. */
const TOLERANCE = 1e-9;

type Compiled =
  | { readonly compiled: CompiledMetrics; readonly column: string }
  | { readonly reason: string; readonly message: string };

/** Compiles and runs each metric alone, and by fields that it reaches. */
export async function checkMetrics(host: CheckHost): Promise<void> {
  let leftOut = 0;
  for (const metric of host.bound.metrics.values())
    if (host.isWanted(metric.standing)) leftOut += await checkMetric(host, metric);
  if (leftOut > 0)
    host.skip(`${leftOut} groupings of metrics`, `Each metric is grouped by at most ${MAX_FIELDS} fields.`);
}

/** How many groupings were left out. */
async function checkMetric(host: CheckHost, metric: Metric): Promise<number> {
  const subject: Subject = { kind: 'metric', name: metric.name, standing: metric.standing };
  const what = `Metric \`${metric.name}\``;
  const alone = compileAlone(metric, host.bound);
  if ('message' in alone) {
    host.report(subject, { code: 'metric-refused', message: `${what} has no right statement: ${alone.message}` });
    return 0;
  }
  let isSummed = alone.compiled.columns.length === 1 && isAdditive(metric, host.bound);
  const total = await runValues(host, what, alone, isSummed);
  reportFailure(host, subject, what, 'metric-fails', total.ran);
  if (total.ran.kind !== 'rows') return 0;
  if (total.sum === undefined)
    host.report(subject, {
      severity: 'note',
      code: 'metric-empty',
      message: `${what} has no value: it is NULL over all rows.`,
      advice: 'Look whether its filter and its join leave any rows.',
    });
  let grouped = 0;
  let leftOut = 0;
  for (const field of fieldsToGroupBy(host.bound)) {
    const by = compileOne({ metrics: [metric.name], by: [field] }, metric, host.bound);
    // The fields that it does not reach: every metric has some.
    if ('message' in by) continue;
    if (grouped >= MAX_FIELDS) {
      leftOut += 1;
      continue;
    }
    grouped += 1;
    const label = `${what} by \`${field}\``;
    const groups = await runValues(host, label, by, isSummed);
    reportFailure(host, subject, label, 'metric-fails', groups.ran);
    if (!isSummed || groups.ran.kind !== 'rows' || isNear(total, groups)) continue;
    host.report(subject, {
      code: 'total-differs',
      message: `${what} is ${total.sum ?? 'NULL'} in all, and its groups by \`${field}\` add up to ${groups.sum ?? 'NULL'}.`,
      advice: 'A relationship on the way repeats or drops rows: look at its keys.',
    });
    // Once is enough: fields behind the same join would say it again.
    isSummed = false;
  }
  return leftOut;
}

/** Running values and offsets are only defined over time. */
function compileAlone(metric: Metric, bound: BoundKnowledge): Compiled {
  const alone = compileOne({ metrics: [metric.name] }, metric, bound);
  return 'reason' in alone && alone.reason === 'needs-time'
    ? compileOne({ metrics: [metric.name], grain: 'month' }, metric, bound)
    : alone;
}

function compileOne(request: MetricRequest, metric: Metric, bound: BoundKnowledge): Compiled {
  try {
    const compiled = compileMetrics(request, bound);
    const column = compiled.columns.find(({ kind }) => kind === 'metric')?.name ?? metric.name;
    return { compiled, column };
  } catch (thrown) {
    if (!isAskemaError(thrown)) throw thrown;
    return { reason: String(thrown.details.reason ?? thrown.code), message: thrown.message };
  }
}

interface Summed {
  readonly ran: Ran;
  /** Undefined where all values are NULL. */
  readonly sum: number | undefined;
  /** Of the magnitudes: how exact the sum can be. */
  readonly magnitude: number;
}

/** Of what does not add up, which may be a date or a text, only whether there are values. */
async function runValues(
  host: CheckHost,
  what: string,
  { compiled, column }: Exclude<Compiled, { message: string }>,
  isSummed: boolean,
): Promise<Summed> {
  const cell = `q.${quoteIdentifier(column, host.bound.dialect)}`;
  const values = isSummed ? `SUM(${cell}), SUM(ABS(${cell}))` : `NULLIF(COUNT(${cell}), 0)`;
  const ran = await host.run(what, `SELECT ${values} FROM (${compiled.sql}) q`);
  const [sum, magnitude] = ran.kind === 'rows' ? (ran.result.rows[0] ?? []) : [];
  return { ran, sum: sum === null || sum === undefined ? undefined : Number(sum), magnitude: Number(magnitude ?? 0) };
}

function isNear(total: Summed, groups: Summed): boolean {
  const room = TOLERANCE * Math.max(1, total.magnitude, groups.magnitude);
  return Math.abs((total.sum ?? 0) - (groups.sum ?? 0)) <= room;
}

/** Fields that may be grouped by, of every dataset a few: more would ask the same joins again. */
function fieldsToGroupBy({ datasets }: BoundKnowledge): readonly string[] {
  return [...datasets.values()].flatMap(namesToGroupBy);
}

function namesToGroupBy({ dataset, fields }: BoundDataset): readonly string[] {
  const shown = [...fields.values()].filter(({ field }) => field.dimension !== undefined && field.isHidden !== true);
  return shown.slice(0, FIELDS_OF_DATASET).map(({ field }) => `${dataset.name}.${field.name}`);
}
