import type { Dialect } from '@askema/core';
import { duckdbDialect, postgresDialect, sqliteDialect } from '@askema/dialects';
import { DuckDBInstance } from '@duckdb/node-api';
import Database from 'better-sqlite3';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { freshPostgres } from '../../../../../../scripts/testing/fresh-postgres.ts';
import { assembleSql } from './assemble-sql.ts';
import type { ClauseAction } from './clause-action.ts';

vi.setConfig({ testTimeout: 60_000 });

const TABLE = "CREATE TABLE orders (name TEXT); INSERT INTO orders VALUES ('first')";

interface Engine {
  readonly dialect: Dialect;
  rowsOf(sql: string): Promise<readonly unknown[]>;
}

const closers: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closers) await close();
});

const ENGINES: Readonly<Record<string, () => Promise<Engine>>> = {
  async SQLite() {
    const database = new Database(':memory:');
    closers.push(() => database.close());
    database.exec(TABLE);
    return { dialect: sqliteDialect, rowsOf: async (sql) => database.prepare(sql).all() };
  },
  async DuckDB() {
    const instance = await DuckDBInstance.create(':memory:');
    const database = await instance.connect();
    closers.push(() => {
      database.closeSync();
      instance.closeSync();
    });
    await database.run(TABLE);
    return { dialect: duckdbDialect, rowsOf: async (sql) => (await database.runAndReadAll(sql)).getRowsJson() };
  },
  async PostgreSQL() {
    const database = await freshPostgres();
    closers.push(() => database.close());
    await database.exec(TABLE);
    return { dialect: postgresDialect, rowsOf: async (sql) => (await database.query(sql)).rows };
  },
};

describe('assembleSql on engines', () => {
  it.each(Object.keys(ENGINES))(
    '%s takes limits, truth values and merged queries as they are written',
    async (name) => {
      const engine = await ENGINES[name]?.();
      if (engine === undefined) throw new Error(name);
      const { dialect, rowsOf } = engine;
      const select: ClauseAction = { action: 'add_select', distinct: false, items: [{ expression: 'name' }] };
      const from: ClauseAction = { action: 'add_from', relation: 'orders', joins: [] };
      const order: ClauseAction = { action: 'add_order_by', keys: [{ expression: 'name', direction: 'asc' }] };
      const limit: ClauseAction = { action: 'add_limit', count: 1, offset: 0 };
      const never: ClauseAction = {
        action: 'add_where',
        left: "(name = 'zzz')",
        operator: '=',
        right: [{ kind: 'boolean', value: true }],
      };
      const run = async (...actions: readonly ClauseAction[]): Promise<number> => {
        const { sql, problems } = assembleSql(actions, { dialect });
        expect(problems).toEqual([]);
        return (await rowsOf(sql)).length;
      };
      expect(await run(select, from, order, { ...limit, offset: 1_000 })).toBe(0);
      expect(await run(select, from, never)).toBe(0);
      expect(
        await run(select, from, order, limit, { action: 'add_merge', operator: 'union' }, select, from, never),
      ).toBe(1);
      expect(await run(select, from, never, { action: 'add_merge', operator: 'except' }, select, from)).toBe(0);
    },
  );
});
