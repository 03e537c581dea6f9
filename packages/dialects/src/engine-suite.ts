import { assembleSql, type ClauseAction, type DataType, type Dialect, fillProbe, logicalType } from '@askema/core';
import { expect, it } from 'vitest';

/** For tests: a dialect is plain data whose patterns compile, and reads back the types that it writes, and these ones. */
export function itIsData(dialect: Dialect, types: readonly (readonly [native: string, type: DataType])[] = []): void {
  it('survives JSON, its patterns compile, and it reads back the types that it writes', () => {
    expect(JSON.parse(JSON.stringify(dialect))).toEqual(dialect);
    for (const { pattern } of dialect.errors) if (pattern !== undefined) new RegExp(pattern, 'i');
    for (const [type, native] of Object.entries(dialect.types.native)) expect(logicalType(native, dialect)).toBe(type);
  });

  it('fills its probes without holes', () => {
    for (const probe of Object.values(dialect.probes))
      expect(
        fillProbe(probe, {
          relation: 'r',
          attribute: 'a',
          pattern: "'x'",
          limit: 3,
          condition: 'a = 1',
          attributes: 'a',
          alias: 's',
        }),
      ).not.toContain('{');
  });

  it.each(types)('%j is %s', (native, type) => {
    expect(logicalType(native, dialect)).toBe(type);
  });
}

/**
 * For tests: each probe of a dialect finds rows on its engine, which has a table `orders` with the columns `name` and `payload` (JSON lists); objects
 * may stand in the column `payload` of another table.
 */
export function itHasProbesThatRun(
  dialect: Dialect,
  rowsOf: (sql: string) => Promise<readonly unknown[]> | readonly unknown[],
  objects = 'orders',
): void {
  it.each(Object.keys(dialect.probes))('has a probe %s that runs', async (probe) => {
    const sql = fillProbe(dialect.probes[probe] ?? '', {
      relation: probe === 'jsonFields' ? objects : 'orders',
      attribute: probe === 'elements' || probe === 'jsonFields' ? 'payload' : 'name',
      pattern: "'%f%'",
      limit: 3,
    });
    expect((await rowsOf(sql)).length).toBeGreaterThan(0);
  });
}

/** For tests: the engine takes clauses as the dialect writes them; a table `orders` has a column `name`, and no row of it is 'zzz'. */
export function itTakesItsForms(
  dialect: Dialect,
  rowsOf: (sql: string) => Promise<readonly unknown[]> | readonly unknown[],
): void {
  it('takes limits, truth values and merged queries as they are written', async () => {
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
    expect(await run(select, from, order, limit, { action: 'add_merge', operator: 'union' }, select, from, never)).toBe(
      1,
    );
    expect(await run(select, from, never, { action: 'add_merge', operator: 'except' }, select, from)).toBe(0);
  });
}
