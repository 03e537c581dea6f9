import { readFileSync, writeFileSync } from 'node:fs';
import { createCallContext } from '@askema/core';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect, test, vi } from 'vitest';
import { type DuckdbOptions, duckdb } from '../index.ts';
import { failure, open } from '../test-support/open-file.ts';
import { temporaryFolder } from '../test-support/temporary-folder.ts';
import { writeDatabase } from '../test-support/write-database.ts';

vi.setConfig({ testTimeout: 60_000 });

async function problem(options: DuckdbOptions) {
  await using adapter = open(options);
  const { code, message, retryable } = await failure(adapter.query('SELECT 1'));
  return { code, message, retryable };
}

test('a file that is not there, with the nearest names of its folder', async () => {
  using folder = temporaryFolder();
  writeFileSync(folder.file('sales.parquet'), 'x');
  expect(await problem({ file: folder.file('shop.duckdb') })).toMatchObject({
    code: 'DATABASE_NOT_FOUND',
    message: expect.stringContaining('sales.parquet'),
  });
  expect(await problem({ files: folder.file('salse.parquet') })).toMatchObject({
    code: 'DATABASE_NOT_FOUND',
    message: expect.stringMatching(/Did you mean.*sales\.parquet/),
  });
  expect(await problem({ files: folder.file('nowhere/x.csv') })).toMatchObject({ code: 'DATABASE_NOT_FOUND' });
});

test('a folder without data files, and a folder instead of a database', async () => {
  using folder = temporaryFolder();
  expect(await problem({ files: folder.path })).toMatchObject({
    code: 'DATABASE_INVALID',
    message: expect.stringContaining('empty'),
  });
  writeFileSync(folder.file('readme.md'), 'x');
  expect((await problem({ files: folder.path })).message).toContain('readme.md');
  writeFileSync(folder.file('a.csv'), 'id\n1\n');
  const { code, message } = await problem({ file: folder.path });
  expect([code, message]).toEqual(['DATABASE_INVALID', expect.stringContaining('files:')]);
});

test('files of another kind say which adapter or option opens them', async () => {
  using folder = temporaryFolder();
  writeFileSync(folder.file('shop.db'), 'SQLite format 3\0and so on');
  expect((await problem({ file: folder.file('shop.db') })).message).toContain('@askema/sqlite');
  await writeDatabase(':memory:', [`COPY (SELECT 1 AS a) TO '${folder.file('x.parquet')}' (FORMAT parquet)`]);
  expect((await problem({ file: folder.file('x.parquet') })).message).toContain('duckdb({ files:');
  await writeDatabase(folder.file('y.csv'), ['CREATE TABLE t (a INTEGER)']);
  expect((await problem({ files: folder.file('y.csv') })).message).toContain('duckdb({ file:');
  writeFileSync(folder.file('notes.txt'), 'hello');
  for (const options of [{ file: folder.file('notes.txt') }, { files: folder.file('notes.txt') }])
    expect(await problem(options)).toMatchObject({
      code: 'DATABASE_INVALID',
      message: expect.stringContaining('.parquet'),
    });
  writeFileSync(folder.file('a[1].csv'), 'id\n1\n');
  expect((await problem({ files: folder.file('a[1].csv') })).message).toContain('Rename');
});

test('empty and broken files', async () => {
  using folder = temporaryFolder();
  for (const name of ['e.csv', 'e.parquet', 'e.duckdb']) writeFileSync(folder.file(name), '');
  expect(await problem({ files: folder.file('e.csv') })).toMatchObject({
    code: 'DATABASE_INVALID',
    message: expect.stringContaining('is empty'),
  });
  expect((await problem({ file: folder.file('e.duckdb') })).message).toContain('is empty');
  writeFileSync(folder.file('broken.parquet'), 'PAR1 no parquet at all');
  expect(await problem({ files: folder.file('broken.parquet') })).toMatchObject({
    code: 'DATABASE_INVALID',
    message: expect.stringContaining('broken.parquet'),
  });
  writeFileSync(folder.file('broken.json'), '{"a": [1, 2');
  expect((await problem({ files: folder.file('broken.json') })).code).toBe('DATABASE_INVALID');
});

