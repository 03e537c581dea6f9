import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCallContext, resolveAdapter } from '@askema/core';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { duckdb } from './duckdb.ts';
import type { DuckdbOptions } from './options.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'askema-stamps-'));
  // A file that was written only just has no stamp.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10_000 });
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true });
});

async function stampsOf(options: DuckdbOptions, isRead = false) {
  const adapter = resolveAdapter(duckdb(options));
  if (isRead) await adapter.introspect();
  const look = { timeoutMs: 5_000, context: createCallContext() };
  const { stamps } = adapter;
  const found = {
    identity: await stamps?.identity(look),
    data: await stamps?.data?.(look),
    structure: await stamps?.structure(look),
  };
  await adapter.close();
  return found;
}

const tick = () => new Promise((resolve) => setTimeout(resolve, 20));

it('a database: the same until it is written to, also when it was read meanwhile', async () => {
  const file = join(folder, 'shop.duckdb');
  const write = async (sql: string): Promise<void> => {
    const instance = await DuckDBInstance.create(file);
    const connection = await instance.connect();
    await connection.run(sql);
    connection.closeSync();
    instance.closeSync();
  };
  await write('CREATE TABLE a AS SELECT 1 AS x');
  const before = await stampsOf({ file });
  expect(before.data).toBeTypeOf('string');
  expect(await stampsOf({ file }, true)).toEqual(before);
  await tick();
  await write('UPDATE a SET x = 2');
  const after = await stampsOf({ file });
  expect(after.identity).toBe(before.identity);
  expect([after.data === before.data, after.structure === before.structure]).toEqual([false, false]);
});

it('a folder of files: the same until a file is written, comes or goes', async () => {
  const files = join(folder, 'data');
  mkdirSync(join(files, 'inner'), { recursive: true });
  writeFileSync(join(files, 'a.csv'), 'x\n1\n');
  writeFileSync(join(files, 'inner', 'b.csv'), 'x\n1\n');
  const seen = new Set([(await stampsOf({ files })).data]);
  expect(await stampsOf({ files }, true)).toEqual(await stampsOf({ files }));
  const changes = [
    () => writeFileSync(join(files, 'inner', 'b.csv'), 'y\n2\n'),
    () => writeFileSync(join(files, 'inner', 'c.csv'), 'x\n1\n'),
    () => rmSync(join(files, 'a.csv')),
  ];
  for (const change of changes) {
    await tick();
    change();
    seen.add((await stampsOf({ files })).data);
  }
  expect(seen.size).toBe(changes.length + 1);
  expect(seen).not.toContain(undefined);
});

it('is for the place itself, and says nothing where nothing can be read', async () => {
  writeFileSync(join(folder, 'a.csv'), 'x\n1\n');
  symlinkSync(join(folder, 'a.csv'), join(folder, 'link.csv'));
  const identityOf = async (files: string) => (await stampsOf({ files })).identity;
  expect(await identityOf(join(folder, 'link.csv'))).toBe(await identityOf(join(folder, 'a.csv')));
  expect(await identityOf(folder)).not.toBe(await identityOf(join(folder, 'a.csv')));
  expect(await stampsOf({ files: join(folder, 'gone.csv') })).toMatchObject({ data: undefined, structure: undefined });
});
