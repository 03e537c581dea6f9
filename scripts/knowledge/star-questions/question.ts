import type { TimeGrain } from '../../../packages/knowledge/src/model/semantic-model.ts';
import type {
  PlainCondition,
  PlainGroup,
  PlainRequest,
} from '../../../packages/knowledge/src/test-support/plain-star.ts';

/** A question as somebody of the business asks it, on the day `TODAY`. */
export interface StarQuestion {
  readonly id: string;
  readonly question: string;
  /** Requests that it may mean, each of them right; none where the definitions do not answer it. */
  readonly means: readonly PlainRequest[];
  /** Statements for what requests cannot say, each of them right. */
  readonly sql: readonly string[];
  /** Nothing in the tables could hold it, or nothing does: to say so is right. */
  readonly isUnanswerable: boolean;
}

/** A way to read a question. */
type Reading = PlainRequest | { readonly sql: string } | 'unanswerable';

/** That there is nothing: no value, a count of none, no rows. */
export const NOTHING: readonly Reading[] = [
  { sql: 'SELECT NULL' },
  { sql: 'SELECT 0' },
  { sql: 'SELECT NULL LIMIT 0' },
];

/** `cities.city`, `metric_time:month`. */
type GroupText = string;

interface Wish {
  readonly by?: GroupText | readonly GroupText[] | undefined;
  readonly where?: readonly PlainCondition[] | undefined;
  readonly fiscal?: boolean | undefined;
  /** The first of the largest, or of the smallest, values of the first metric. */
  readonly top?: number | undefined;
  readonly bottom?: number | undefined;
}

export function want(
  metrics: string | readonly string[],
  { by = [], where = [], fiscal, top, bottom }: Wish = {},
): PlainRequest {
  const names = typeof metrics === 'string' ? [metrics] : metrics;
  const limit = top ?? bottom;
  return {
    metrics: names,
    by: (typeof by === 'string' ? [by] : by).map(group),
    where,
    ...(fiscal === undefined ? {} : { fiscal }),
    ...(limit === undefined
      ? {}
      : { limit, order: { by: names[0] ?? '', direction: top === undefined ? 'asc' : 'desc' } as const }),
  };
}

function group(text: GroupText): PlainGroup {
  const [field = '', grain] = text.split(':');
  return grain === undefined ? { field } : { field, grain: grain as TimeGrain };
}

export const is = (field: string, ...values: readonly (string | boolean)[]): PlainCondition => ({
  field,
  test: values.length === 1 ? '=' : 'in',
  values,
});
export const isNot = (field: string, value: string): PlainCondition => ({ field, test: '<>', values: [value] });
export const known = (field: string): PlainCondition => ({ field, test: 'not null', values: [] });

/** From a day to before another. */
export const time = (from: string, before?: string): readonly PlainCondition[] => [
  { field: 'metric_time', test: '>=', values: [from] },
  ...(before === undefined ? [] : [{ field: 'metric_time', test: '<' as const, values: [before] }]),
];
export const until = (before: string): readonly PlainCondition[] => [
  { field: 'metric_time', test: '<', values: [before] },
];
/** `2024`, or `2024-05`. */
export function during(period: string): readonly PlainCondition[] {
  const [year = 0, month] = period.split('-').map(Number);
  if (month === undefined) return time(`${year}-01-01`, `${year + 1}-01-01`);
  const next = month === 12 ? `${year + 1}-01` : `${year}-${String(month + 1).padStart(2, '0')}`;
  return time(`${period}-01`, `${next}-01`);
}

/** Numbered in their order. */
export function questions(
  prefix: string,
  all: readonly (readonly [question: string, ...readings: readonly Reading[]])[],
): readonly StarQuestion[] {
  return all.map(([question, ...readings], at) => ({
    id: `${prefix}-${String(at + 1).padStart(3, '0')}`,
    question,
    means: readings.filter((reading) => typeof reading === 'object' && 'metrics' in reading),
    sql: readings.flatMap((reading) => (typeof reading === 'object' && 'sql' in reading ? reading.sql : [])),
    isUnanswerable: readings.includes('unanswerable'),
  }));
}
