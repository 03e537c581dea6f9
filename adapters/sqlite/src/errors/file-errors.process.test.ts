import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { pathToFileURL } from 'node:url';
import { type AskemaError, resolveAdapter } from '@askema/core';
import Database from 'better-sqlite3';
import { expect, test, vi } from 'vitest';
import { type SqliteOptions, sqlite } from '../index.ts';
import { resolveOptions } from '../options.ts';
import { makeDatabase } from '../test-support/make-database.ts';
import { errorWithoutPrivileges } from '../test-support/run-unprivileged.ts';
import { temporaryFolder } from '../test-support/temporary-folder.ts';

// Each starts processes of its own; a loaded machine takes its time.
vi.setConfig({ testTimeout: 60_000 });

/** The error of a first query. */
async function errorOf(options: SqliteOptions): Promise<AskemaError> {
  await using adapter = resolveAdapter(sqlite({ poolSize: 1, ...options }));
  return await adapter.query('SELECT count(*) FROM sqlite_schema').then(
    ({ rows }) => {
      throw new Error(`Expected an error, got ${JSON.stringify(rows)}`);
    },
    (error: AskemaError) => error,
  );
}

test('a missing file: the nearest names, or the databases that are there', async () => {
  using folder = temporaryFolder();
  makeDatabase(folder.file('customers.sqlite'));
  const mistyped = await errorOf({ file: folder.file('custmers.sqlite') });
  expect(mistyped).toMatchObject({ code: 'DATABASE_NOT_FOUND', details: { nearestNames: ['customers.sqlite'] } });
  expect(mistyped.message).toContain('Did you mean `customers.sqlite`');
  expect((await errorOf({ file: folder.file('zzz') })).message).toContain('In that folder there are: customers.sqlite');
  expect((await errorOf({ file: folder.file('no/such/folder.db') })).message).toContain('does not exist');
});

test('a missing file is not created, also with write access', async () => {
  using folder = temporaryFolder();
  await using adapter = resolveAdapter(sqlite({ file: folder.file('x.sqlite'), access: 'write' }));
  await expect(adapter.query('CREATE TABLE t (a)', { access: 'write' })).rejects.toMatchObject({
    code: 'DATABASE_NOT_FOUND',
  });
  expect(() => readFileSync(folder.file('x.sqlite'))).toThrow('ENOENT');
});

test('a directory, and what is in it', async () => {
  using folder = temporaryFolder();
  makeDatabase(folder.file('a.db'));
  const error = await errorOf({ file: folder.path });
  expect(error).toMatchObject({ code: 'DATABASE_INVALID', message: expect.stringContaining('a.db') });
});

test('an empty file is a mistake to a reader, and a new database to a writer', async () => {
  using folder = temporaryFolder();
  const file = folder.file('x.sqlite');
  writeFileSync(file, '');
  expect(await errorOf({ file })).toMatchObject({
    code: 'DATABASE_INVALID',
    message: expect.stringContaining('is empty'),
  });
  await using adapter = resolveAdapter(sqlite({ file, access: 'write' }));
  await adapter.query('CREATE TABLE t (a)', { access: 'write' });
  expect((await adapter.introspect()).schema.relations.map(({ name }) => name)).toEqual(['t']);
});

test('a file of one byte, whose log SQLite would delete, is a mistake to a reader as well', async () => {
  using folder = temporaryFolder();
  const file = folder.file('x.sqlite');
  writeFileSync(file, 'x');
  writeFileSync(`${file}-wal`, 'what another program has written');
  expect(await errorOf({ file })).toMatchObject({ code: 'DATABASE_INVALID' });
  expect(readFileSync(`${file}-wal`, 'utf8')).toBe('what another program has written');
});

test('a file that is no database', async () => {
  using folder = temporaryFolder();
  writeFileSync(folder.file('notes.db'), 'These are only notes. '.repeat(500));
  const error = await errorOf({ file: folder.file('notes.db') });
  expect(error).toMatchObject({ code: 'DATABASE_INVALID', retryable: false, details: { vendorCode: 'SQLITE_NOTADB' } });
});

