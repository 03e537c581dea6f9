import { buildCatalog } from '@askema/core';
import { sqliteDialect } from '@askema/dialects';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkChartSpec } from '../spec/check-chart-spec.ts';
import { drawSvg } from '../svg/draw-svg.ts';
import { drawText } from '../terminal/draw-text.ts';
import { resultOf, rowsOf, shapeReader } from '../test-support/results.ts';
import { xmlOf } from '../test-support/xml.ts';
import { chartOf } from './chart-of.ts';

const shapeOf = shapeReader();

describe('what measures nothing is no measure', () => {
  const pairs = [
    [1, 31],
    [2, 45],
  ] as const;
  const namedBy = (name: string): ReturnType<typeof resultOf> =>
    resultOf(
      `name, ${name}`,
      pairs.map(([a, b]) => [`n${a}`, b]),
    );

  test.each([
    'id',
    'customer_id',
    'StuID',
    'flightNo',
    'invoice_number',
    'zip_code',
    'country_code',
    'max(order_id)',
    'latitude',
    'popularity_rank',
    'seasonRanking',
  ])('%s', (name) => expect(chartOf(namedBy(name)).rule).toBe('no-measure'));

  test.each(['count(customer_id)', 'Frank'])('but %s is', (name) => expect(chartOf(namedBy(name)).first).toBe('chart'));

  test('a key by the catalog, whatever its name', async () => {
    const catalog = buildCatalog({
      dialect: sqliteDialect,
      name: 'shop',
      relations: [
        {
          nameParts: { relation: 'orders' },
          kind: 'table',
          attributes: [
            { name: 'serial', type: 'NUMERIC', nativeType: 'INTEGER' },
            { name: 'buyer', type: 'TEXT', nativeType: 'TEXT' },
          ],
          primaryKey: ['serial'],
        },
      ],
    });
    const shape = await shapeOf('SELECT buyer, max(serial) AS latest FROM orders GROUP BY buyer');
    const result = namedBy('latest');
    expect(chartOf(result, { shape }).first).toBe('chart');
    expect(chartOf(result, { shape, catalog })).toMatchObject({ rule: 'no-measure', offered: [] });
  });

  test('a rank is a place, and labels the row', async () => {
    const shape = await shapeOf('SELECT name, rank() OVER (ORDER BY n) AS place, sum(n) AS total FROM t GROUP BY name');
    const choice = chartOf(
      resultOf('name, place, total', [
        ['a', 1, 50],
        ['b', 2, 40],
      ]),
      { shape },
    );
    expect(choice.spec).toMatchObject({ x: [0, 1], y: [2] });
  });
});

describe('only what adds up is stacked', () => {
  const rows = rowsOf(12, (at) => [`c${Math.floor(at / 3)}`, `s${at % 3}`, at + 1]);
  const layouts = async (sql: string, some = rows): Promise<unknown> =>
    chartOf(resultOf('country, status, value', some), { shape: await shapeOf(sql) }).offered.map(
      ({ layout }) => layout,
    );

  test.each([
    ['count(*)', true],
    ['sum(total)', true],
    ['avg(total)', false],
    ['max(total)', false],
    ['count(DISTINCT customer)', false],
    ['sum(total) / count(*)', false],
    ['sum(total) OVER (ORDER BY total)', false],
  ])('%s: %s', async (expression, isStacked) => {
    const sql = `SELECT country, status, ${expression} AS value FROM o GROUP BY country, status`;
    expect(await layouts(sql)).toEqual(isStacked ? ['stacked', 'grouped'] : ['grouped']);
  });

  test('a sum of averages does not', async () => {
    const sql =
      'WITH a AS (SELECT country, status, avg(total) AS mean FROM o GROUP BY 1, 2) SELECT country, status, sum(mean) AS value FROM a GROUP BY 1, 2';
    expect(await layouts(sql)).toEqual(['grouped']);
  });

  test('nor do negative numbers', async () => {
    const sql = 'SELECT country, status, sum(total) AS value FROM o GROUP BY country, status';
    expect(
      await layouts(
        sql,
        rows.map(([a, b], at) => [a ?? '', b ?? '', at - 3]),
      ),
    ).toEqual(['grouped']);
  });
});

test('parts of a whole are one bar only where all parts are there', async () => {
  const result = resultOf('status, n', [
    ['new', 4],
    ['sent', 9],
  ]);
  const question = 'What share of orders has each status?';
  const offers = async (sql: string): Promise<number> =>
    chartOf(result, { question, shape: await shapeOf(sql) }).offered.length;
  expect(await offers('SELECT status, count(*) AS n FROM o GROUP BY status')).toBe(2);
  expect(await offers('SELECT status, count(*) AS n FROM o GROUP BY status ORDER BY n LIMIT 2')).toBe(1);
  expect(await offers('SELECT status, avg(total) AS n FROM o GROUP BY status')).toBe(1);
});

const cell = fc.oneof(
  fc.constantFrom(
    null,
    true,
    false,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    0,
    -1,
    2 ** 60,
    9007199254740993n,
    '12.50',
    '2024-01',
    'Ann',
    '',
  ),
  fc.constantFrom(new Uint8Array([1, 2]), { a: [1] }, '2024-02-30', '\u202eabc', '<b>', 'Monday', 1999),
  fc.string({ unit: 'binary' }),
  fc.double(),
);
const results = fc.tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 0, max: 30 })).chain(([width, height]) =>
  fc.record({
    names: fc.array(fc.constantFrom('id', 'month', 'year', 'n', 'sum(x)', 'avg(x)', 'name', '\u0007', '"'), {
      minLength: width,
      maxLength: width,
    }),
    // Columns of one kind are what databases have.
    cells: fc.array(
      fc.oneof(
        fc.array(cell, { minLength: 30, maxLength: 30 }),
        fc.array(fc.integer(), { minLength: 30, maxLength: 30 }),
        fc.array(fc.constantFrom('a', 'b', 'c', null), { minLength: 30, maxLength: 30 }),
      ),
      { minLength: width, maxLength: width },
    ),
    height: fc.constant(height),
  }),
);

test('of any result: no column is dropped in silence, each offer holds, each picture is XML', () => {
  fc.assert(
    fc.property(results, ({ names, cells, height }) => {
      const columns = names.map((name) => ({ name, nativeType: '', type: 'NUMERIC' as const }));
      const result = { columns, rows: rowsOf(height, (at) => cells.map((column) => column[at] ?? null)) };
      const choice = chartOf(result);
      const used = choice.spec && [
        ...choice.spec.x,
        ...choice.spec.y,
        ...(choice.spec.series === undefined ? [] : [choice.spec.series]),
      ];
      if (choice.first !== 'table') expect(used?.length).toBe(columns.length);
      for (const spec of choice.offered) {
        expect(checkChartSpec(spec, result, { offered: choice.offered })).toEqual(spec);
        xmlOf(drawSvg(spec, result));
        expect(drawText(spec, result).replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
      }
    }),
    { numRuns: 150 },
  );
});
