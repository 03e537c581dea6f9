import type { BoundDataset, BoundKnowledge } from '../bind/bound-knowledge.ts';
import type { Expression } from '../expression/expression.ts';
import { TIME_GRAINS, type TimeGrain } from '../model/semantic-model.ts';
import type { Lasting, Measure, Running } from './analyse-metric.ts';
import { bindCondition, type FieldOf } from './bind-names.ts';
import { checkShifts, nestsIn, type Shift } from './periods.ts';
import { type Condition, checkFinest, type Dimension, type RequestPlan } from './plan-request.ts';
import { refused } from './refused.ts';

/** One reading of a dataset: the measures that are of the same rows. */
export interface Scan {
  readonly dataset: BoundDataset;
  /** The metric that is named where something is refused. */
  readonly metric: string;
  /** That rows have to meet, those of the dataset itself included. */
  readonly filters: readonly Expression[];
  readonly conditions: readonly Condition[];
  /** Undefined where nothing is asked of the time. */
  readonly time: FieldOf | undefined;
  readonly lasting: Lasting | undefined;
  readonly running: Running | undefined;
  /** Of running values: the periods at whose ends they are counted. */
  readonly periods: PeriodDimension | undefined;
  readonly measures: Measure[];
}

/** The finest of the dimensions that are the time of a metric; the others are coarser. */
export interface PeriodDimension {
  readonly grain: TimeGrain;
  readonly finest: Dimension;
  readonly all: readonly Dimension[];
}

/** What one query contributes to the result: a scan, as it is or moved in time. */
export interface Branch {
  readonly scan: Scan;
  readonly shifts: readonly Shift[];
  /** Of running values and of those that are moved. */
  readonly periods: PeriodDimension | undefined;
  readonly measures: Measure[];
}

/** Sorts the measures of a request, so that a dataset is read as few times as possible. */
export function planScans(plan: RequestPlan, bound: BoundKnowledge): Branch[] {
  const scans = new Map<string, Scan>();
  const branches = new Map<string, Branch>();
  const measures = new Map(plan.metrics.flatMap(({ analysed }) => analysed.measures.map((part) => [part.key, part])));
  for (const measure of measures.values()) {
    const periods = isOfPeriods(measure) ? periodsOfMeasure(measure, plan.dimensions) : undefined;
    const scan = newScan(measure, periods, plan, bound);
    const { dataset, filters, conditions, time, lasting, running } = scan;
    const parts = [dataset.dataset.name, filters, conditions.length, time?.name, lasting, running];
    const key = JSON.stringify(parts, (name, value: unknown) => (name === 'span' ? undefined : value));
    const known = scans.get(key) ?? scan;
    scans.set(key, known);
    known.measures.push(measure);
    const branchKey = JSON.stringify([key, measure.shifts]);
    const branch = branches.get(branchKey) ?? { scan: known, shifts: measure.shifts, periods, measures: [] };
    branches.set(branchKey, branch);
    branch.measures.push(measure);
  }
  return [...branches.values()];
}

function isOfPeriods({ shifts, running }: Measure): boolean {
  return shifts.length > 0 || running !== undefined;
}

function newScan(
  measure: Measure,
  periods: PeriodDimension | undefined,
  { dimensions, conditions }: RequestPlan,
  bound: BoundKnowledge,
): Scan {
  const { dataset, metric, lasting } = measure;
  const asksTime = dimensions.some(({ of }) => of === undefined) || conditions.some(({ isOfTime }) => isOfTime);
  if (asksTime || periods !== undefined) checkTime(measure, dimensions);
  // All that there is, at the end of all time, is the plain value.
  const running = periods === undefined ? undefined : measure.running;
  if (isOfPeriods(measure) && periods === undefined && conditions.some(({ isOfTime }) => isOfTime))
    throw needsTime(measure, 'has a condition on its time');
  const own = dataset.dataset.defaultFilter;
  const where = `The default filter of the dataset \`${dataset.dataset.name}\``;
  const always =
    own === undefined ? [] : [bindCondition(own, { bound, home: dataset.dataset.name, where, columns: true })];
  return {
    dataset,
    metric,
    filters: [...always, ...measure.filters],
    // Those on the time pick periods, so that a running value keeps what was before.
    conditions: periods === undefined ? conditions : conditions.filter(({ isOfTime }) => !isOfTime),
    time: asksTime || running !== undefined ? measure.time : undefined,
    lasting,
    running,
    periods: running === undefined ? undefined : periods,
    measures: [],
  };
}

function checkTime({ metric, time, dataset }: Measure, dimensions: readonly Dimension[]): void {
  if (time === undefined)
    throw refused(
      'no-time',
      `Nothing says when the rows of the metric \`${metric}\` are. Set the time of the metric, or the default time of ` +
        `the dataset \`${dataset.dataset.name}\`.`,
      { metric, dataset: dataset.dataset.name },
    );
  for (const { of, grain } of dimensions) if (of === undefined && grain !== undefined) checkFinest(grain, time);
}

/** Undefined for a running value of all time that is not grouped by time. */
function periodsOfMeasure(measure: Measure, dimensions: readonly Dimension[]): PeriodDimension | undefined {
  const { metric, time, running, shifts } = measure;
  const all = dimensions.filter(({ of }) => of === undefined || of.name === time?.name);
  const [first] = all;
  if (first === undefined) {
    const isPlain = shifts.length === 0 && running?.window === undefined && running?.grainToDate === undefined;
    if (isPlain) return undefined;
    throw needsTime(measure, 'is not grouped by time');
  }
  const grains = all.map(({ grain }) => grain);
  if (grains.includes(undefined)) throw needsTime(measure, 'is grouped by a time without a grain');
  const finest = all.reduce((left, right) => (rank(right) < rank(left) ? right : left), first);
  const grain = finest.grain ?? 'day';
  const odd = all.find((other) => !nestsIn(grain, other.grain ?? 'day'));
  if (odd !== undefined)
    throw refused('grain', `The metric \`${metric}\` cannot be grouped by ${grain} and ${odd.grain}. Leave one out.`, {
      metric,
    });
  checkShifts(metric, shifts, grain);
  return { grain, finest, all };
}

function rank({ grain }: Dimension): number {
  return grain === undefined ? -1 : TIME_GRAINS.indexOf(grain);
}

function needsTime({ metric, running }: Measure, why: string): Error {
  const what = running === undefined ? 'compares with earlier periods' : 'is a running value';
  return refused('needs-time', `The metric \`${metric}\` ${what}, and ${why}. Group by metric_time with a grain.`, {
    metric,
  });
}
