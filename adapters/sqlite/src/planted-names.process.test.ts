import { createCallContext, resolveAdapter } from '@askema/core';
import Database from 'better-sqlite3';
import { expect, test, vi } from 'vitest';
import { sqlite } from './index.ts';
import { makeDatabase } from './test-support/make-database.ts';
import { temporaryFolder } from './test-support/temporary-folder.ts';

// Each starts processes of its own; a loaded machine takes its time.
vi.setConfig({ testTimeout: 60_000 });

const TABLES = `
PRAGMA foreign_keys = OFF;
CREATE TABLE parent (k TEXT PRIMARY KEY, n INT UNIQUE) WITHOUT ROWID;
CREATE TABLE child (id INTEGER PRIMARY KEY, p TEXT REFERENCES parent, g AS (id + 1));
CREATE INDEX by_p ON child (p);
CREATE VIRTUAL TABLE notes USING fts5 (title);
CREATE TABLE notes_of_mine (a);
CREATE VIEW v AS SELECT id AS i FROM child;
INSERT INTO parent VALUES ('a', 1);
INSERT INTO child VALUES (1, 'a'), (2, 'x');
ANALYZE`;

/** Whatever SQLite answers itself as a table, and what it keeps in one. */
function ownNames(): string[] {
  const database = new Database(':memory:');
  const list = (sql: string): string[] => database.prepare(sql).pluck().all() as string[];
  const names = [
    ...list('PRAGMA pragma_list').map((name) => `pragma_${name}`),
    ...list('PRAGMA module_list'),
    'json_each',
    'json_tree',
  ];
  database.close();
  return [...new Set(names)].sort();
}

async function look(file: string) {
  await using adapter = resolveAdapter(sqlite({ file, poolSize: 1 }));
  const context = createCallContext();
  const catalog = await adapter.introspect();
  const reads: unknown[] = [];
  for (const sql of ['SELECT n FROM parent', 'SELECT p FROM child', 'SELECT i FROM v', 'SELECT count(*) FROM child'])
    reads.push(await adapter.planner.check(sql, { timeoutMs: 20_000, context }));
  const errors: unknown[] = [];
  for (const sql of ['SELECT pp FROM child', 'SELECT uper(p) FROM child', 'SELECT 1 FROM chld'])
    errors.push(await adapter.query(sql).catch(({ message }: Error) => message));
  const { findings, place } = await adapter.diagnose();
  return { catalog, reads, errors, findings, journal: place?.['journal mode'] };
}

test.each([
  ['views', (name: string) => `CREATE VIEW "${name}" AS SELECT 1 AS name, 2 AS value, 'main' AS schema`],
  ['tables', (name: string) => `CREATE TABLE "${name}" (name, value, schema, type)`],
])('%s with the names of what SQLite answers itself change nothing but that they are there', async (_what, plant) => {
  using folder = temporaryFolder();
  const names = ownNames();
  expect(names.length).toBeGreaterThan(60);
  const plain = await look(makeDatabase(folder.file('plain.sqlite'), TABLES));
  const planted = await look(makeDatabase(folder.file('planted.sqlite'), `${TABLES};${names.map(plant).join(';')}`));
  expect(planted.reads).toEqual(plain.reads);
  expect(planted.errors).toEqual(plain.errors);
  expect(planted.findings).toEqual(plain.findings);
  expect(planted.catalog.incomplete).toEqual([]);
  const { schema, relations } = planted.catalog;
  expect(schema.relations.map(({ name }) => name).filter((name) => !names.includes(name))).toEqual(
    plain.catalog.schema.relations.map(({ name }) => name),
  );
  for (const { id } of plain.catalog.schema.relations) expect(relations[id]).toEqual(plain.catalog.relations[id]);
  expect(schema.foreignKeys).toEqual(plain.catalog.schema.foreignKeys);
  expect(relations.notes?.kind).toBe('virtual table');
});

test('elements of a nested column are counted by the function of SQLite, whatever else has its name', async () => {
  using folder = temporaryFolder();
  const made =
    'CREATE TABLE t (tags TEXT); INSERT INTO t VALUES (\'["a","b"]\'), (\'["a"]\'); CREATE TABLE json_each (value)';
  const file = makeDatabase(folder.file('planted.sqlite'), made);
  await using adapter = resolveAdapter(sqlite({ file, poolSize: 1 }));
  const parts: Readonly<Record<string, string>> = { relation: 't', attribute: 'tags', limit: '5' };
  const sql = String(adapter.dialect.probes.elements).replace(/\{(\w+)\}/g, (_, part: string) => parts[part] ?? '');
  expect((await adapter.query(sql)).rows).toEqual([
    ['a', 2],
    ['b', 1],
  ]);
});
