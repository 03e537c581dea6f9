import { createCallContext, type QueryResult, resolveAdapter } from '@askema/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failedQuery, scriptedAdapter } from '../../../fixtures/scripted-adapter.ts';
import { openShop, type TestShop } from './cte-fixture.ts';
import { countProfile, profileOf, profileText, rowsLine } from './cte-profile.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

const CELLS = `SELECT 1 AS id, 'a' AS "odd ""name", 0 AS zero, NULL AS gone, x'00' AS bytes, 'p' AS twice, 'q' AS twice
  UNION ALL SELECT 2, '', 0, NULL, x'01', 'p', 'q' UNION ALL SELECT 2, '', 0, NULL, x'01', 'p', 'q' UNION ALL SELECT NULL, 'b', 5, NULL, NULL, 'p', 'q'`;

async function counted(sql: string) {
  const { columns } = await shop.adapter.query(sql, { access: 'read' });
  return countProfile({
    adapter: shop.adapter,
    timeoutMs: 5_000,
    context: createCallContext(),
    columns,
    statement: (select) => `WITH t AS (${sql}) ${select('t')}`,
  });
}

describe('profiles of a CTE', () => {
  it('are the same, counted by the database or over rows that are there', async () => {
    const sql = CELLS.replaceAll(", 'p' AS twice, 'q' AS twice", '').replaceAll(", 'p', 'q'", '');
    const { profile, statements } = await counted(sql);
    expect(statements).toBe(1);
    expect(profile).toEqual({
      rows: 4,
      distinctRows: 3,
      columns: [
        { name: 'id', nulls: 1, distinct: 2, blanks: 0 },
        { name: 'odd "name', nulls: 0, distinct: 3, blanks: 2 },
        { name: 'zero', nulls: 0, distinct: 2, blanks: 3 },
        { name: 'gone', nulls: 4, distinct: 0, blanks: 0 },
        { name: 'bytes', nulls: 1, distinct: 2, blanks: 0 },
      ],
    });
    expect(profileOf(await shop.adapter.query(sql, { access: 'read' }))).toEqual(profile);
  });

  it('of no rows', async () => {
    const { profile } = await counted('SELECT 1 AS a, 2 AS b WHERE 1 = 0');
    expect(profile).toMatchObject({ rows: 0, distinctRows: 0, columns: [{ name: 'a', nulls: 0 }, { name: 'b' }] });
    expect(profileText(profile ?? { rows: 1, columns: [] })).toBe('0 rows\ncolumns: a, b');
  });

  it('leave columns out that a name does not reach, and widths that nobody reads', async () => {
    const columns = Array.from({ length: 60 }, (_, n) => `${n} AS c${n}`).join(', ');
    expect((await counted(`SELECT ${columns}`)).profile?.columns).toHaveLength(40);
    const doubled: Pick<QueryResult, 'columns'>['columns'] = ['x', 'X', '', 'y'].map((name) => ({
      name,
      nativeType: '',
      type: 'TEXT',
    }));
    const { profile } = await countProfile({
      adapter: shop.adapter,
      timeoutMs: 5_000,
      context: createCallContext(),
      columns: doubled,
      statement: (select) => `WITH t AS (SELECT 1 AS y) ${select('t')}`,
    });
    expect(profile?.columns).toEqual([{ name: 'y', nulls: 0, distinct: 1, blanks: 0 }]);
  });

  it('do with rows and NULLs where the engine cannot compare, and with nothing where it cannot count', async () => {
    const context = createCallContext();
    const columns = [{ name: 'v', nativeType: 'VARIANT', type: 'TEXT' as const }];
    const statement = (select: (name: string) => string): string => select('t');
    const partly = scriptedAdapter((sql) => (sql.includes('DISTINCT') ? failedQuery('no') : [['1200', 1000n]]));
    expect(
      await countProfile({ adapter: resolveAdapter(partly), timeoutMs: 100, context, columns, statement }),
    ).toEqual({ profile: { rows: 1200, columns: [{ name: 'v', nulls: 200 }] }, statements: 2 });
    const never = scriptedAdapter(() => failedQuery('no'));
    expect(await countProfile({ adapter: resolveAdapter(never), timeoutMs: 100, context, columns, statement })).toEqual(
      {
        statements: 2,
      },
    );
  });

  it('say where rows repeat', () => {
    expect(rowsLine({ rows: 1_200, distinctRows: 300, columns: [] })).toBe(
      '1,200 rows, 300 distinct: rows repeat each other',
    );
    expect(rowsLine({ rows: 1, distinctRows: 1, columns: [] })).toBe('1 row, all distinct');
    expect(rowsLine({ rows: 7, columns: [] })).toBe('7 rows');
  });
});
