import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findSource } from './find-source.ts';

let base: string;
const at = (...parts: readonly string[]): string => join(base, ...parts);
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'askema-lake-'));
  mkdirSync(at('lake', 'year=2024'), { recursive: true });
  mkdirSync(at('outside'));
  writeFileSync(at('outside', 'secret.csv'), 'a\n1');
});
afterEach(() => rmSync(base, { recursive: true }));

const open = (path: string) => findSource({ place: { type: 'files', paths: [path] } });

test.each([
  ['a file', ['x.csv'], ['outside', 'secret.csv']],
  ['a folder', ['inner'], ['outside']],
  ['a file of a partition', ['year=2024', 'x.csv'], ['outside', 'secret.csv']],
  ['a partition', ['year=2025'], ['outside']],
])('a folder of data with %s linked from outside is refused', async (_, name, target) => {
  if (!name[0]?.startsWith('year')) rmSync(at('lake', 'year=2024'), { recursive: true });
  symlinkSync(at(...target), at('lake', ...name));
  await expect(open(at('lake'))).rejects.toMatchObject({
    code: 'DATABASE_INVALID',
    message: expect.stringContaining(`${at('lake', ...name)} is a link that leads out of ${at('lake')}, to `),
  });
});

test('links within the folder, and one that was named, are followed', async () => {
  writeFileSync(at('lake', 'a.csv'), 'a\n1');
  symlinkSync('../a.csv', at('lake', 'year=2024', 'b.csv'));
  symlinkSync(at('outside', 'secret.csv'), at('named.csv'));
  await expect(open(at('lake'))).resolves.toMatchObject({ type: 'files' });
  await expect(open(at('named.csv'))).resolves.toMatchObject({ type: 'files' });
});

test('links to a folder make no second one, however many there are', async () => {
  rmSync(at('lake', 'year=2024'), { recursive: true });
  writeFileSync(at('lake', 'a.csv'), 'a\n1');
  for (const name of ['one', 'two', 'six']) symlinkSync('.', at('lake', name));
  const { relations } = (await open(at('lake'))) as unknown as { relations: { name: string; files: string[] }[] };
  expect(relations).toMatchObject([{ name: 'a', files: [at('lake', 'a.csv')] }]);
});

test('a file with the name of one of the views of DuckDB has its format behind it', async () => {
  rmSync(at('lake', 'year=2024'), { recursive: true });
  for (const name of ['duckdb_tables', 'sqlite_master', 'duckdb_sales'])
    writeFileSync(at('lake', `${name}.csv`), 'a\n1');
  const { relations } = (await open(at('lake'))) as unknown as { relations: { name: string }[] };
  expect(relations.map(({ name }) => name)).toEqual(['duckdb_sales', 'duckdb_tables_csv', 'sqlite_master_csv']);
});

test.each(['.wal', '.wal.checkpoint', '.wal.recovery'])(
  'the log %s beside a database may be no link that leads out of its folder, and nothing but a file',
  async (suffix) => {
    writeFileSync(at('lake', 'shop.duckdb'), 'x');
    const log = at('lake', `shop.duckdb${suffix}`);
    const find = () => findSource({ place: { type: 'database', file: at('lake', 'shop.duckdb') } });
    await expect(find()).resolves.toMatchObject({ type: 'database' });
    symlinkSync(at('outside', 'secret.csv'), log);
    await expect(find()).rejects.toMatchObject({
      code: 'DATABASE_INVALID',
      message: expect.stringContaining(`shop.duckdb${suffix} is a link that leads out of`),
    });
    rmSync(log);
    mkdirSync(log);
    await expect(find()).rejects.toMatchObject({
      code: 'DATABASE_INVALID',
      message: expect.stringContaining(`shop.duckdb${suffix} is no regular file.`),
    });
  },
);
