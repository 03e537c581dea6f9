import fc from 'fast-check';
import { TIME_GRAINS, type TimeGrain } from '../model/semantic-model.ts';
import { aggregatesOf } from './brute-force.ts';
import { moved } from './plain-calendar.ts';
import type {
  Cell,
  PlainAggregate,
  PlainColumn,
  PlainCondition,
  PlainInput,
  PlainLink,
  PlainMetric,
  PlainRequest,
  PlainStar,
  PlainTable,
  Row,
} from './plain-star.ts';
import { leavesOf, metricOf, pathTo } from './plain-star.ts';

/** Names that a star draws its words from: some are keywords, some stand in several tables. */
const WORDS = ['north', "O'Brien", 'say "x"', 'North', 'a%b_c', '', 'Zürich', '\\ back', 'null'] as const;

const number = (name: string): PlainColumn => ({ name, type: 'integer' });
const text = (name: string, field?: string): PlainColumn => ({ name, type: 'text', ...(field ? { field } : {}) });

/** A dimension, and for some another behind it. */
const LOOKUPS: readonly { readonly name: string; readonly columns: readonly PlainColumn[]; readonly to?: string }[] = [
  { name: 'area', columns: [number('area_id'), text('name'), text('order', 'grouping')] },
  {
    name: 'shop',
    columns: [number('shop_id'), text('name'), number('area_id'), { name: 'opened', type: 'date' }],
    to: 'area',
  },
  { name: 'item', columns: [number('item_id'), text('name'), text('kind'), { name: 'is_new', type: 'boolean' }] },
  { name: 'client', columns: [number('client_id'), text('name'), number('area_no')] },
];
const FACTS = ['sale', 'visit', 'claim'] as const;
/** Which dimensions each fact has: `shop` is shared by all, the others by some. */
const FACT_LINKS: Readonly<Record<(typeof FACTS)[number], readonly string[]>> = {
  sale: ['shop', 'item', 'client'],
  visit: ['shop', 'item'],
  claim: ['shop', 'client'],
};

const cellOf = (type: PlainColumn['type']): fc.Arbitrary<Cell> => {
  switch (type) {
    case 'integer':
      return fc.integer({ min: -20, max: 40 });
    case 'decimal':
      return fc.integer({ min: -2_000, max: 9_000 }).map((value) => value / 100);
    case 'text':
      return fc.constantFrom(...WORDS);
    case 'boolean':
      return fc.boolean();
    default: {
      const day = fc
        .oneof(
          { weight: 8, arbitrary: fc.integer({ min: 0, max: 480 }) },
          // Ends of months and of years, and days around the leap day.
          { weight: 3, arbitrary: fc.constantFrom(30, 59, 60, 61, 364, 365, 366, 395, 0) },
        )
        .map((days) => moved('2023-12-31', days, 'day'));
      return type === 'date'
        ? day
        : fc.tuple(day, fc.constantFrom('00:00:00', '08:15:30', '23:59:59')).map(([one, time]) => `${one} ${time}`);
    }
  }
};

/** NULL, a row that is there, or one that is not. */
const keyOf = (target: readonly Row[], key: string): fc.Arbitrary<Cell> =>
  fc.oneof(
    { weight: 1, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.constant(99) },
    ...(target.length === 0
      ? []
      : [{ weight: 8, arbitrary: fc.constantFrom(...target.map((row) => row[key] ?? null)) }]),
  );

const orNull = (cell: fc.Arbitrary<Cell>): fc.Arbitrary<Cell> =>
  fc.oneof({ weight: 1, arbitrary: fc.constant(null) }, { weight: 7, arbitrary: cell });

function tableRows(
  columns: readonly PlainColumn[],
  key: string,
  keys: Readonly<Record<string, fc.Arbitrary<Cell>>>,
  maxLength: number,
): fc.Arbitrary<readonly Row[]> {
  const cells = Object.fromEntries(
    columns.filter(({ name }) => name !== key).map(({ name, type }) => [name, keys[name] ?? orNull(cellOf(type))]),
  );
  return fc
    .oneof(
      { weight: 1, arbitrary: fc.constant([]) },
      { weight: 8, arbitrary: fc.array(fc.record(cells), { minLength: Math.ceil(maxLength / 2), maxLength }) },
    )
    .map((rows) => rows.map((row, at): Row => ({ [key]: at + 1, ...row })));
}

interface Tables {
  readonly tables: readonly PlainTable[];
  readonly links: readonly PlainLink[];
}

function lookups(): fc.Arbitrary<Tables> {
  return LOOKUPS.reduce<fc.Arbitrary<Tables>>(
    (before, { name, columns, to }) =>
      before.chain(({ tables, links }) => {
        const key = `${name}_id`;
        const target = tables.find((table) => table.name === to);
        const keys: Record<string, fc.Arbitrary<Cell>> = target === undefined
          ? {}
          : { [`${to}_id`]: keyOf(target.rows, `${to}_id`) };
        return tableRows(columns, key, keys, 5).map((rows) => ({
          tables: [...tables, { name, key, columns, rows, ...(name === 'shop' ? { time: 'opened' } : {}) }],
          links: to === undefined ? links : [...links, { from: name, column: `${to}_id`, to, toColumn: `${to}_id` }],
        }));
      }),
    fc.constant({ tables: [], links: [] }),
  );
}

function facts({ tables, links }: Tables): fc.Arbitrary<Tables> {
  return fc.uniqueArray(fc.constantFrom(...FACTS), { minLength: 1, maxLength: 3 }).chain((names) =>
    fc.tuple(...names.map((name) => fact(name, tables))).map((made) => ({
      tables: [...tables, ...made],
      links: [
        ...links,
        ...names.flatMap((name) =>
          FACT_LINKS[name].map((to) => ({ from: name, column: `${to}_id`, to, toColumn: `${to}_id` })),
        ),
      ],
    })),
  );
}

