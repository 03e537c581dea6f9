import { type AskemaError, createCallContext } from '@askema/core';
import { expect } from 'vitest';
import type { HostileStatement } from '../hostile/hostile-statement.ts';
import { hostileStatements } from '../hostile/hostile-statements.ts';
import { type AdapterCase, errorOf, type OpenDatabase } from './adapter-bench.ts';

const REFUSALS = ['QUERY_NOT_READ_ONLY', 'QUERY_REFUSED'];

/** Every hostile statement that was not refused as it must be. */
async function unrefused(
  { adapter, loaded }: OpenDatabase,
  ofAdapter: readonly HostileStatement[],
  codes: readonly string[],
) {
  const wrong: unknown[] = [];
  const ofDialect = hostileStatements(adapter.dialect.name, { folder: loaded.folder });
  for (const { sql: template, attack, harm } of [...ofDialect, ...ofAdapter]) {
    const sql = template.replaceAll('{folder}', loaded.folder ?? '/tmp');
    const { outcome, errorClass } = await adapter.query(sql, { timeoutMs: 10_000 }).then(
      () => ({ outcome: 'ran', errorClass: undefined }),
      ({ code, details }: AskemaError) => ({ outcome: code, errorClass: details.errorClass }),
    );
    // What an engine cannot even parse, or a function that it does not know, is an ordinary error of it.
    const unknown = harm === 'reach' || errorClass === 'syntax';
    if (!(unknown ? [...codes, 'QUERY_FAILED'] : codes).includes(outcome)) wrong.push({ attack, sql, outcome });
  }
  return wrong;
}

/** Reading is the default; writing is granted twice. */
export const ACCESS_CASES = {
  'read-only': {
    title: 'The hostile corpus of the dialect is refused, and nothing changes, inside or beside the database.',
    async run(bench) {
      const database = await bench.open('shop');
      const before = await database.loaded.state();
      expect(await unrefused(database, bench.hostileStatements, REFUSALS)).toEqual([]);
      expect(await database.loaded.state()).toBe(before);
      expect(await database.rows('SELECT 1')).toEqual([[1]]);
    },
  },

  'read-only-call': {
    title: 'An adapter that may write reads all the same when the call says so.',
    needs: 'writing',
    async run(bench) {
      const database = await bench.openOwn('shop', 'write');
      const before = await database.loaded.state();
      expect(await unrefused(database, bench.hostileStatements, REFUSALS)).toEqual([]);
      expect(await database.loaded.state()).toBe(before);
    },
  },

  'write-needs-grant': {
    title: 'A call cannot write through an adapter that was opened for reading.',
    async run(bench) {
      const { spec, table } = await bench.open('shop');
      const before = await (await bench.open('shop')).loaded.state();
      const { executor } = spec;
      const run = async (): Promise<void> => {
        const sql = `DELETE FROM ${table('shipment')}`;
        const caps = { maxRows: 1, maxBytes: 1_000, timeoutMs: 10_000 };
        for await (const _ of executor.execute(sql, { ...caps, access: 'write', context: createCallContext() }));
      };
      expect(['CONFIG_INVALID', ...REFUSALS]).toContain((await errorOf(run())).code);
      expect(await (await bench.open('shop')).loaded.state()).toBe(before);
    },
  },

  'write-counts-rows': {
    title: 'Changed rows are counted, and the change is there for the next reader.',
    needs: 'writing',
    async run(bench) {
      const { adapter, rows, table, column } = await bench.openOwn('shop', 'write');
      const insert = `INSERT INTO ${table('coupon')} VALUES ('A', 1), ('B', 2), ('C', 3)`;
      expect((await adapter.query(insert, { access: 'write' })).affectedRows).toBe(3);
      const update = `UPDATE ${table('coupon')} SET ${column('percent')} = 9 WHERE ${column('percent')} > 1`;
      expect((await adapter.query(update, { access: 'write' })).affectedRows).toBe(2);
      expect(await rows(`SELECT SUM(${column('percent')}) FROM ${table('coupon')}`)).toEqual([[19]]);
      const none = `DELETE FROM ${table('coupon')} WHERE ${column('percent')} < 0`;
      expect((await adapter.query(none, { access: 'write' })).affectedRows).toBe(0);
    },
  },

  'write-returning': {
    title: 'RETURNING gives rows as well.',
    needs: 'returning',
    async run(bench) {
      const { adapter, table, column } = await bench.openOwn('shop', 'write');
      const insert = `INSERT INTO ${table('coupon')} VALUES ('A', 1), ('B', 2) RETURNING ${column('code')}`;
      const whole = await adapter.query(insert, { access: 'write' });
      expect(whole).toMatchObject({ rows: [['A'], ['B']], affectedRows: 2 });
      const remove = `DELETE FROM ${table('coupon')} RETURNING ${column('code')}`;
      const cut = await adapter.query(remove, { access: 'write', maxRows: 1 });
      expect({ rows: cut.rows.length, affectedRows: cut.affectedRows, truncated: cut.truncated }).toEqual({
        rows: 1,
        affectedRows: 2,
        truncated: 'rows',
      });
    },
  },

  'write-fails-whole': {
    title: 'A statement that fails half-way leaves nothing behind.',
    needs: 'writing',
    async run(bench) {
      const { adapter, rows, table } = await bench.openOwn('shop', 'write');
      const insert = `INSERT INTO ${table('coupon')} VALUES ('A', 1), ('B', 2), ('A', 3)`;
      const error = await errorOf(adapter.query(insert, { access: 'write' }));
      expect(error).toMatchObject({ code: 'QUERY_FAILED', details: { errorClass: 'constraint' } });
      expect(await rows(`SELECT COUNT(*) FROM ${table('coupon')}`)).toEqual([[0]]);
    },
  },

  'write-stopped-whole': {
    title: 'One that is stopped leaves nothing behind either.',
    needs: 'writing',
    async run(bench) {
      const { adapter, rows, table } = await bench.openOwn('shop', 'write');
      const source = `SELECT CAST(x AS ${bench.statements.textType}), x FROM (${bench.statements.endlessRows}) AS endless`;
      const insert = `INSERT INTO ${table('coupon')} ${source}`;
      const error = await errorOf(adapter.query(insert, { access: 'write', timeoutMs: 500 }));
      expect(error.code).toBe('QUERY_TIMEOUT');
      expect(await rows(`SELECT COUNT(*) FROM ${table('coupon')}`)).toEqual([[0]]);
      const after = await adapter.query(`INSERT INTO ${table('coupon')} VALUES ('A', 1)`, { access: 'write' });
      expect(after.affectedRows).toBe(1);
    },
  },

  'write-schema': {
    title: 'The schema can be changed, and the catalog shows it.',
    needs: 'writing',
    async run(bench) {
      const { adapter, column } = await bench.openOwn('shop', 'write');
      await adapter.query(`CREATE TABLE ${column('added')} (${column('id')} INTEGER)`, { access: 'write' });
      const names = (await adapter.introspect()).schema.relations.map(({ name }) => name);
      expect(names).toContain('added');
    },
  },
} satisfies Record<string, AdapterCase>;
