import { mkdirSync, writeFileSync } from 'node:fs';
import { type AddressRequest, resolveAdapter } from '@askema/core';
import { expect, test, vi } from 'vitest';
import { openAddress } from './index.ts';
import { failure } from './test-support/open-file.ts';
import { temporaryFolder } from './test-support/temporary-folder.ts';
import { writeDatabase } from './test-support/write-database.ts';

vi.setConfig({ testTimeout: 60_000 });

const request = (folder: string): AddressRequest => ({ access: 'read', environment: {}, folder });

test('databases, data files and folders, by plain path or with the scheme, from where the caller stands', async () => {
  using folder = temporaryFolder();
  mkdirSync(folder.file('data'));
  await writeDatabase(folder.file('shop.duckdb'), ['CREATE TABLE t AS SELECT 1 AS a']);
  await writeDatabase(folder.file('strange.name'), ['CREATE TABLE t AS SELECT 2 AS a']);
  await writeDatabase(':memory:', [`COPY (SELECT 3 AS a) TO '${folder.file('data/t.parquet')}'`]);
  const wanted: readonly (readonly [string, number, string])[] = [
    ['shop.duckdb', 1, 'shop.duckdb'],
    ['duckdb:shop.duckdb', 1, 'shop.duckdb'],
    [`duckdb:${folder.file('shop.duckdb')}`, 1, 'shop.duckdb'],
    [`duckdb://${folder.file('shop.duckdb')}`, 1, 'shop.duckdb'],
    ['duckdb:strange.name', 2, 'strange.name'],
    ['./data/t.parquet', 3, 't.parquet'],
    ['duckdb:data', 3, 'data'],
    ['data/', 3, 'data'],
  ];
  // Side by side: each starts an engine of its own.
  const answers = wanted.map(async ([address]) => {
    await using adapter = resolveAdapter(await openAddress(address, request(folder.path)));
    return [address, (await adapter.query('SELECT a FROM t')).rows[0]?.[0], adapter.name];
  });
  expect(await Promise.all(answers)).toEqual(wanted);
});

test('a name is text of a path: nothing in it is decoded or chooses another file', async () => {
  using folder = temporaryFolder();
  for (const name of ['Größe #1.duckdb', 'a?access_mode=x.duckdb', '%2e%2e.duckdb', 'md:shop.duckdb']) {
    writeFileSync(folder.file(name), `12345678DUCK${'x'.repeat(100)}`);
    const { name: opened } = await openAddress(`duckdb:./${name}`, request(folder.path));
    expect(opened).toBe(name);
    expect((await failure(openAddress(`duckdb:other/${name}`, request(folder.path)))).code).toBe('DATABASE_NOT_FOUND');
  }
});

test('writing is granted to a database alone', async () => {
  using folder = temporaryFolder();
  await writeDatabase(folder.file('shop.duckdb'), ['CREATE TABLE t (a INTEGER)']);
  writeFileSync(folder.file('a.csv'), 'a\n1\n');
  const write = { ...request(folder.path), access: 'write' } as const;
  await using adapter = resolveAdapter(await openAddress('shop.duckdb', write));
  expect((await adapter.query('INSERT INTO t VALUES (1)', { access: 'write' })).affectedRows).toBe(1);
  expect((await failure(openAddress('a.csv', write))).code).toBe('CONFIG_INVALID');
});

test.each([
  ['duckdb:', 'CONFIG_INVALID'],
  ['duckdb::memory:', 'CONFIG_INVALID'],
  ['duckdb:md:shop?motherduck_token=secret', 'CONFIG_INVALID'],
  ['duckdb://host/shop.duckdb', 'CONFIG_INVALID'],
  ['duckdb:nothing.duckdb', 'DATABASE_NOT_FOUND'],
  ['nothing.parquet', 'DATABASE_NOT_FOUND'],
])('what cannot be opened is told before anything is asked: %s', async (address, code) => {
  using folder = temporaryFolder();
  const error = await failure(openAddress(address, request(folder.path)));
  expect(error.code).toBe(code);
  expect(error.message).not.toContain('secret');
});
