import { createCallContext, resolveAdapter } from '@askema/core';
import { expect } from 'vitest';
import { type AdapterCase, errorOf, executeOptions, type OpenDatabase } from './adapter-bench.ts';
import type { AdapterStatements } from './adapter-factory.ts';

const REFUSALS = ['QUERY_NOT_READ_ONLY', 'QUERY_REFUSED'];

/** Reads a whole result, then the beginning of one, both of a table. */
async function readHalfway({ spec, rows, table, column }: OpenDatabase, statements: AdapterStatements): Promise<void> {
  expect(await rows(`SELECT COUNT(*) FROM ${table('customer')}`)).toEqual([[4]]);
  const long = `SELECT c.${column('name')}, n.x FROM ${table('customer')} AS c CROSS JOIN (${statements.rows(20_000)}) AS n`;
  let seen = 0;
  for await (const event of spec.executor.execute(long, executeOptions({ maxRows: 1e6, maxBytes: 1e9 }))) {
    if (event.type === 'rows') seen += event.rows.length;
    if (seen > 0) break;
  }
  expect(seen).toBeGreaterThan(0);
}

async function expectChange({ adapter, rows, table }: OpenDatabase): Promise<void> {
  await adapter.query(`INSERT INTO ${table('coupon')} VALUES ('A', 1)`, { access: 'write', timeoutMs: 10_000 });
  expect(await rows(`SELECT COUNT(*) FROM ${table('coupon')}`)).toEqual([[1]]);
}

/** Writing is granted twice, and whole. */
export const ACCESS_CASES = {
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

  'write-after-read': {
    title: 'A read that ended, and one that was left half-way, keep no lock: a change works at once.',
    needs: 'writing',
    async run(bench) {
      const database = await bench.openOwn('shop', 'write');
      await readHalfway(database, bench.statements);
      await expectChange(database);
    },
  },

  'write-beside-reader': {
    title: 'So does a change through another adapter, while the one that has read is open.',
    needs: ['writing', 'writing beside readers'],
    async run(bench) {
      const reader = await bench.openOwn('shop', 'write');
      const spec = reader.loaded.open('read');
      const adapter = resolveAdapter(spec);
      try {
        await readHalfway(
          { ...reader, spec, adapter, rows: async (sql) => (await adapter.query(sql)).rows },
          bench.statements,
        );
        await expectChange(reader);
      } finally {
        await adapter.close();
      }
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
    needs: ['writing', 'stopping'],
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