test('a damaged database', async () => {
  using folder = temporaryFolder();
  const file = makeDatabase(
    folder.file('x.sqlite'),
    'CREATE TABLE t (a); WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 5000) INSERT INTO t SELECT hex(randomblob(50)) FROM n',
  );
  const bytes = readFileSync(file);
  bytes.fill(0xee, 4096);
  writeFileSync(file, bytes);
  await using adapter = resolveAdapter(sqlite({ file }));
  await expect(adapter.query('SELECT count(*) FROM t WHERE a > 1')).rejects.toMatchObject({
    code: 'DATABASE_CORRUPT',
    message: expect.stringContaining('integrity_check'),
  });
  // The structure can still be read; what cannot be counted is said.
  const catalog = await adapter.introspect();
  expect(catalog.schema.attributes.map(({ name }) => name)).toEqual(['a']);
  expect(catalog.incomplete).toHaveLength(1);
});

test('a locked database can be tried again', async () => {
  using folder = temporaryFolder();
  const file = makeDatabase(folder.file('x.sqlite'), 'CREATE TABLE t (a)');
  const other = new Database(file);
  other.exec('BEGIN EXCLUSIVE');
  expect(await errorOf({ file, busyTimeoutMs: 50 })).toMatchObject({ code: 'DATABASE_LOCKED', retryable: true });
  await using adapter = resolveAdapter(sqlite({ file, busyTimeoutMs: 50, access: 'write' }));
  await expect(adapter.query('INSERT INTO t VALUES (1)', { access: 'write' })).rejects.toMatchObject({
    code: 'DATABASE_LOCKED',
  });
  other.exec('ROLLBACK');
  other.close();
  expect((await adapter.query('INSERT INTO t VALUES (1)', { access: 'write' })).affectedRows).toBe(1);
});

test('what is no file at all is refused before anything is started', () => {
  const codes: readonly [unknown, RegExp][] = [
    [':memory:', /Write the database to a file/],
    ['', /is empty/],
    ['file:store.sqlite?mode=ro', /plain path/],
    ['sqlite:store.sqlite', /plain path/],
    ['https://example.org/store.sqlite', /local files/],
    ['postgres://localhost/store', /local files/],
    [new URL('https://example.org/store.sqlite'), /local files/],
    ['store\0.sqlite', /NUL/],
    [undefined, /is empty/],
  ];
  for (const [file, message] of codes)
    expect(() => sqlite({ file: file as string })).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID', message: expect.stringMatching(message) }),
    );
  expect(() => resolveOptions({ file: 'x' }, '20.19.0')).toThrow(/Node 20\.19\.0.*Node 22/);
  expect(() => sqlite({ file: 'x', poolSize: 0 })).toThrow(/`poolSize` is 0/);
  expect(() => sqlite({ file: 'x', access: 'all' as 'read' })).toThrow(/`access`/);
});

test('a URL object, a symbolic link, blanks and quotes in the path', async () => {
  using folder = temporaryFolder();
  mkdirSync(folder.file("it's a 100% folder;"));
  const file = makeDatabase(folder.file("it's a 100% folder;/größe .sqlite"), 'CREATE TABLE t (a)');
  symlinkSync(file, folder.file('link.sqlite'));
  for (const path of [file, pathToFileURL(file), folder.file('link.sqlite')]) {
    await using adapter = resolveAdapter(sqlite({ file: path }));
    expect((await adapter.introspect()).schema.relations).toHaveLength(1);
  }
});

test('a file that is put in the place of another one is read, not the old one', async () => {
  using folder = temporaryFolder();
  const file = makeDatabase(folder.file('x.sqlite'), 'CREATE TABLE old (a)');
  await using adapter = resolveAdapter(sqlite({ file, poolSize: 1 }));
  await adapter.query('SELECT * FROM old');
  makeDatabase(folder.file('y.sqlite'), 'CREATE TABLE new (a)');
  renameSync(folder.file('y.sqlite'), file);
  expect((await adapter.query('SELECT count(*) FROM new')).rows).toEqual([[0]]);
});

