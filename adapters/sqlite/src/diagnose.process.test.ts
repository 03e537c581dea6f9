import { type Access, resolveAdapter } from '@askema/core';
import { expect, test, vi } from 'vitest';
import { sqlite } from './sqlite.ts';
import { makeDatabase } from './test-support/make-database.ts';
import { stateOf, temporaryFolder } from './test-support/temporary-folder.ts';

// Each starts processes of its own; a loaded machine takes its time.
vi.setConfig({ testTimeout: 60_000 });

async function diagnose(sql: string, access: Access = 'read') {
  using folder = temporaryFolder();
  const file = makeDatabase(folder.file('x.sqlite'), sql);
  const before = stateOf(file, folder.path);
  await using adapter = resolveAdapter(sqlite({ file, access, poolSize: 1 }));
  const diagnosis = await adapter.diagnose();
  if (!sql.includes('WAL')) expect(stateOf(file, folder.path)).toBe(before);
  return { ...diagnosis, file, codes: diagnosis.findings.map(({ code }) => code) };
}

test('says what SQLite it is, where, how large, and that the engine keeps it from writing', async () => {
  const { server, place, readOnly, file, codes } = await diagnose('CREATE TABLE t (a); ANALYZE');
  expect(server).toMatch(/^SQLite 3\.\d+/);
  expect(place).toEqual({ file, size: expect.stringMatching(/^\d+ KB$/), 'journal mode': 'delete' });
  expect(readOnly).toMatchObject({ by: 'engine', explanation: expect.stringContaining('read-only') });
  expect(codes).toEqual([]);
});

test('does not claim that for an adapter that may write', async () => {
  expect((await diagnose('CREATE TABLE t (a)', 'write')).readOnly.by).toBe('nothing');
});

test('finds missing statistics, an empty database, the journal, and references that nobody enforces', async () => {
  expect((await diagnose('CREATE TABLE t (a)')).codes).toEqual(['no-statistics']);
  expect((await diagnose('')).codes).toEqual(['no-tables']);
  expect((await diagnose('PRAGMA journal_mode = WAL; CREATE TABLE t (a)')).place).toMatchObject({
    'journal mode': 'wal',
  });
  const tables = 'CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE c (p REFERENCES p); ANALYZE;';
  expect((await diagnose(tables)).codes).toEqual(['foreign-keys-not-enforced-by-others']);
  const broken = await diagnose(`PRAGMA foreign_keys = OFF; ${tables} INSERT INTO c VALUES (1), (2)`);
  expect(broken.findings.find(({ code }) => code === 'broken-references')?.message).toMatch(/^2 rows/);
});

test('a missing file is that, not a finding', async () => {
  using folder = temporaryFolder();
  await using adapter = resolveAdapter(sqlite({ file: folder.file('nothing.sqlite') }));
  await expect(adapter.diagnose()).rejects.toMatchObject({ code: 'DATABASE_NOT_FOUND' });
});
