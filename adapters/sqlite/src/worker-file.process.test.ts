import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { resolveAdapter } from '@askema/core';
import { findWorkerFile as findIn } from '@askema/core/node';
import { expect, test, vi } from 'vitest';
import { sqlite } from './index.ts';
import { makeDatabase } from './test-support/make-database.ts';
import { temporaryFolder } from './test-support/temporary-folder.ts';

// Each starts processes of its own; a loaded machine takes its time.
vi.setConfig({ testTimeout: 60_000 });

const findWorkerFile = (workerPath: string | URL | undefined, module: string = import.meta.url) =>
  findIn({ packageName: '@askema/sqlite', module, workerPath });

test('from the sources, the worker is the source beside this module', () => {
  expect(findWorkerFile(undefined)).toBe(fileURLToPath(new URL('./worker.ts', import.meta.url)));
});

test('in a bundle, a file named worker.js beside it is somebody else’s: the installed package is asked', () => {
  using folder = temporaryFolder();
  writeFileSync(folder.file('package.json'), '{"name":"an-application"}');
  writeFileSync(folder.file('worker.js'), 'not ours');
  const bundle = pathToFileURL(folder.file('bundle.js')).href;
  const installed = folder.file('node_modules/@askema/sqlite');
  mkdirSync(`${installed}/dist`, { recursive: true });
  writeFileSync(`${installed}/dist/worker.js`, '');
  const exports = { './worker': { types: './dist/worker.d.ts', default: './dist/worker.js' } };
  writeFileSync(`${installed}/package.json`, JSON.stringify({ name: '@askema/sqlite', type: 'module', exports }));
  expect(findWorkerFile(undefined, bundle)).toMatch(/@askema\/sqlite\/dist\/worker\.js$/);
  expect(findWorkerFile(undefined, pathToFileURL(`${installed}/dist/chunk-1.js`).href)).toMatch(/dist\/worker\.js$/);
});

test('a path that is given must exist', () => {
  expect(() => findWorkerFile('/nowhere/worker.js')).toThrow(/\/nowhere\/worker\.js does not exist/);
  const file = new URL('./worker.ts', import.meta.url);
  expect(findWorkerFile(file)).toBe(fileURLToPath(file));
});

test('without the driver, the error names the command that installs it', async () => {
  using folder = temporaryFolder();
  cpSync(fileURLToPath(new URL('.', import.meta.url)), folder.file('src'), { recursive: true });
  writeFileSync(folder.file('package.json'), '{"type":"module"}');
  mkdirSync(folder.file('node_modules/@askema'), { recursive: true });
  symlinkSync(
    fileURLToPath(new URL('../../../packages/adapter-kit', import.meta.url)),
    folder.file('node_modules/@askema/adapter-kit'),
  );
  const file = makeDatabase(folder.file('x.sqlite'));
  const workerPath = folder.file('src/worker.ts');
  // Set by pnpm for every program that it starts.
  vi.stubEnv('NODE_PATH', undefined);
  await using adapter = resolveAdapter(sqlite({ file, workerPath, poolSize: 1 }));
  const errors = await Promise.all([1, 2].map(() => adapter.query('SELECT 1').catch((error: unknown) => error)));
  vi.unstubAllEnvs();
  for (const error of errors)
    expect(error).toMatchObject({
      code: 'DEPENDENCY_MISSING',
      message: expect.stringContaining('npm install better-sqlite3'),
    });
});

test('a program that is no worker, or one of another version, is told apart', async () => {
  using folder = temporaryFolder();
  const file = makeDatabase(folder.file('x.sqlite'));
  const run = async (program: string): Promise<unknown> => {
    writeFileSync(folder.file('worker.mjs'), program);
    await using adapter = resolveAdapter(sqlite({ file, workerPath: folder.file('worker.mjs'), poolSize: 1 }));
    return await adapter.query('SELECT 1').catch((error: unknown) => error);
  };
  expect(await run('process.exitCode = 3; console.error("not me")')).toMatchObject({
    code: 'DATABASE_UNAVAILABLE',
    message: expect.stringMatching(/before it was ready \(exit code 3.*not me/s),
  });
  const other =
    'process.on("message", () => process.send({ type: "unusable", reason: "protocol", message: "it speaks protocol 0" }))';
  expect(await run(other)).toMatchObject({ code: 'CONFIG_INVALID', message: expect.stringContaining('protocol 0') });
});