/** As DuckDB computes it over its first header (storage format 64). */
function headerChecksum(file: Buffer): bigint {
  let checksum = 5_381n;
  for (let at = 8; at < 4_096; at += 8)
    checksum ^= BigInt.asUintN(64, file.readBigUInt64LE(at) * 0xbf58_476d_1ce4_e5b9n);
  return checksum;
}

test('a damaged database, and one of a newer DuckDB', async () => {
  using folder = temporaryFolder();
  const file = folder.file('t.duckdb');
  await writeDatabase(file, ['CREATE TABLE t AS SELECT * FROM range(100000)']);
  const bytes = readFileSync(file);
  const damaged = Buffer.from(bytes);
  damaged.fill(0x55, 0, 8);
  damaged.fill(0x55, 4096, 12_288);
  writeFileSync(folder.file('damaged.duckdb'), damaged);
  expect((await problem({ file: folder.file('damaged.duckdb') })).code).toBe('DATABASE_CORRUPT');
  const newer = Buffer.from(bytes);
  newer.writeBigUInt64LE(9_999n, 12);
  newer.writeBigUInt64LE(headerChecksum(newer), 0);
  writeFileSync(folder.file('newer.duckdb'), newer);
  expect(await problem({ file: folder.file('newer.duckdb') })).toMatchObject({
    code: 'DATABASE_INVALID',
    message: expect.stringContaining('npm install @duckdb/node-api@latest'),
  });
});

test('a database that another process writes to is locked, and can be opened afterwards', async () => {
  using folder = temporaryFolder();
  const file = folder.file('t.duckdb');
  await writeDatabase(file, ['CREATE TABLE t AS SELECT 42 AS a']);
  const writer = await DuckDBInstance.create(file);
  await using adapter = open({ file });
  expect(await failure(adapter.query('FROM t'))).toMatchObject({
    code: 'DATABASE_LOCKED',
    retryable: true,
    message: expect.stringContaining(`PID ${process.pid}`),
  });
  writer.closeSync();
  expect((await adapter.query('FROM t')).rows).toEqual([[42]]);
});

test('options that cannot work', () => {
  const wrong: readonly (readonly [DuckdbOptions, RegExp])[] = [
    [{ file: '' }, /empty/],
    [{ file: ':memory:' }, /:memory:/],
    [{ file: 'md:shop' }, /MotherDuck/],
    [{ file: 'https://example.org/x.duckdb' }, /local files/],
    [{ files: [] }, /empty list/],
    [{ files: 'a.csv', access: 'write' }, /only be read/],
    [{ file: 'a', files: 'b' } as unknown as DuckdbOptions, /Both/],
    [{} as unknown as DuckdbOptions, /Neither/],
    [{ file: 'a', poolSize: 0 }, /poolSize/],
    [{ file: 'a', maxMemoryBytes: 1 }, /maxMemoryBytes/],
    [{ file: 'a\0b' }, /NUL/],
  ];
  for (const [options, message] of wrong) expect(() => duckdb(options)).toThrow(message);
});

test('what nests too deep is not sent to the engine, to run or to be planned', async () => {
  using folder = temporaryFolder();
  writeFileSync(folder.file('a.csv'), 'id\n1\n');
  await using adapter = open({ files: folder.file('a.csv') });
  const deep = `SELECT ${"{'a': [".repeat(600)}1${']}'.repeat(600)}`;
  expect(await failure(adapter.query(deep))).toMatchObject({
    code: 'QUERY_REFUSED',
    message: expect.stringContaining('brackets more than 1000 deep'),
  });
  expect(await adapter.planner.check(deep, { timeoutMs: 10_000, context: createCallContext() })).toMatchObject({
    verdict: 'invalid',
    error: { details: { code: 'QUERY_REFUSED' } },
  });
});

test('numbers beyond the largest are infinite, as DuckDB has it', async () => {
  using folder = temporaryFolder();
  writeFileSync(folder.file('a.csv'), 'id\n1\n');
  await using adapter = open({ files: folder.file('a.csv') });
  expect((await adapter.query('SELECT id, 1e999, -1e999 FROM a WHERE id < 1e400')).rows).toEqual([
    [1, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  ]);
});
