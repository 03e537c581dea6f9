import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createCallContext } from '@askema/core';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { openValueIndex } from '../search/open-value-index.ts';
import { cellCatalog, cellDatabase } from '../test-support/cell-database.ts';
import { KILLED_CELLS } from '../test-support/killed-cells.ts';
import { buildValueIndex } from './build-value-index.ts';

const PROGRAM = fileURLToPath(new URL('../test-support/build-until-killed.ts', import.meta.url));

test('a build that is killed in the midst of an attribute leaves a whole file, and the next one goes on', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'askema-values-'));
  try {
    const path = join(folder, 'cells.values');
    const child = fork(PROGRAM, [path], {
      execArgv: ['--conditions=@askema/source', '--disable-warning=ExperimentalWarning'],
    });
    await once(child, 'message');
    child.kill('SIGKILL');
    await once(child, 'exit');

    await using killed = await openValueIndex(path);
    expect(await killed.find({ text: 'first 7', limit: 1, context: createCallContext() })).toMatchObject([
      { attribute: 'a_first#name', value: 'first 7' },
    ]);
    expect(await killed.covers('c_last#name')).toBe('none');
    await killed.close();

    const catalog = cellCatalog(KILLED_CELLS);
    const stats = await buildValueIndex({ adapter: cellDatabase(KILLED_CELLS).adapter, catalog, path });
    expect(stats).toMatchObject({ values: 2_510, build: { read: 2, unchanged: 1 } });
    const file = new Database(path, { readonly: true });
    expect(file.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(file.prepare('SELECT count(*) FROM value').pluck().get()).toBe(2_510);
    file.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}, 30_000);
