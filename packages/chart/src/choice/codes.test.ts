import { buildCatalog } from '@askema/core';
import { sqliteDialect } from '@askema/dialects';
import { describe, expect, test } from 'vitest';
import { resultOf, shapeReader } from '../test-support/results.ts';
import { chartOf } from './chart-of.ts';

const shapeOf = shapeReader();

/** Two numbers a row that no name tells from measures. */
const numbers = resultOf(
  'a:NUMERIC, b:NUMERIC',
  [7, 2, 9, 4, 5].map((at) => [100 + at, at * at]),
);

describe('numbers that rows are joined by are codes', () => {
  const labelsOf = async (sql: string): Promise<unknown> =>
    chartOf(numbers, { shape: await shapeOf(sql) }).offered[0]?.x;

  test.each([
    'SELECT s.line AS a, s.seats AS b FROM stop s JOIN route r ON s.line = r.line ORDER BY b',
    'SELECT r.line AS a, s.seats AS b FROM stop s, route r WHERE s.line = r.line AND s.seats > 3 ORDER BY b',
    'SELECT s.line AS a, sum(s.seats) AS b FROM stop s JOIN route r ON r.code = s.line GROUP BY s.line ORDER BY b',
    'WITH q AS (SELECT s.line, s.seats FROM stop s JOIN route r ON s.line = r.line) SELECT line AS a, seats AS b FROM q ORDER BY b',
  ])('%s', async (sql) =>
    expect(chartOf(numbers, { shape: await shapeOf(sql) })).toMatchObject({ rule: 'bars', spec: { x: [0], y: [1] } }),
  );

  test.each([
    ['not joined by this one', 'SELECT s.fare AS a, s.seats AS b FROM stop s JOIN route r ON s.line = r.line'],
    [
      'joined by another of that name',
      'SELECT x.line AS a, x.seats AS b FROM stop s JOIN route r ON s.line = r.line, x',
    ],
    [
      'the largest of each group',
      'SELECT s.fare AS a, s.seats AS b FROM stop s JOIN (SELECT line, max(fare) AS top FROM stop GROUP BY line) m ON s.fare = m.top',
    ],
    ['under OR', 'SELECT s.fare AS a, s.seats AS b FROM stop s, route r WHERE s.fare = r.fare OR s.seats = 1'],
    ['within one row', 'SELECT s.fare AS a, s.seats AS b FROM stop s WHERE s.fare = s.seats'],
  ])('but not %s', async (_, sql) => expect(await labelsOf(sql)).toBeUndefined());

  test('and queries inside each other, each joined many times, are read at once', async () => {
    const inner = [0, 1, 2, 3, 4].map((at) => {
      const joins = Array.from({ length: 30 }, (_, join) => `JOIN q${at} j${join} ON j${join}.n = a.n`);
      return `q${at + 1} AS (SELECT a.n FROM q${at} a ${joins.join(' ')})`;
    });
    const sql = `WITH ${['q0 AS (SELECT max(n) AS n FROM t)', ...inner].join(', ')} SELECT n AS a, n AS b FROM q5`;
    expect(await labelsOf(sql)).toBeUndefined();
  });
});

test('a number that the catalog keeps unique is a code', async () => {
  const catalog = buildCatalog({
    dialect: sqliteDialect,
    name: 'shop',
    relations: [
      {
        nameParts: { relation: 'book' },
        kind: 'table',
        attributes: ['cover', 'pages', 'weight'].map((name) => ({ name, type: 'NUMERIC', nativeType: 'INTEGER' })),
        uniqueKeys: [['cover'], ['pages', 'weight']],
      },
    ],
  });
  const ruleOf = async (column: string): Promise<string> =>
    chartOf(numbers, { catalog, shape: await shapeOf(`SELECT ${column} AS a, price AS b FROM book ORDER BY b`) }).rule;
  expect(await ruleOf('cover')).toBe('bars');
  // Two together name a row; one of them may measure it.
  expect(await ruleOf('weight')).not.toBe('bars');
});