test.skipIf(process.platform === 'win32')('no permission (skipped on Windows: it has no file modes)', async () => {
  using folder = temporaryFolder();
  chmodSync(folder.path, 0o755);
  const file = makeDatabase(folder.file('x.sqlite'), 'CREATE TABLE t (a)');
  expect(await errorWithoutPrivileges(file)).toMatchObject({ code: 'none' });
  chmodSync(file, 0o000);
  expect(await errorWithoutPrivileges(file)).toMatchObject({
    code: 'DATABASE_UNAVAILABLE',
    message: expect.stringContaining('no permission to read'),
  });
});

test.skipIf(process.platform === 'win32')(
  'a write-ahead log in a folder that may not be written (skipped on Windows)',
  async () => {
    using folder = temporaryFolder();
    const file = makeDatabase(folder.file('x.sqlite'), 'PRAGMA journal_mode = WAL; CREATE TABLE t (a)');
    chmodSync(folder.path, 0o555);
    expect(await errorWithoutPrivileges(file)).toMatchObject({
      code: 'DATABASE_UNAVAILABLE',
      message: expect.stringContaining('write-ahead log'),
    });
  },
);

test.skipIf(process.platform === 'win32')(
  'what SQLite must not open beside the file, or in its place, is refused and not touched (skipped on Windows)',
  async () => {
    using folder = temporaryFolder();
    const file = makeDatabase(folder.file('x.sqlite'), 'PRAGMA journal_mode = WAL; CREATE TABLE t (a)');
    const other = folder.file('other');
    writeFileSync(other, 'not yours');
    symlinkSync(file, folder.file('link.sqlite'));
    for (const end of ['-journal', '-wal', '-shm'])
      for (const [why, make] of [
        ['is no regular file', () => execFileSync('mkfifo', [`${file}${end}`])],
        ['is a symbolic link', () => symlinkSync(other, `${file}${end}`)],
        ['is one of 2 names of the same file', () => linkSync(other, `${file}${end}`)],
      ] as const) {
        make();
        for (const access of ['read', 'write'] as const)
          expect(await errorOf({ file: folder.file('link.sqlite'), access })).toMatchObject({
            code: 'DATABASE_UNAVAILABLE',
            message: expect.stringContaining(`${file}${end} ${why}`),
          });
        rmSync(`${file}${end}`);
      }
    expect(readFileSync(other, 'utf8')).toBe('not yours');
    execFileSync('mkfifo', [folder.file('pipe')]);
    expect(await errorOf({ file: folder.file('pipe') })).toMatchObject({
      message: expect.stringContaining('is no regular file'),
    });
  },
);

test('a journal that names another one, which SQLite would open wherever it is, is refused', async () => {
  using folder = temporaryFolder();
  const file = makeDatabase(folder.file('x.sqlite'), 'CREATE TABLE t (a); INSERT INTO t VALUES (1)');
  const named = Buffer.from(folder.file('x.sqlite-mj000000900'));
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32BE(named.length);
  const magic = Buffer.from('d9d505f920a163d7', 'hex');
  writeFileSync(`${file}-journal`, Buffer.concat([magic, Buffer.alloc(600), named, trailer, magic]));
  for (const access of ['read', 'write'] as const)
    expect(await errorOf({ file, access })).toMatchObject({
      code: 'DATABASE_UNAVAILABLE',
      message: expect.stringContaining(`${file}-journal names another journal`),
    });
});

test('a journal that came from elsewhere: what bringing it in order would do is said', async () => {
  using folder = temporaryFolder();
  const file = makeDatabase(folder.file('x.sqlite'), 'CREATE TABLE t (a); INSERT INTO t VALUES (1)');
  const writer = new Database(file);
  writer.pragma('cache_size = 1');
  writer.exec(
    'BEGIN IMMEDIATE; INSERT INTO t SELECT hex(randomblob(500)) FROM (WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 2000) SELECT x FROM n)',
  );
  copyFileSync(file, folder.file('y.sqlite'));
  copyFileSync(`${file}-journal`, folder.file('y.sqlite-journal'));
  writer.exec('ROLLBACK');
  writer.close();
  const { code, message } = await errorOf({ file: folder.file('y.sqlite') });
  expect(code).toBe('DATABASE_UNAVAILABLE');
  expect(message).toContain('y.sqlite-journal holds what a program has not brought to its end');
  expect(message).toContain('if the file came from somebody else, move it away instead');
});
