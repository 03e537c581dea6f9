import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { snowflakeDialect, sqliteDialect } from '@askema/dialects';
import { afterAll, expect, test, vi } from 'vitest';
import { findWorkerFile } from './client/options.ts';
import { createSqlParser, sqlparserTs } from './index.ts';

// Each starts threads or processes of its own; a loaded machine takes its time.
vi.setConfig({ testTimeout: 60_000 });

const folder = mkdtempSync(join(tmpdir(), 'askema-sql-parser-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const program = (name: string, text: string): string => {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
};
/** A worker's program that answers a statement as `answer`, JavaScript over `message`, says. */
const worker = (name: string, answer: string): string =>
  program(
    name,
    `import { parentPort } from 'node:worker_threads';
     parentPort.on('message', (message) => { if (message.type === 'parse') { ${answer} } });
     parentPort.postMessage({ type: 'ready' });`,
  );
const ANSWER =
  "parentPort.postMessage({ type: 'result', id: message.id, json: JSON.stringify({ ok: false, failure: 'syntax', reason: message.sql }) });";

test('10,000 ORs and 500 nested sub-queries are refused, and the next statement is parsed', async () => {
  const parser = sqlparserTs({ timeoutMs: 30_000 });
  const ors = `SELECT a FROM t WHERE ${Array(10_001).fill('a = 1').join(' OR ')}`;
  const nested = `${'SELECT * FROM ('.repeat(500)}SELECT 1${')'.repeat(500)}`;
  for (const sql of [ors, nested])
    expect(await parser.parse(sql, snowflakeDialect)).toMatchObject({ ok: false, failure: 'too complex' });
  expect(await parser.parse('SELECT a FROM t', snowflakeDialect)).toMatchObject({ ok: true });
  await parser.close();
});

test('what is nested so deep that the module would take minutes is refused at once', async () => {
  const parser = sqlparserTs();
  for (const [open, close] of [
    ['CAST(', ' AS TEXT)'],
    ['NOT (', ')'],
    ['upper(CAST(', ' AS TEXT))'],
  ] as const)
    expect(await parser.parse(`SELECT ${open.repeat(60)}1${close.repeat(60)}`, sqliteDialect)).toMatchObject({
      failure: 'too complex',
      reason: expect.stringMatching(/nested \d+ deep, more than 32/),
    });
  expect(await parser.parse(`SELECT ${'CAST('.repeat(30)}1${' AS TEXT)'.repeat(30)}`, sqliteDialect)).toMatchObject({
    ok: true,
  });
  await parser.close();
});

test('what passes the gate and kills the module costs one worker', async () => {
  const parser = sqlparserTs({ timeoutMs: 30_000, maxChainedOperators: 1_000_000 });
  const deadly = `SELECT ${Array(5_000).fill('a').join(' + ')} FROM t`;
  const [first, second] = await Promise.all([
    parser.parse(deadly, snowflakeDialect),
    parser.parse('SELECT a FROM t', snowflakeDialect),
  ]);
  expect(first).toMatchObject({ ok: false, failure: 'parser broke' });
  expect(second).toMatchObject({ ok: true });
  await parser.close();
});

test('a worker that answers with what is no JSON is replaced', async () => {
  const garbled = "parentPort.postMessage({ type: 'result', id: message.id, json: '{' });";
  const parser = createSqlParser({
    workerPath: worker('garbled.mjs', `if (message.sql === 'garble') { ${garbled} } else { ${ANSWER} }`),
  });
  expect(await parser.parse('garble', snowflakeDialect)).toMatchObject({ ok: false, failure: 'parser broke' });
  expect(await parser.parse('live', snowflakeDialect)).toMatchObject({ ok: false, reason: 'live' });
  await parser.close();
});

test('a worker that ends by itself is replaced', async () => {
  const parser = createSqlParser({
    workerPath: worker('ends.mjs', `if (message.sql === 'die') process.exit(3); ${ANSWER}`),
  });
  expect(await parser.parse('die', snowflakeDialect)).toMatchObject({ ok: false, failure: 'parser broke' });
  expect(await parser.parse('live', snowflakeDialect)).toMatchObject({ ok: false, reason: 'live' });
  await parser.close();
});

test('four ends of the worker in a row, of each kind: the next statement is parsed', async () => {
  const ends = {
    exit: 'process.exit(3)',
    'uncaught error': "throw new Error('uncaught')",
    'want of memory': 'const hoard = []; for (;;) hoard.push(new Array(100_000).fill(message.id))',
    'time limit': 'for (;;);',
  };
  const cases = Object.entries(ends).map(([end, code]) => `if (message.sql === '${end}') { ${code} }`);
  const parser = createSqlParser({
    workerPath: worker('crashes.mjs', `${cases.join('\n')} ${ANSWER}`),
    maxMemoryMb: 32,
  });
  for (const end of Object.keys(ends)) {
    for (let round = 0; round < 4; round += 1) {
      const failure = end === 'time limit' ? 'time limit' : 'parser broke';
      const timeoutMs = end === 'time limit' ? 50 : 50_000;
      expect(await parser.parse(end, snowflakeDialect, { timeoutMs })).toMatchObject({ ok: false, failure });
    }
    expect(await parser.parse('live', snowflakeDialect)).toMatchObject({ ok: false, reason: 'live' });
  }
  await parser.close();
});

test('four statements in a row that cannot be sent to the worker: the next one is parsed', async () => {
  const parser = createSqlParser({ workerPath: worker('answers.mjs', ANSWER) });
  const unsendable = { ...snowflakeDialect, lexer: { ...snowflakeDialect.lexer, odd: () => 1 } };
  for (let round = 0; round < 4; round += 1)
    await expect(parser.parse('live', unsendable)).rejects.toThrow(/could not be cloned/);
  expect(await parser.parse('live', snowflakeDialect)).toMatchObject({ ok: false, reason: 'live' });
  await parser.close();
});

test('a statement that takes too long ends at its limit; the ones behind it do not', async () => {
  const parser = createSqlParser({ workerPath: worker('hangs.mjs', `while (message.sql === 'hang'); ${ANSWER}`) });
  const [slow, next] = await Promise.all([
    parser.parse('hang', snowflakeDialect, { timeoutMs: 50 }),
    parser.parse('quick', snowflakeDialect),
  ]);
  expect(slow).toMatchObject({ ok: false, failure: 'time limit', reason: expect.stringContaining('50 ms') });
  expect(next).toMatchObject({ reason: 'quick' });
  await parser.close();
});

test('an abort ends what runs and what waits', async () => {
  const parser = createSqlParser({ workerPath: worker('hangs.mjs', `while (message.sql === 'hang'); ${ANSWER}`) });
  const running = new AbortController();
  const waiting = new AbortController();
  const first = parser.parse('hang', snowflakeDialect, { signal: running.signal }).catch((error: unknown) => error);
  const second = parser.parse('waits', snowflakeDialect, { signal: waiting.signal }).catch((error: unknown) => error);
  const third = parser.parse('third', snowflakeDialect);
  waiting.abort();
  expect(await second).toMatchObject({ code: 'ABORTED' });
  running.abort();
  expect(await first).toMatchObject({ code: 'ABORTED' });
  expect(await third).toMatchObject({ reason: 'third' });
  await expect(parser.parse('x', snowflakeDialect, { signal: AbortSignal.abort() })).rejects.toMatchObject({
    code: 'ABORTED',
  });
  await parser.close();
});

test('closing twice does nothing; what waits is aborted, what comes later is told', async () => {
  const parser = createSqlParser({ workerPath: worker('hangs.mjs', `while (message.sql === 'hang'); ${ANSWER}`) });
  const running = parser.parse('hang', snowflakeDialect).catch((error: unknown) => error);
  const waiting = parser.parse('waits', snowflakeDialect).catch((error: unknown) => error);
  await Promise.all([parser.close(), parser.close()]);
  await parser.close();
  expect(await running).toMatchObject({ code: 'ABORTED' });
  expect(await waiting).toMatchObject({ code: 'ABORTED' });
  await expect(parser.parse('x', snowflakeDialect)).rejects.toMatchObject({ code: 'INPUT_INVALID' });
});

test('a missing package is named with the command that installs it', async () => {
  const missing = program(
    'missing.mjs',
    `import { parentPort } from 'node:worker_threads';
     parentPort.postMessage({ type: 'unusable', reason: 'dependency', message: 'Cannot find package' });`,
  );
  const parser = createSqlParser({ backEnd: 'node-sql-parser', workerPath: missing });
  for (let time = 0; time < 2; time++)
    await expect(parser.parse('SELECT 1', snowflakeDialect)).rejects.toMatchObject({
      code: 'DEPENDENCY_MISSING',
      message: expect.stringContaining('npm install "node-sql-parser@^5.4'),
    });
  await parser.close();
});

test('options that are none, and a program that is no worker', async () => {
  expect(() => sqlparserTs({ timeoutMs: 0 })).toThrow(/`timeoutMs` is 0; it must be a whole number from 1 to/);
  expect(() => sqlparserTs({ workerPath: '/nowhere/worker.js' })).toThrow(/\/nowhere\/worker\.js does not exist/);
  expect(findWorkerFile(undefined)).toBe(fileURLToPath(new URL('./worker.ts', import.meta.url)));
  const parser = createSqlParser({ workerPath: program('not-me.mjs', 'process.exit(4);') });
  await expect(parser.parse('SELECT 1', snowflakeDialect)).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  await parser.close();
});

test('a process that never closes its parser ends by itself', async () => {
  const entry = JSON.stringify(new URL('./index.ts', import.meta.url).href);
  const dialects = JSON.stringify(new URL('../../dialects/src/index.ts', import.meta.url).href);
  const script = program(
    'process.mjs',
    `import { sqlparserTs } from ${entry};
     import { snowflakeDialect } from ${dialects};
     const result = await sqlparserTs().parse('SELECT a FROM t', snowflakeDialect);
     console.log(result.ok);`,
  );
  const { stdout } = await promisify(execFile)(process.execPath, ['--conditions=@askema/source', script], {
    timeout: 50_000,
  });
  expect(stdout.trim()).toBe('true');
});
