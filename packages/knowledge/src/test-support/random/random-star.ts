import fc from 'fast-check';
import { TIME_GRAINS, type TimeGrain } from '../../model/semantic-model.ts';
import { aggregatesOf } from '../plain-metrics.ts';
import {
  isOperation,
  metricOf,
  type PlainAggregate,
  type PlainInput,
  type PlainMetric,
  type PlainStar,
} from '../plain-star.ts';
import { conditionFor } from './random-conditions.ts';
import { isFact, randomTables, type Tables } from './random-tables.ts';

const FACT_FIELDS = ['amount', 'pieces'] as const;
/** It is there in so many of ten. */
const maybe = <Value>(arbitrary: fc.Arbitrary<Value>, tenths: number): fc.Arbitrary<Value | undefined> =>
  fc.oneof({ weight: 10 - tenths, arbitrary: fc.constant(undefined) }, { weight: tenths, arbitrary });

function aggregateFor(star: Tables, dataset: string): fc.Arbitrary<PlainAggregate> {
  return fc
    .tuple(
      fc.constantFrom('sum', 'sum', 'count', 'distinct', 'avg', 'min', 'max' as const),
      fc.constantFrom(...FACT_FIELDS),
      maybe(conditionFor({ ...star, tables: star.tables.filter(({ name }) => name === dataset) }, [dataset]), 3),
      fc.boolean(),
    )
    .map(([aggregate, field, when, isAll]) => ({
      aggregate: aggregate as PlainAggregate['aggregate'],
      dataset,
      ...(aggregate === 'count' && isAll ? {} : { field: aggregate === 'distinct' ? 'kind' : field }),
      ...(when === undefined ? {} : { when }),
    }));
}

function baseMetric(star: Tables, name: string, dataset: string): fc.Arbitrary<PlainMetric> {
  return fc
    .record({
      leaf: aggregateFor(star, dataset),
      filter: maybe(conditionFor(star, [dataset]), 2),
      empty: maybe(fc.constantFrom('zero' as const, 'null' as const), 3),
      nonAdditive: maybe(
        fc.record({
          field: fc.constant(`${dataset}.made`),
          choice: fc.constantFrom('first' as const, 'last' as const),
          within: fc.constantFrom<readonly string[]>([], [`${dataset}.kind`], ['shop.name']),
        }),
        2,
      ),
    })
    .map(
      ({ leaf, filter, empty, nonAdditive }): PlainMetric => ({
        name,
        kind: 'aggregate',
        expression: leaf,
        ...(filter === undefined ? {} : { filter }),
        ...(empty === undefined ? {} : { empty }),
        ...(nonAdditive === undefined ? {} : { nonAdditive }),
      }),
    );
}

/** Two aggregates in one expression: of one fact, or of two that are aggregated apart. */
function mixedMetric(star: Tables, name: string, datasets: readonly string[]): fc.Arbitrary<PlainMetric> {
  const leaf = fc
    .constantFrom(...datasets)
    .chain((dataset) => aggregateFor(star, dataset))
    // `COUNT(*)` would not say of which fact.
    .map((one): PlainAggregate => ({ field: 'kind', ...one }));
  return fc
    .tuple(leaf, fc.constantFrom('+' as const, '-' as const, '*' as const, '/' as const), leaf)
    .map(([left, operator, right]) => ({ name, kind: 'aggregate', expression: { left, operator, right } }));
}

/** Counted on a table that facts look up, so that facts repeat its rows. */
const SHOPS: PlainMetric = {
  name: 'shops',
  kind: 'aggregate',
  expression: { aggregate: 'count', dataset: 'shop', field: 'shop_id' },
};

