import { DatabaseSync } from 'node:sqlite';
import { type Adapter, createCallContext, type InspectionFinding, type Row, resolveAdapter } from '@askema/core';
import { sqliteDialect } from '@askema/dialects';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { applyFixes } from '../inspect/findings.ts';
import { inspectValues } from '../values/inspect-values.ts';
import { statementResolver } from './resolve-statement.ts';
import { catalogOf } from './shop-catalog.ts';

// A worker starts; a loaded machine takes its time.
vi.setConfig({ testTimeout: 60_000 });

const trips = {
  trips: {
    attributes: [
      'trip_id INTEGER not null',
      'seats INTEGER',
      'price REAL',
      'starts_on DATE',
      'booked_at DATETIME',
      'paid_on TEXT',
      'printed_on TEXT',
      'code TEXT',
      'is_full BOOLEAN',
      'is_open BOOLEAN',
      'note REAL',
    ],
    key: ['trip_id'],
  },
  cars: { attributes: ['trip_id INTEGER', 'wheels INTEGER'], key: [], references: ['trip_id > trips: trip_id'] },
};
const catalog = catalogOf(trips);
const { resolve } = statementResolver(sqliteDialect);
const database = new DatabaseSync(':memory:', { enableForeignKeyConstraints: false });
database.exec(`
  CREATE TABLE trips (trip_id INTEGER, seats INTEGER, price REAL, starts_on DATE, booked_at DATETIME, paid_on TEXT,
    printed_on TEXT, code TEXT, is_full BOOLEAN, is_open BOOLEAN, note REAL);
  CREATE TABLE cars (trip_id INTEGER, wheels INTEGER);
  INSERT INTO cars VALUES (1, 4);
  INSERT INTO trips VALUES
    (1, 5, 9.5, '2024-03-01', '2024-03-01 10:30:00', '03/01/2024', 'March 1, 2024', '5', 'Y', 1, NULL),
    (2, 8, 20, '2024-12-25', '2024-12-25 08:00:00', '12/25/2024', 'December 25, 2024', '17', 'N', 0, NULL),
    (3, 30, 99, '2023-06-09', '2023-06-09 00:00:00', '06/09/2023', 'June 9, 2023', '29', 'N', 0, NULL);
`);
afterAll(() => database.close());

function adapterOf() {
  const statements: string[] = [];
  const adapter: Adapter = resolveAdapter({
    contract: 1,
    dialect: sqliteDialect,
    name: 'trips',
    access: 'read',
    executor: {
      async *execute(sql, { access, parameters = [] }) {
        statements.push(sql);
        expect(access).toBe('read');
        const rows = database.prepare(sql).all(...(parameters as string[]));
        const names = Object.keys(rows[0] ?? {});
        yield { type: 'columns', columns: names.map((name) => ({ name, nativeType: '', type: 'TEXT' })) };
        yield { type: 'rows', rows: rows.map((row) => Object.values(row) as Row) };
        yield { type: 'end' };
      },
    },
    introspector: { introspect: async () => catalog },
    close: async () => undefined,
  });
  return { adapter, statements };
}

const statement = (condition: string): string => `SELECT 1 FROM trips t WHERE ${condition}`;

async function inspect(
  condition: string,
  { adapter } = adapterOf(),
  sql = statement(condition),
): Promise<readonly InspectionFinding[]> {
  const query = await resolve(sql, { catalog });
  return inspectValues(query, { adapter, context: createCallContext() });
}

const brief = (findings: readonly InspectionFinding[]): string[] =>
  findings.map(({ severity, code, message }) => `${severity} ${code}: ${message}`);

describe('says nothing of', () => {
  test.each([
    [
      'a number that is there, however it is written',
      "t.seats = 5 AND t.seats = '5' AND t.seats = 5.0 AND 5 = t.seats",
    ],
    ['a list', 't.seats IN (5, 8)'],
    ['ranges with rows', "t.seats > 29 AND t.price BETWEEN 9 AND 10 AND t.starts_on < '2023-07-01'"],
    ['a range of two conditions with rows', "t.booked_at >= '2024-12-01' AND t.booked_at < '2025-01-01'"],
    [
      'a day that is there',
      "t.starts_on = '2024-03-01' AND t.paid_on = '03/01/2024' AND t.printed_on = 'June 9, 2023'",
    ],
    [
      'a year that is there',
      "strftime('%Y', t.starts_on) = '2024' AND CAST(strftime('%Y', t.starts_on) AS INTEGER) > 2023",
    ],
    ['a number among texts', 't.code = 17'],
    ['truth values as they are stored', "t.is_full = 'Y' AND t.is_open = TRUE AND t.is_open = 0"],
    ['what is kept out', 't.seats <> 7 AND t.seats NOT IN (7) AND NOT t.seats = 7 AND t.seats NOT BETWEEN 40 AND 50'],
    ['a column without cells', 't.note = 1 AND t.note > 3'],
    ['expressions and columns', 't.seats + 1 = 7 AND t.seats < t.price AND abs(t.seats) = 7'],
  ])('%s', async (_name, condition) => expect(brief(await inspect(condition))).toEqual([]));
});

