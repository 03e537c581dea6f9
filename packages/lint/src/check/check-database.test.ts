import type { AdapterSpec, Catalog, ExecuteOptions, ResultEvent, Row } from '@askema/core';
import { AskemaError, createCallContext, resolveAdapter } from '@askema/core';
import { catalogFixture, fixtureDialect, schemaFixture } from '@askema/testkit';
import { describe, expect, it } from 'vitest';
import { checkDatabase } from './check-database.ts';
import type { CheckOptions } from './check-options.ts';

const SCHEMA = schemaFixture({
  customer: { attributes: ['id NUMERIC not null', 'name TEXT'], key: ['id'] },
  sale: {
    attributes: ['id NUMERIC not null', 'customer_id NUMERIC'],
    key: ['id'],
    references: ['customer_id > customer: id'],
  },
});

/** An adapter that answers each statement by a function. */
function adapter(answer: (sql: string, options: ExecuteOptions) => readonly Row[]) {
  const statements: { readonly sql: string; readonly options: ExecuteOptions }[] = [];
  const spec: AdapterSpec = {
    contract: 1,
    dialect: fixtureDialect,
    name: 'fake',
    access: 'read',
    executor: {
      async *execute(sql, options): AsyncIterable<ResultEvent> {
        statements.push({ sql, options });
        const rows = answer(sql, options);
        const width = rows[0]?.length ?? 1;
        yield {
          type: 'columns',
          columns: Array.from({ length: width }, (_, at) => ({ name: `c${at}`, nativeType: '', type: 'TEXT' })),
        };
        yield { type: 'rows', rows };
        yield { type: 'end' };
      },
    },
    introspector: { introspect: async () => catalogFixture(SCHEMA) },
    close: async () => {},
  };
  return { adapter: resolveAdapter(spec), statements };
}

function check(
  answer: (sql: string) => readonly Row[],
  options: Partial<CheckOptions> = {},
  parts: Partial<Catalog> = {},
) {
  const fake = adapter(answer);
  const catalog = catalogFixture(SCHEMA, parts);
  const done = checkDatabase(fake.adapter, catalog, { context: createCallContext(), data: true, ...options });
  return done.then((found) => ({ ...found, statements: fake.statements }));
}

describe('checkDatabase', () => {
  it('sends nothing without `data`', async () => {
    const { statements, tables } = await check(() => [], { data: false });
    expect(statements).toEqual([]);
    expect(tables.map(({ name, keys, form, rows }) => ({ name, keys, form, rows }))).toEqual([
      { name: 'customer', keys: [['id']], form: 'BCNF', rows: undefined },
      { name: 'sale', keys: [['id']], form: 'BCNF', rows: undefined },
    ]);
  });

  it('only reads, within its limits, and knows when there are more rows', async () => {
    const rows = Array.from({ length: 11 }, (_, at) => [at, `n${at}`]);
    const { statements, tables } = await check((sql) => (sql.includes('COUNT') ? [[11, 11, 0, 3, 0]] : rows), {
      maxRows: 10,
      timeoutMs: 5_000,
    });
    for (const { sql, options } of statements) {
      expect(sql).toMatch(/LIMIT 1[01]\b/);
      expect(options.access).toBe('read');
      expect(options.timeoutMs).toBeLessThanOrEqual(5_000);
    }
    expect(tables[0]?.rows).toMatchObject({ count: 10, whole: false, cut: 'rows' });
    const exactly = await check((sql) => (sql.includes('COUNT') ? [[10, 10, 1, 3, 1]] : rows.slice(0, 10)), {
      maxRows: 10,
    });
    expect(exactly.tables[0]?.rows).toMatchObject({ count: 10, whole: true, cut: undefined });
    // The count of the database stops at the limit, so that ten of ten may be ten of many.
    expect(exactly.tables[1]?.findings[0]?.inclusion).toMatchObject({ rows: 10, whole: false });
  });

  it('finds a primary key that is declared, not enforced, and repeats', async () => {
    const answer = (sql: string) =>
      sql.includes('COUNT')
        ? [[3, 3, 0, 1, 0]]
        : [
            [1, 'a'],
            [2, 'b'],
            [1, 'c'],
          ];
    const informational = await check(answer, {}, { keyStanding: { customer: 'informational' } });
    expect(informational.tables[0]?.findings).toMatchObject([
      { code: 'key-repeated', severity: 'error', rows: [[{ attribute: 'id', value: 1 }]] },
    ]);
    const enforced = await check(answer);
    expect(enforced.tables[0]?.findings).toEqual([]);
  });

  it('goes on after a table that cannot be read, and names it; stops where the database is gone', async () => {
    const refuse = (code: 'QUERY_FAILED' | 'DATABASE_CLOSED') => (sql: string) => {
      if (sql.includes('name')) throw new AskemaError(code, 'No permission.');
      return sql.includes('COUNT') ? [[1, 1, 1, 1, 1]] : [[7, 8]];
    };
    const { unread, tables } = await check(refuse('QUERY_FAILED'));
    expect(unread).toEqual([{ subject: 'customer', reason: 'rows: No permission.' }]);
    expect(tables[1]?.findings.map(({ code }) => code)).toEqual(['rows-without-target']);
    await expect(check(refuse('DATABASE_CLOSED'))).rejects.toMatchObject({ code: 'DATABASE_CLOSED' });
  });

  it('says what no time was left for', async () => {
    let now = 0;
    const clock = { now: () => (now += 400) };
    const { unread } = await check(() => [[1, 1, 0, 1, 0]], { clock, timeoutMs: 300 });
    expect(unread.map(({ reason }) => reason)).toEqual([
      'rows: no time was left.',
      'foreign key `customer_id` to `customer`: no time was left.',
      'rows: no time was left.',
    ]);
  });

  it('stops at the signal', async () => {
    const controller = new AbortController();
    controller.abort();
    const context = createCallContext({ signal: controller.signal });
    await expect(check(() => [], { context })).rejects.toMatchObject({ code: 'ABORTED' });
  });
});