/** Metrics over the metrics that are there; their filters hold for every fact below. */
function upperMetric(star: PlainStar, name: string): fc.Arbitrary<PlainMetric> {
  const window = fc.record({ count: fc.integer({ min: 1, max: 4 }), unit: fc.constantFrom<TimeGrain>(...TIME_GRAINS) });
  const input: fc.Arbitrary<PlainInput> = fc
    .record({
      metric: fc.constantFrom(...star.metrics.map((metric) => metric.name)),
      isFiltered: fc.constantFrom(true, false, false, false),
    })
    .chain(({ metric, isFiltered }) => {
      const from = aggregatesOf(star, metricOf(star, metric)).map(({ dataset }) => dataset);
      return (isFiltered ? conditionFor(star, from) : fc.constant(undefined)).map((filter) => ({
        metric,
        ...(filter === undefined ? {} : { filter }),
      }));
    });
  const shifted = fc.tuple(input, maybe(window, 7), maybe(fc.constantFrom<TimeGrain>(...TIME_GRAINS), 5)).map(
    ([one, offset, offsetToGrain]): PlainInput => ({
      ...one,
      ...(offset !== undefined ? { offset } : offsetToGrain === undefined ? {} : { offsetToGrain }),
    }),
  );
  const empty = maybe(fc.constant('zero' as const), 2);
  const base = <Value extends object>(parts: Value, zero: 'zero' | undefined) => ({
    name,
    ...(zero === undefined ? {} : { empty: zero }),
    ...parts,
  });
  return fc.oneof(
    fc
      .tuple(input, input, empty)
      .map(
        ([numerator, denominator, zero]): PlainMetric => base({ kind: 'ratio' as const, numerator, denominator }, zero),
      ),
    fc.tuple(input, shifted, fc.constantFrom('+', '-', '*', '/' as const), empty).map(
      ([left, right, operator, zero]): PlainMetric =>
        base(
          {
            kind: 'derived' as const,
            inputs: [
              { ...left, alias: 'one' },
              { ...right, alias: 'other' },
            ],
            expression: {
              left: { left: { alias: 'one' }, operator: operator as '+', right: { alias: 'other' } },
              operator: '*' as const,
              right: 100,
            },
          },
          zero,
        ),
    ),
    fc
      .tuple(input, maybe(window, 4), maybe(fc.constantFrom<TimeGrain>('week', 'month', 'quarter', 'year'), 5), empty)
      .map(
        ([one, span, grainToDate, zero]): PlainMetric =>
          base(
            {
              kind: 'cumulative' as const,
              input: one,
              ...(span !== undefined ? { window: span } : grainToDate === undefined ? {} : { grainToDate }),
            },
            zero,
          ),
      ),
  );
}

/** Between one and three facts with shared and own dimensions, one of them behind another, and metrics of each kind. */
export function randomStar(): fc.Arbitrary<PlainStar> {
  return randomTables().chain((star) => {
    const names = star.tables.filter(({ name }) => isFact(name)).map(({ name }) => name);
    const bases = [
      ...names.flatMap((name) => [baseMetric(star, `${name}_a`, name), baseMetric(star, `${name}_b`, name)]),
      mixedMetric(star, 'mixed', names),
      fc.constant(SHOPS),
    ];
    return fc
      .tuple(fc.tuple(...bases), fc.constantFrom(undefined, 4, 10), fc.constantFrom(undefined, 'sunday' as const))
      .chain(([metrics, fiscalYearStart, weekStart]) => {
        const below: PlainStar = { ...star, metrics, calendar: { fiscalYearStart, weekStart } };
        return fc
          .tuple(...['upper_a', 'upper_b', 'upper_c'].map((name) => upperMetric(below, name)))
          .chain((uppers) => {
            const next: PlainStar = { ...below, metrics: [...metrics, ...uppers] };
            return upperMetric(next, 'top').map((top): PlainStar => ({ ...next, metrics: [...next.metrics, top] }));
          });
      });
  });
}

/** Whether a metric can be added up over its groups. */
export function isAdditive(metric: PlainMetric): boolean {
  return (
    metric.kind === 'aggregate' &&
    metric.nonAdditive === undefined &&
    typeof metric.expression === 'object' &&
    !isOperation(metric.expression) &&
    ['sum', 'count'].includes(metric.expression.aggregate)
  );
}