describe('numbers', () => {
  test('that no row has: the nearest, and the range', async () => {
    const [finding, ...others] = await inspect('t.seats = 7');
    expect(others).toEqual([]);
    expect(finding).toMatchObject({
      code: 'value-not-found',
      severity: 'warning',
      message: 'trips.seats has no cell 7; it goes from 5 to 30, the nearest there: 5 and 8.',
      column: 'trips.seats',
      value: '7',
      span: { start: statement('t.seats = ').length, end: statement('t.seats = 7').length },
    });
    expect(finding?.cells?.map(({ value }) => value)).toEqual(['5', '8']);
  });

  test.each([
    ["t.seats = '7'", 'warning value-not-found: trips.seats has no cell 7;'],
    ['7.5 = t.seats', 'warning value-not-found: trips.seats has no cell 7.5;'],
    [
      't.seats = 100',
      'warning value-not-found: trips.seats has no cell 100; it goes from 5 to 30, the nearest there: 30.',
    ],
    ['t.trip_id = 99999', 'note value-not-found: trips.trip_id has no cell 99999;'],
    ['t.seats IN (5, 7)', 'note value-not-found: trips.seats has no cell 7;'],
    ['(t.seats = 5 OR t.price = 7)', 'note value-not-found: trips.price has no cell 7;'],
    ['t.code = 16', "error value-not-found: trips.code has no cell '16';"],
  ])('%s', async (condition, expected) => {
    const found = brief(await inspect(condition));
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(expected);
  });

  test('through a CTE', async () => {
    const sql = 'WITH s AS (SELECT seats AS n FROM trips) SELECT 1 FROM s WHERE s.n = 7';
    expect(await inspect('', adapterOf(), sql)).toMatchObject([{ column: 'trips.seats', value: '7' }]);
  });
});

describe('dates', () => {
  test.each([
    ["t.starts_on = '2024-3-1'", "t.starts_on = '2024-03-01'"],
    ["t.starts_on = 'March 1, 2024'", "t.starts_on = '2024-03-01'"],
    ["t.starts_on = '2024-03-01 00:00:00'", "t.starts_on = '2024-03-01'"],
    ["t.starts_on IN ('2023-6-9', '25/12/2024')", "t.starts_on IN ('2023-06-09', '2024-12-25')"],
    ["t.paid_on = '2024-12-25'", "t.paid_on = '12/25/2024'"],
    ["t.printed_on = '2023-06-09'", "t.printed_on = 'June 9, 2023'"],
    ["t.booked_at = '2024-03-01'", "(t.booked_at >= '2024-03-01' AND t.booked_at < '2024-03-02')"],
    ["'2024-03-01' = t.booked_at", "(t.booked_at >= '2024-03-01' AND t.booked_at < '2024-03-02')"],
  ])('%s is mended', async (condition, mended) => {
    const findings = await inspect(condition);
    expect(new Set(findings.map(({ severity }) => severity))).toEqual(new Set(['error']));
    const { sql } = applyFixes(statement(condition), findings);
    expect(sql).toBe(statement(mended));
    expect(await inspect('', adapterOf(), sql)).toEqual([]);
  });

  test('of two readings: both are named, and nobody chooses', async () => {
    database.exec("UPDATE trips SET starts_on = '2024-01-03' WHERE trip_id = 2");
    const [finding] = await inspect("t.starts_on = '01/03/2024'");
    database.exec("UPDATE trips SET starts_on = '2024-12-25' WHERE trip_id = 2");
    expect(finding?.message).toContain("that day is stored as '2024-01-03' or '2024-03-01'");
    expect(finding?.fix).toBeUndefined();
  });

  test.each([
    [
      "t.starts_on = '5 May 2021'",
      "error value-not-found: trips.starts_on has no cell '5 May 2021': its dates are written like '2024-12-25'.",
    ],
    [
      "t.starts_on = 'March 2024'",
      "error value-not-found: trips.starts_on has no cell 'March 2024': its dates are written like '2024-12-25'.",
    ],
    [
      "t.starts_on = '2024'",
      "error value-not-found: trips.starts_on has no cell '2024': its dates are written like '2024-12-25'.",
    ],
    [
      "t.starts_on = '2024-04-01'",
      "warning value-not-found: trips.starts_on has no cell '2024-04-01'; it goes from '2023-06-09' to '2024-12-25', the nearest there: '2024-03-01' and '2024-12-25'.",
    ],
  ])('%s', async (condition, expected) => expect(brief(await inspect(condition))).toEqual([expected]));
});

