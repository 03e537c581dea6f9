import { AskemaError, buildCatalog, type Row } from '@askema/core';
import { postgresDialect } from '@askema/dialects';
import { expect, test } from 'vitest';
import { gatherRows, groupRows } from './group-rows.ts';
import { type RowCounting, withRowCounts } from './row-counts.ts';

const attributes = [{ name: 'id', nativeType: 'int' }];
const catalog = buildCatalog({
  dialect: postgresDialect,
  name: 'shop',
  relations: [
    {
      nameParts: { schema: 's', relation: 'large' },
      kind: 'table',
      byteCount: 9_000,
      rowCount: 70,
      rowCountExact: false,
      attributes,
    },
    { nameParts: { schema: 's', relation: 'small' }, kind: 'table', byteCount: 10, attributes },
    { nameParts: { schema: 's', relation: 'odd "one"' }, kind: 'table', byteCount: 20, attributes },
    { nameParts: { schema: 's', relation: 'view' }, kind: 'view', attributes },
  ],
});

async function count(options: Partial<RowCounting>) {
  const statements: string[] = [];
  const { relations, incomplete, fingerprint } = await withRowCounts(catalog, {
    dialect: postgresDialect,
    timeoutMs: 5_000,
    isCounted: ({ kind }) => kind === 'table',
    perStatement: 2,
    async *run(sql) {
      statements.push(sql);
      yield [...sql.matchAll(/SELECT (\d+),/g)].map(([, index]): Row => [Number(index), statements.length * 100]);
    },
    ...options,
  });
  expect(fingerprint).toBe(catalog.fingerprint);
  const counts = Object.values(relations).map(({ nameParts, rowCount, rowCountExact }) => [
    nameParts.relation,
    rowCount,
    rowCountExact,
  ]);
  return { statements, counts, gaps: incomplete.map(({ reason, affects }) => [reason, affects]) };
}

test('small relations first, several in one statement, and views not at all', async () => {
  const { statements, counts, gaps } = await count({});
  expect(statements).toEqual([
    'SELECT 0, count(*) FROM "s"."small" UNION ALL SELECT 1, count(*) FROM "s"."odd ""one"""',
    'SELECT 0, count(*) FROM "s"."large"',
  ]);
  expect(counts).toEqual([
    ['large', 200, true],
    ['small', 100, true],
    ['odd "one"', 100, true],
    ['view', undefined, undefined],
  ]);
  expect(gaps).toEqual([]);
  expect((await count({ timeoutMs: 0 })).statements).toEqual([]);
  const alone = await count({ perStatement: 9, isAlone: ({ nameParts }) => nameParts.relation !== 'small' });
  expect(alone.statements).toHaveLength(3);
});

test('what fails keeps the counts that came before it, has its estimate, and is told', async () => {
  const run = async function* (sql: string): AsyncGenerator<readonly Row[]> {
    if (sql.includes('large')) throw new AskemaError('DATABASE_LOCKED', 'Another connection is in the way.');
    yield [[0, 5n]];
    throw new AskemaError('QUERY_FAILED', 'It cannot be read.');
  };
  const failed = await count({ run });
  expect(failed.counts.slice(0, 3)).toEqual([
    ['large', 70, false],
    ['small', 5, true],
    ['odd "one"', undefined, undefined],
  ]);
  expect(failed.gaps).toEqual([
    ['the rows of s.odd "one" could not be counted: It cannot be read.', 'counts'],
    ['the rows of s.large could not be counted: Another connection is in the way.', 'counts'],
  ]);
  const enough = await count({ run, lacks: 'ANALYZE has not seen them' });
  expect(enough.gaps).toEqual([['the rows of s.odd "one" could not be counted: It cannot be read.', 'counts']]);
  expect((await count({ run, estimate: () => 3 })).counts[2]).toEqual(['odd "one"', 3, false]);
});

test('one that cannot be read spoils no other, and what takes too long is said to', async () => {
  const run = async function* (sql: string): AsyncGenerator<readonly Row[]> {
    if (sql.includes('odd')) throw new AskemaError('DATABASE_CORRUPT', 'It is damaged.');
    if (sql.includes('large')) throw new AskemaError('QUERY_TIMEOUT', 'Too slow.');
    yield [...sql.matchAll(/SELECT (\d+),/g)].map(([, index]): Row => [Number(index), 6]);
  };
  const { counts, gaps } = await count({ run, lacks: undefined });
  expect(counts.slice(0, 3)).toEqual([
    ['large', 70, false],
    ['small', 6, true],
    ['odd "one"', undefined, undefined],
  ]);
  expect(gaps.map(([reason]) => reason)).toEqual([
    'the rows of s.odd "one" could not be counted: It is damaged.',
    'the rows of s.large could not be counted within 5000 ms (`rowCountTimeoutMs`)',
  ]);
});

test('an abort and a closed adapter are not hidden', async () => {
  for (const code of ['ABORTED', 'DATABASE_CLOSED'] as const) {
    // biome-ignore lint/correctness/useYield: it fails before its first row.
    const run = async function* (): AsyncGenerator<readonly Row[]> {
      throw new AskemaError(code, 'Over.');
    };
    await expect(count({ run })).rejects.toMatchObject({ code });
  }
});

test('rows by what they belong to', () => {
  const rows = [
    ['s', 'a', 1],
    ['s', 'b', 2],
    ['s', 'a', 3],
  ] as const;
  const of = groupRows(rows, ([schema, relation]) => [schema, relation]);
  expect(of('s', 'a')).toEqual([rows[0], rows[2]]);
  expect([of('s', 'c'), of('s,a')]).toEqual([[], []]);
  expect(gatherRows(rows, ([, relation]) => relation)).toEqual([[rows[0], rows[2]], [rows[1]]]);
});
