import { type DataType, type Dialect, fillProbe, logicalType } from '@askema/core';
import { expect, it } from 'vitest';

/**
 * For tests: a dialect is plain data whose patterns compile, and reads back the types that it writes, and these ones.
 */
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
 * For tests: each probe of a dialect finds rows on its engine, which has a table `orders` with the columns `name` and
 * `payload` (JSON lists); objects may stand in the column `payload` of another table.
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
    // A part of a date is an expression.
    const query = probe.endsWith('Of') ? `SELECT ${sql} FROM orders` : sql;
    expect((await rowsOf(query)).length).toBeGreaterThan(0);
  });
}
