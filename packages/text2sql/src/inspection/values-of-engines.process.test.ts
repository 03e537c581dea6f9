import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Adapter, type Catalog, createCallContext, resolveAdapter } from '@askema/core';
import { duckdb } from '@askema/duckdb';
import { applyFixes, inspectValues, resolveQuery, restrict } from '@askema/lint';
import { sqlparserTs } from '@askema/sql-parser';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const TRIPS = `
  CREATE TABLE trips (trip_id INTEGER PRIMARY KEY, seats INTEGER, price DECIMAL(8, 2), starts_on DATE,
    booked_at TIMESTAMP, paid_on VARCHAR, is_full BOOLEAN, is_new BOOLEAN, code VARCHAR, tags INTEGER[]);
  INSERT INTO trips VALUES
    (1, 5, 9.5, '2024-03-01', '2024-03-01 10:30:00', '03/01/2024', TRUE, FALSE, '5', [1]),
    (2, 8, 20, '2024-12-25', '2024-12-25 08:00:00', '12/25/2024', FALSE, FALSE, '17', [2]);
`;

const folder = mkdtempSync(join(tmpdir(), 'askema-values-'));
const parser = sqlparserTs();
const file = join(folder, 'trips.duckdb');
let adapter: Adapter;
let catalog: Catalog;

beforeAll(async () => {
  const instance = await DuckDBInstance.create(file);
  const connection = await instance.connect();
  await connection.run(TRIPS);
  connection.closeSync();
  instance.closeSync();
  adapter = resolveAdapter(duckdb({ file }));
  catalog = await adapter.introspect();
});
afterAll(async () => {
  await adapter.close();
  await parser.close();
  rmSync(folder, { recursive: true });
});

const statement = (condition: string): string => `SELECT 1 FROM trips t WHERE ${condition}`;

async function inspect(condition: string, { reader = adapter, known = catalog } = {}) {
  const sql = statement(condition);
  const parsed = await parser.parse(sql, reader.dialect);
  if (!parsed.ok) throw new Error(parsed.reason);
  const query = resolveQuery({ sql, shape: parsed.shape, catalog: known, dialect: reader.dialect });
  return inspectValues(query, { adapter: reader, context: createCallContext() });
}

describe('values with types of their own (DuckDB)', () => {
  test.each([
    "t.seats = 5 AND t.seats = '5' AND t.price = 9.50 AND t.price IN (9.5, 20)",
    "t.starts_on = '2024-03-01' AND t.starts_on = DATE '2024-12-25' AND t.starts_on > '2024-03-01'",
    "t.booked_at = '2024-03-01 10:30:00' AND t.booked_at >= TIMESTAMP '2024-12-25' AND t.booked_at < '2025-01-01'",
    'EXTRACT(YEAR FROM t.starts_on) = 2024 AND year(t.booked_at) > 2023',
    "CAST(t.booked_at AS DATE) = '2024-03-01'",
    "t.is_full = 'Y' AND t.is_full = FALSE AND t.code = 5.0",
    // Another rule says that the engine does not read it.
    "t.starts_on = 'March 1, 2024'",
    't.tags = [3]',
  ])('says nothing of %s', async (condition) => expect(await inspect(condition)).toEqual([]));

  test.each([
    ['t.seats = 7', 'warning trips.seats has no cell 7; it goes from 5 to 8, the nearest there: 5 and 8.'],
    [
      "t.starts_on = '2024-04-01'",
      "warning trips.starts_on has no cell '2024-04-01'; it goes from '2024-03-01' to '2024-12-25', the nearest there: '2024-03-01' and '2024-12-25'.",
    ],
    [
      "t.booked_at = '2024-03-01'",
      "error trips.booked_at has no cell '2024-03-01': cells of that day have a time, such as '2024-03-01 10:30:00'.",
    ],
    [
      "t.starts_on BETWEEN '2019-01-01' AND '2019-12-31'",
      "warning No row of trips.starts_on meets t.starts_on BETWEEN '2019-01-01' AND '2019-12-31': it goes from '2024-03-01' to '2024-12-25'.",
    ],
    [
      'year(t.starts_on) = 2019',
      "warning No row of trips.starts_on meets year(t.starts_on) = 2019: it goes from '2024-03-01' to '2024-12-25'.",
    ],
    ['t.price > 100', 'warning No row of trips.price meets t.price > 100: it goes from 9.50 to 20.00.'],
    ["t.is_new = 'yes'", "note trips.is_new is never 'yes': its cells are FALSE."],
    ["t.paid_on = '2024-12-25'", "error trips.paid_on has no cell '2024-12-25': that day is stored as '12/25/2024'."],
  ])('%s', async (condition, expected) => {
    const findings = await inspect(condition);
    expect(findings.map(({ severity, message }) => `${severity} ${message}`)).toEqual([expected]);
  });

  test('a day of timestamps becomes the whole day', async () => {
    const sql = statement("t.booked_at = '2024-03-01'");
    const { sql: mended } = applyFixes(sql, await inspect("t.booked_at = '2024-03-01'"));
    expect((await adapter.query(mended)).rows).toHaveLength(1);
  });

  test('nothing is said of a masked column', async () => {
    const masked = restrict(adapter, { mask: ['trips.seats'], parser });
    const known = await masked.introspect();
    expect(await inspect('t.seats = 7', { reader: masked, known })).toEqual([]);
    expect(await inspect('t.seats = 7 AND t.price > 100', { reader: masked, known })).toHaveLength(1);
  });
});