function fact(name: (typeof FACTS)[number], tables: readonly PlainTable[]): fc.Arbitrary<PlainTable> {
  const key = `${name}_id`;
  const columns: readonly PlainColumn[] = [
    number(key),
    ...FACT_LINKS[name].map((to) => number(`${to}_id`)),
    { name: 'made_at', field: 'made', type: name === 'visit' ? 'timestamp' : 'date' },
    { name: 'amount', type: 'decimal' },
    number('pieces'),
    text('kind'),
  ];
  const keys = Object.fromEntries(
    FACT_LINKS[name].map((to) => [
      `${to}_id`,
      keyOf(tables.find((table) => table.name === to)?.rows ?? [], `${to}_id`),
    ]),
  );
  return fc.tuple(tableRows(columns, key, keys, 25), fc.boolean()).map(([rows, isFiltered]) => ({
    name,
    source: `${name}s`,
    key,
    time: 'made',
    columns,
    rows,
    ...(isFiltered ? { filter: { field: `${name}.kind`, test: '<>' as const, values: ['north'] } } : {}),
  }));
}

const FACT_FIELDS = ['amount', 'pieces'] as const;

/** Conditions on what every fact of the list reaches. */
function conditionFor(star: Tables, from: readonly string[]): fc.Arbitrary<PlainCondition> {
  const fields = reachableFields(star, from);
  return fc.constantFrom(...fields).chain(({ field, type }) => {
    const values = (length: number): fc.Arbitrary<Exclude<Cell, null>[]> =>
      fc.array(cellOf(type) as fc.Arbitrary<Exclude<Cell, null>>, { minLength: length, maxLength: length });
    const isOrdered = type !== 'text' && type !== 'boolean';
    const test = (...tests: readonly PlainCondition['test'][]): fc.Arbitrary<PlainCondition['test']> =>
      fc.constantFrom(...tests);
    // Mostly such that many rows meet them.
    return fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({
          field: fc.constant(field),
          test: isOrdered ? test('<>', '<', '<=', '>', '>=') : test('=', '<>', '<>'),
          values: values(1),
        }),
      },
      {
        weight: isOrdered ? 0 : 2,
        arbitrary: fc.record({ field: fc.constant(field), test: test('in'), values: values(4) }),
      },
      {
        weight: 2,
        arbitrary: fc.record({
          field: fc.constant(field),
          test: test('null', 'not null', 'not null'),
          values: fc.constant([]),
        }),
      },
    );
  });
}

function reachableFields(
  star: Tables,
  from: readonly string[],
): readonly { readonly field: string; readonly type: PlainColumn['type'] }[] {
  return star.tables
    .filter(({ name }) => from.every((one) => pathTo({ ...star, metrics: [] }, one, name) !== undefined))
    .flatMap(({ name, columns }) =>
      columns
        .filter((column) => !column.name.endsWith('_id'))
        .map((column) => ({ field: `${name}.${column.field ?? column.name}`, type: column.type })),
    );
}

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
  return lookups()
    .chain(facts)
    .chain((star) => {
      const names = star.tables.filter(({ name }) => name in FACT_LINKS).map(({ name }) => name);
      const bases = names.flatMap((name) => [baseMetric(star, `${name}_a`, name), baseMetric(star, `${name}_b`, name)]);
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

/** What is asked of a star: also what cannot be answered. */
export function randomRequest(star: PlainStar): fc.Arbitrary<PlainRequest> {
  return fc
    .uniqueArray(fc.constantFrom(...star.metrics.map(({ name }) => name)), { minLength: 1, maxLength: 3 })
    .chain((metrics) => {
      const from = metrics.flatMap((name) => aggregatesOf(star, metricOf(star, name)).map(({ dataset }) => dataset));
      const good = reachableFields(star, from);
      const all = reachableFields(star, []);
      const field = fc.oneof(
        { weight: 12, arbitrary: fc.constantFrom(...(good.length > 0 ? good : all)) },
        { weight: 1, arbitrary: fc.constantFrom(...all) },
      );
      const time = fc.constantFrom<TimeGrain>(...TIME_GRAINS).map((grain) => ({ field: 'metric_time', grain }));
      const group = fc.oneof(
        { weight: 2, arbitrary: time },
        {
          weight: 3,
          arbitrary: fc
            .tuple(field, fc.constantFrom<TimeGrain>(...TIME_GRAINS))
            .map(([one, grain]) =>
              one.type === 'date' || one.type === 'timestamp' ? { field: one.field, grain } : { field: one.field },
            ),
        },
      );
      const since = fc
        .constantFrom('2024-01-01', '2025-01-01', '2024-02-29')
        .map((day): PlainCondition => ({ field: 'metric_time', test: '>=', values: [day] }));
      return fc.record(
        {
          metrics: fc.constant(metrics),
          by: fc.uniqueArray(group, { maxLength: 3, selector: (one) => one.field }),
          where: fc.array(
            fc.oneof({ weight: 1, arbitrary: since }, { weight: 2, arbitrary: conditionFor(star, from) }),
            {
              maxLength: 2,
            },
          ),
          fiscal: fc.boolean(),
          fillGaps: fc.constantFrom(false, false, true),
        },
        { requiredKeys: ['metrics', 'by', 'where'] },
      );
    });
}

/** Whether a metric can be added up over its groups. */
export function isAdditive(metric: PlainMetric): boolean {
  return (
    metric.kind === 'aggregate' &&
    metric.nonAdditive === undefined &&
    leavesOf(metric.expression).every(({ aggregate }) => aggregate === 'sum' || aggregate === 'count')
  );
}
