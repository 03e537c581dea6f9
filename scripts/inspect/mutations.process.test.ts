import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Adapter, type Catalog, createCallContext, indexSchema, resolveAdapter } from '@askema/core';
import { sqliteDialect } from '@askema/dialects';
import { type ClosableSqlParser, sqlparserTs } from '@askema/sql-parser';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sqlite } from '../../adapters/sqlite/src/index.ts';
import { makeDatabase } from '../../adapters/sqlite/src/test-support/make-database.ts';
import { type KeptMutation, mutationsOf } from './mutations.ts';

const SHOP = [
  'CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT, city TEXT, age INTEGER)',
  'CREATE TABLE purchase (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customer (id), total NUMERIC)',
  "INSERT INTO customer VALUES (1, 'Ada', 'London', 30), (2, 'Grace', 'New York', 40), (3, 'Edsger', 'London', 50)",
  'INSERT INTO purchase VALUES (7, 1, 10), (8, 1, 20), (9, 3, 5)',
];
const GOLD =
  "SELECT T1.name, count(*) FROM customer AS T1 JOIN purchase AS T2 ON T1.id = T2.customer_id WHERE T1.city = 'London' GROUP BY T1.name";

let folder = '';
let adapter: Adapter;
let catalog: Catalog;
let parser: ClosableSqlParser;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'askema-mutations-'));
  adapter = resolveAdapter(sqlite({ file: makeDatabase(join(folder, 'shop.sqlite'), SHOP.join(';')) }));
  catalog = await adapter.introspect();
  parser = sqlparserTs();
});
afterAll(async () => {
  await parser.close();
  await adapter.close();
  rmSync(folder, { recursive: true });
});

async function mutate(sql: string, seed = 'A'): Promise<readonly KeptMutation[]> {
  const parsed = await parser.parse(sql, sqliteDialect);
  if (!parsed.ok) throw new Error(parsed.reason);
  const index = indexSchema(catalog);
  return mutationsOf({ adapter, catalog, index, sql, shape: parsed.shape, id: 'q', seed, orderMatters: false });
}

it('breaks a statement in every way, and only where its result becomes another', async () => {
  const kept = await mutate(GOLD);
  expect(new Set(kept.map(({ kind }) => kind))).toEqual(
    new Set(['wrong-column', 'dropped-join', 'swapped-foreign-key', 'missing-group-by', 'unheld-literal']),
  );
  const gold = await adapter.query(GOLD, { context: createCallContext() });
  for (const { sql, effect } of kept) {
    const result = await adapter.query(sql, { context: createCallContext() }).catch(() => undefined);
    expect([sql, result === undefined]).toEqual([sql, effect === 'fails']);
    expect([sql, result?.rows]).not.toEqual([sql, gold.rows]);
  }
});

it('drops a join, its condition or a GROUP BY and nothing else', async () => {
  const kept = await mutate(GOLD);
  const of = (kind: string, subKind: string) => kept.find((one) => one.kind === kind && one.subKind === subKind)?.sql;
  const text = (sql: string | undefined) => sql?.replaceAll(/\s+/g, ' ').trim();
  expect(text(of('dropped-join', 'condition only'))).toBe(GOLD.replace(' ON T1.id = T2.customer_id', ''));
  expect(text(of('missing-group-by', 'aggregate in SELECT'))).toBe(GOLD.replace(' GROUP BY T1.name', ''));
});

it('never puts in a value that the column holds', async () => {
  const values = (await mutate(GOLD)).filter(({ kind }) => kind === 'unheld-literal').map(({ sql }) => sql);
  expect(values.length).toBeGreaterThan(2);
  for (const sql of values) expect(sql).not.toMatch(/'(?:London|New York)'/);
});

it('gives the same statements for the same seed, and others for another', async () => {
  expect(await mutate(GOLD)).toEqual(await mutate(GOLD));
  expect(await mutate(GOLD)).not.toEqual(await mutate(GOLD, 'B'));
});