test('numbers that end in check digits are codes', () => {
  const named = (codes: readonly (number | string)[]): ReturnType<typeof resultOf> =>
    resultOf(
      'title, n:NUMERIC',
      codes.map((code, at) => [`t${at}`, code]),
    );
  const codes = [9780306406157, '9783161484100', 4006381333931, 5901234123457];
  expect(chartOf(named(codes))).toMatchObject({ rule: 'no-measure', offered: [] });
  expect(chartOf(named([...codes, 9780306406158])).rule).toBe('bars');
});

describe('a number by which the statement groups', () => {
  const rows = ['North', 'South'].flatMap((school) => [9, 10, 11].map((grade) => [school, grade, grade * 3] as const));

  test('is a label where it tells rows apart', async () => {
    const shape = await shapeOf('SELECT school, grade, count(*) AS n FROM pupil GROUP BY school, grade');
    expect(chartOf(resultOf('school, grade:NUMERIC, n:NUMERIC', rows), { shape })).toMatchObject({
      rule: 'two-labels',
      spec: { x: [1], series: 0, y: [2], layout: 'stacked' },
    });
  });

  test('measures what has one of it', async () => {
    const shape = await shapeOf('SELECT city, people, avg(rain) AS rain FROM day GROUP BY city, people');
    const result = resultOf(
      'city, people:NUMERIC, rain:NUMERIC',
      rows.map(([, people, rain], at) => [`c${at}`, people, rain]),
    );
    expect(chartOf(result, { shape })).toMatchObject({ rule: 'bars', spec: { x: [0], y: [1, 2] } });
  });

  test('by itself gives bars their order', async () => {
    const shape = await shapeOf('SELECT age, count(*) AS n FROM pupil GROUP BY age');
    const result = resultOf(
      'age:NUMERIC, n:NUMERIC',
      [9, 10, 11].map((age) => [age, age]),
    );
    expect(chartOf(result, { shape })).toMatchObject({ rule: 'ordered-numbers', spec: { x: [0], sort: 'x' } });
  });
});

describe('whole numbers from 1900 to 2100 are years, whatever their name', () => {
  const dated = resultOf(
    'name, since:NUMERIC, products:NUMERIC',
    [2019, 2021, 2012].map((year, at) => [`s${at}`, year, at + 4]),
  );
  const choose = async (since: string, tail = 'GROUP BY name'): Promise<unknown> => {
    const shape = await shapeOf(`SELECT name, ${since} AS since, COUNT(*) AS products FROM supplier ${tail}`);
    return chartOf(dated, { shape }).spec?.y;
  };

  test.each([
    "CAST(strftime('%Y', begun) AS INTEGER)",
    "MAX(CAST(strftime('%Y', begun) AS INTEGER))",
    'MIN(begun)',
    'begun',
    'FIRST_VALUE(begun) OVER (ORDER BY begun)',
  ])('%s is no measure', async (since) => expect(await choose(since)).toEqual([2]));

  test.each(['SUM(stock)', 'COUNT(DISTINCT sku)', 'ROUND(AVG(stock))', 'SUM(stock) OVER (ORDER BY name)'])(
    '%s is one',
    async (since) => expect(await choose(since)).toEqual([1, 2]),
  );

  test('nor is the largest of counts a year', async () => {
    const inner = 'SELECT name, day, COUNT(*) AS n FROM sale GROUP BY name, day';
    const shape = await shapeOf(`SELECT name, MAX(n) AS since, COUNT(*) AS p FROM (${inner}) q GROUP BY name`);
    expect(chartOf(dated, { shape }).spec?.y).toEqual([1, 2]);
  });

  test('without the statement, where several say so', () => {
    expect(chartOf(dated).spec?.y).toEqual([2]);
    expect(chartOf({ ...dated, columns: resultOf('name, count(*), n', []).columns }).spec?.y).toEqual([1, 2]);
    expect(chartOf(resultOf('n:NUMERIC', [[2021]])).first).toBe('number');
  });

  test.each([[[2019, 2101]], [[1899, 1950]], [[2019.5, 2021]], [['2019.00', '2021.00']]])('%j are not', (values) => {
    const result = resultOf(
      'name, since:NUMERIC',
      values.map((value, at) => [`s${at}`, value]),
    );
    expect(chartOf(result).spec?.y).toEqual([1]);
  });
});
