import type { PlainCalendar } from './plain-calendar.ts';
import {
  inputsOf,
  leavesOf,
  metricOf,
  type PlainAggregate,
  type PlainMetric,
  type PlainRequest,
  type PlainStar,
  pathTo,
  tableOf,
} from './plain-star.ts';

export function calendarOf(star: PlainStar, { fiscal }: PlainRequest): PlainCalendar {
  return { ...star.calendar, fiscalYearStart: fiscal ? star.calendar?.fiscalYearStart : undefined };
}

/** The group of `metric_time`, or of the field that is the time of the metric. */
export function timeGroup(star: PlainStar, metric: PlainMetric, request: PlainRequest): number {
  const times = timesOf(star, metric);
  return request.by.findIndex(
    ({ field, grain }) => grain !== undefined && (field === 'metric_time' || times.has(field)),
  );
}

/** The fields by which rows of a metric are put in time, and `metric_time`. */
export function timesOf(star: PlainStar, metric: PlainMetric): ReadonlySet<string> {
  if (metric.kind !== 'aggregate')
    return new Set(inputsOf(metric).flatMap(({ metric: name }) => [...timesOf(star, metricOf(star, name))]));
  return new Set([
    'metric_time',
    ...leavesOf(metric.expression).flatMap(({ dataset }) => timeOf(star, metric, dataset) ?? []),
  ]);
}

/** Whether the value depends on other periods than its own. */
export function looksBack(star: PlainStar, metric: PlainMetric): boolean {
  return (
    metric.kind === 'cumulative' ||
    inputsOf(metric).some(
      ({ metric: name, offset, offsetToGrain }) =>
        offset !== undefined || offsetToGrain !== undefined || looksBack(star, metricOf(star, name)),
    )
  );
}

/** Whether every field is reached from many to one by every aggregate of every metric. */
export function isReachable(star: PlainStar, request: PlainRequest): boolean {
  const fields = [...request.by, ...request.where].map(({ field }) => field);
  return request.metrics
    .flatMap((name) => aggregatesOf(star, metricOf(star, name)))
    .every(({ dataset }) =>
      fields.every(
        (field) => field === 'metric_time' || pathTo(star, dataset, field.split('.')[0] ?? '') !== undefined,
      ),
    );
}

/** The aggregates that a metric is made of in the end. */
export function aggregatesOf(star: PlainStar, metric: PlainMetric): readonly PlainAggregate[] {
  return metric.kind === 'aggregate'
    ? leavesOf(metric.expression)
    : inputsOf(metric).flatMap(({ metric: name }) => aggregatesOf(star, metricOf(star, name)));
}

export function timeOf(star: PlainStar, metric: PlainMetric, dataset: string): string | undefined {
  if (metric.kind === 'aggregate' && metric.time !== undefined) return metric.time;
  const { time } = tableOf(star, dataset);
  return time === undefined ? undefined : `${dataset}.${time}`;
}
