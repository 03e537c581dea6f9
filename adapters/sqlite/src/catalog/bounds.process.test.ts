import { resolveAdapter } from '@askema/core';
import { expect, test, vi } from 'vitest';
import { type SqliteOptions, sqlite } from '../index.ts';
import { makeDatabase } from '../test-support/make-database.ts';
import { temporaryFolder } from '../test-support/temporary-folder.ts';

// Each starts processes of its own; a loaded machine takes its time.
vi.setConfig({ testTimeout: 60_000 });

async function introspect(sql: string, options: Partial<SqliteOptions> = {}) {
  using folder = temporaryFolder();
  const file = makeDatabase(
    folder.file('x.sqlite'),
    `BEGIN; CREATE TABLE first (a);${sql}; COMMIT; CREATE VIEW last AS SELECT a FROM first`,
  );
  await using adapter = resolveAdapter(sqlite({ file, poolSize: 1, ...options }));
  const catalog = await adapter.introspect();
  const names = catalog.schema.relations.map(({ name }) => name);
  return { names, gaps: new Map(catalog.incomplete.map(({ subject, reason }) => [subject, reason])), catalog };
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

test('a view that takes SQLite too long is named, so are those that name it, and the rest is there', async () => {
  const nested = numbers(200).map((n) => `CREATE VIEW v${n} AS SELECT * FROM v${n - 1}`);
  const joined = `SELECT x1.a FROM ${numbers(60).map((n) => `v200 AS x${n}`)}`;
  const { names, gaps } = await introspect(
    `CREATE VIEW v0 AS SELECT a FROM first; ${nested.join(';')};
     CREATE VIEW slow AS ${Array(400).fill(joined).join(' UNION ALL ')};
     CREATE VIEW behind AS SELECT a FROM slow; CREATE VIEW further AS SELECT a FROM "BEHIND"`,
  );
  expect(names).toHaveLength(203);
  expect(Object.fromEntries(gaps)).toEqual({
    slow: expect.stringMatching(/^this view cannot be read: (SQLite did not find its columns within \d+ ms|.*memory)/),
    behind: 'this view cannot be read: it names slow, whose columns could not be read',
    further: 'this view cannot be read: it names behind, whose columns could not be read',
  });
});

test('views that double one another: those that SQLite refuses or does not end with are named', async () => {
  const doubled = numbers(46).map((n) => `CREATE VIEW v${n} AS SELECT x.a FROM v${n - 1} AS x, v${n - 1} AS y`);
  const { names, gaps } = await introspect(`CREATE VIEW v0 AS SELECT 1 AS a; ${doubled.join(';')}`);
  expect(names).toEqual(expect.arrayContaining(['first', 'v0', 'v1', 'v2', 'last']));
  expect(gaps.get('v46')).toMatch(/^this view cannot be read: (too many references|it names v45)/);
  expect(names.length + gaps.size).toBe(49);
});

test('thousands of views behind one another end with the time for them, and the tables are there', async () => {
  const nested = numbers(2_500).map((n) => `CREATE VIEW v${n} AS SELECT * FROM v${n - 1}`);
  const sql = `CREATE VIEW v0 AS SELECT * FROM first; ${nested.join(';')}`;
  const { names, gaps } = await introspect(sql, { introspectTimeoutMs: 6_000 });
  expect(names).toEqual(expect.arrayContaining(['first', 'v0', 'v1']));
  expect([...gaps.values()].at(-1)).toMatch(/took all of the 3000 ms|nested too deep/);
  expect(names.length + gaps.size).toBe(2_503);
});

test('statistics without end are read in part', async () => {
  const { names, catalog } = await introspect(
    `INSERT INTO first VALUES (1); CREATE INDEX i ON first (a); ANALYZE;
     WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 2000000)
     INSERT INTO sqlite_stat1 SELECT 'x' || x, NULL, '7' FROM n`,
    { rowCountTimeoutMs: 0, introspectTimeoutMs: 20_000 },
  );
  expect(names).toEqual(['first', 'last']);
  expect(catalog.incomplete).toEqual([]);
});

test('a view of very long names is named, and the rest is there', async () => {
  const columns = numbers(1_000).map((n) => `1 AS ${`c${n}_`.padEnd(900, 'x')}`);
  const long = 'x'.repeat(1_000_000);
  const { names, gaps } = await introspect(
    `CREATE VIEW wide AS SELECT ${columns.join(', ')};CREATE VIEW great AS SELECT 1 AS a -- ${long}\n`,
  );
  expect(names).toEqual(['first', 'last']);
  expect(gaps.get('wide')).toMatch(/its columns have \d+ characters in names and types, more than 250000$/);
  expect(gaps.get('great')).toMatch(/its definition has \d+ characters, more than 1000000$/);
});