describe('truth values', () => {
  test.each([
    ["t.is_full = 'true'", "t.is_full = 'Y'"],
    ['t.is_full = 1', "t.is_full = 'Y'"],
    ['t.is_full = TRUE', "t.is_full = 'Y'"],
    ["t.is_full = 'no'", "t.is_full = 'N'"],
    ["t.is_open = 'true'", "t.is_open = '1'"],
    ["t.is_open = 'N'", "t.is_open = '0'"],
  ])('%s is mended', async (condition, mended) => {
    const findings = await inspect(condition);
    expect(applyFixes(statement(condition), findings).sql).toBe(statement(mended));
  });
});

describe('ranges', () => {
  test.each([
    ['t.seats > 1000', 'No row of trips.seats meets t.seats > 1000: it goes from 5 to 30.'],
    ['1000 < t.seats', 'No row of trips.seats meets 1000 < t.seats: it goes from 5 to 30.'],
    ['t.seats BETWEEN 10 AND 20', 'No row of trips.seats meets t.seats BETWEEN 10 AND 20: it goes from 5 to 30.'],
    [
      "t.starts_on < '2020-01-01'",
      "No row of trips.starts_on meets t.starts_on < '2020-01-01': it goes from '2023-06-09' to '2024-12-25'.",
    ],
    [
      "strftime('%Y', t.starts_on) = '2019'",
      "No row of trips.starts_on meets strftime('%Y', t.starts_on) = '2019': it goes from '2023-06-09' to '2024-12-25'.",
    ],
    [
      't.seats > 10 AND t.price > 5 AND t.seats < 20',
      'No row of trips.seats meets t.seats > 10 AND t.seats < 20: it goes from 5 to 30.',
    ],
  ])('%s', async (condition, message) =>
    expect(brief(await inspect(condition))).toEqual([`warning range-without-match: ${message}`]),
  );

  test('of two occurrences of a relation are not put together', async () => {
    const sql = 'SELECT 1 FROM trips a JOIN trips b ON a.price < b.price WHERE a.seats < 6 AND b.seats > 8';
    expect(await inspect('', adapterOf(), sql)).toEqual([]);
  });

  test('are a note where another one suffices', async () => {
    expect(brief(await inspect('t.seats > 1000 OR t.seats < 6'))[0]).toMatch(/^note range-without-match/);
  });
});

test.each([
  'SELECT 1 FROM cars c WHERE NOT EXISTS (SELECT 1 FROM trips t WHERE t.trip_id = c.trip_id AND t.seats > 1000)',
  'SELECT 1 FROM cars c WHERE c.trip_id NOT IN (SELECT t.trip_id FROM trips t WHERE t.seats = 7)',
  'SELECT 1 FROM cars c LEFT JOIN trips t ON t.trip_id = c.trip_id AND t.seats = 7',
])('a note where rows come without it: %s', async (sql) => {
  expect((await inspect('', adapterOf(), sql)).map(({ severity }) => severity)).toEqual(['note']);
});

test('texts among numbers are quoted', async () => {
  database.exec("INSERT INTO cars VALUES (2, 'ignore that: four')");
  const [finding] = await inspect('', adapterOf(), 'SELECT 1 FROM cars c WHERE c.wheels = 7');
  database.exec('DELETE FROM cars WHERE trip_id = 2');
  expect(finding?.message).toContain("it goes from 4 to 'ignore that: four'");
});

test('two statements for a relation, and one where everything is there', async () => {
  const { adapter, statements } = adapterOf();
  const sql = 'SELECT 1 FROM trips t JOIN cars c USING (trip_id) WHERE t.seats = 7 AND t.price > 100 AND c.wheels = 4';
  expect(await inspect('', { adapter, statements }, sql)).toHaveLength(2);
  expect(statements).toHaveLength(3);
});

test('a masked column is left alone', async () => {
  const [seats] = catalog.schema.attributes.filter(({ name }) => name === 'seats');
  const attributes = {
    ...catalog.attributes,
    [seats?.id ?? '']: { position: 2, nativeType: 'INTEGER', masked: true },
  } as const;
  const { adapter, statements } = adapterOf();
  const query = await resolve(statement('t.seats = 7'), { catalog: { ...catalog, attributes } });
  expect(await inspectValues(query, { adapter, context: createCallContext() })).toEqual([]);
  expect(statements).toEqual([]);
});

test('only what is surely a number or a date stands in a statement', async () => {
  const { adapter, statements } = adapterOf();
  await inspect("t.paid_on = '2024-01-01 0:00''; DROP TABLE trips; --'", { adapter, statements });
  expect(statements.join()).not.toContain('DROP');
});
