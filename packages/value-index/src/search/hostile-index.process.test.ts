import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, linkSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCallContext } from '@askema/core';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { buildValueIndex } from '../build/build-value-index.ts';
import { cellCatalog, cellDatabase } from '../test-support/cell-database.ts';
import { openValueIndex } from './open-value-index.ts';

vi.setConfig({ testTimeout: 60_000 });

const CELLS = { t: { a: ['one', 'two'] } };
const ENDLESS = 'WITH RECURSIVE r (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r) SELECT';
const context = createCallContext();

let folder: string;
let path: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'askema-evil-'));
  path = join(folder, 'good.values');
  await buildValueIndex({ adapter: cellDatabase(CELLS).adapter, catalog: cellCatalog(CELLS), path });
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The index, changed by somebody. */
function evil(sql: string): string {
  const file = join(folder, 'evil.values');
  copyFileSync(path, file);
  const database = new Database(file);
  database.unsafeMode(true);
  database.exec(sql);
  database.close();
  return file;
}

describe('an index that somebody has changed is refused at once', () => {
  test.each([
    ['form', `DROP TABLE form; CREATE VIEW form AS ${ENDLESS} x AS chunk, x AS hash, x AS id FROM r`],
    ['value', `DROP TABLE value; CREATE VIEW value AS ${ENDLESS} x AS id, 'a' AS cell FROM r`],
    ['gram_count', `DROP TABLE gram_count; CREATE VIEW gram_count AS ${ENDLESS} 'a' AS gram, x AS count FROM r`],
    ['attribute', `DROP TABLE attribute; CREATE VIEW attribute AS ${ENDLESS} x AS number FROM r`],
    ['meta', `DROP TABLE meta; CREATE VIEW meta AS ${ENDLESS} 'dialect' AS key, x AS value FROM r`],
    ['gram', 'DROP TABLE gram; CREATE VIRTUAL TABLE gram USING fts5 (words, content=value, content_rowid=id)'],
    ['gram', 'DROP TABLE gram; CREATE TABLE gram (words)'],
    ['more', `CREATE VIEW more AS ${ENDLESS} x FROM r`],
    ['cell_vector', `CREATE VIEW cell_vector AS ${ENDLESS} x FROM r`],
    ['cell_vector', 'CREATE VIRTUAL TABLE cell_vector USING fts5 (x)'],
    ['cell_vector_x', `CREATE VIEW cell_vector_x AS ${ENDLESS} x FROM r`],
    ['cell_vector_y', 'CREATE TABLE cell_vector_y (a, b AS (zeroblob(999999999)))'],
    ['t', 'CREATE TRIGGER t AFTER INSERT ON value BEGIN SELECT 1; END'],
    ['i', 'CREATE INDEX i ON value (hex(zeroblob(999999)))'],
    ['form', 'DROP TABLE form; CREATE TABLE form (chunk, hash, id AS (zeroblob(999999999)))'],
  ])('%s: %s', async (name, sql) => {
    const started = performance.now();
    await expect(openValueIndex(evil(sql))).rejects.toMatchObject({
      code: 'DATABASE_INVALID',
      message: expect.stringContaining(`\`${name}\``),
    });
    expect(performance.now() - started).toBeLessThan(9_000);
    await expect(
      buildValueIndex({ adapter: cellDatabase(CELLS).adapter, catalog: cellCatalog(CELLS), path: evil(sql) }),
    ).rejects.toMatchObject({ code: 'DATABASE_INVALID' });
  });

  test('one that lacks a table is told', async () => {
    await expect(openValueIndex(evil('DROP TABLE gram_count'))).rejects.toMatchObject({
      message: expect.stringContaining('it lacks `gram_count`'),
    });
  });
});

describe.skipIf(process.platform === 'win32')('what lies beside an index, or in its place (skipped on Windows)', () => {
  let number = 0;
  const place = () => {
    number += 1;
    return join(folder, `beside-${number}.values`);
  };
  const pipe = (file: string) => execFileSync('mkfifo', [file]);
  const build = (file: string) =>
    buildValueIndex({ adapter: cellDatabase(CELLS).adapter, catalog: cellCatalog(CELLS), path: file });

  test.each(['-journal', '-wal', '-shm', '.lock', '.lock-journal'])(
    'a pipe, a link or a second name at %s',
    async (end) => {
      const makes = [
        ['is no regular file', pipe],
        ['is a symbolic link', (file: string) => symlinkSync(join(folder, 'nothing'), file)],
        ['names of the same file', (file: string) => linkSync(path, file)],
      ] as const;
      for (const [why, make] of makes) {
        const file = place();
        copyFileSync(path, file);
        make(`${file}${end}`);
        const refused = { code: 'DATABASE_INVALID', message: expect.stringContaining(why) };
        await expect(build(file)).rejects.toMatchObject(refused);
        if (!end.startsWith('.lock')) await expect(openValueIndex(file)).rejects.toMatchObject(refused);
      }
      expect(existsSync(join(folder, 'nothing'))).toBe(false);
    },
  );

  test('a pipe or a link to nothing in the place of the index', async () => {
    const piped = place();
    pipe(piped);
    await expect(build(piped)).rejects.toMatchObject({ code: 'DATABASE_INVALID' });
    await expect(openValueIndex(piped)).rejects.toMatchObject({ code: 'DATABASE_NOT_FOUND' });
    const linked = place();
    symlinkSync(join(folder, 'nothing'), linked);
    await expect(build(linked)).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' });
    expect(existsSync(join(folder, 'nothing'))).toBe(false);
  });

  test('another database keeps its mode', async () => {
    const other = place();
    const database = new Database(other);
    database.exec('CREATE TABLE t (a)');
    database.close();
    const { mode } = statSync(other);
    await expect(build(other)).rejects.toMatchObject({ code: 'DATABASE_INVALID' });
    expect(statSync(other).mode).toBe(mode);
  });

  test('a journal that puts a trigger into the index: the trigger is named', async () => {
    const source = evil('CREATE TRIGGER t AFTER INSERT ON value BEGIN SELECT 1; END');
    const file = place();
    const database = new Database(source);
    database.pragma('cache_size = 1');
    database.exec(
      'BEGIN IMMEDIATE; DROP TRIGGER t; UPDATE meta SET value = value; INSERT INTO value SELECT 1000000 + x, hex(randomblob(500)) FROM (WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 2000) SELECT x FROM n)',
    );
    copyFileSync(source, file);
    copyFileSync(`${source}-journal`, `${file}-journal`);
    database.exec('ROLLBACK');
    database.close();
    await expect(openValueIndex(file)).rejects.toMatchObject({
      code: 'DATABASE_UNAVAILABLE',
      message: expect.stringContaining('left in the middle of a change'),
    });
    await expect(build(file)).rejects.toMatchObject({
      code: 'DATABASE_INVALID',
      message: expect.stringContaining('`t`'),
    });
  });
});

describe('reading that does not end', () => {
  /** Opens at once, and then blocks its thread at every look-up, as a driver on a damaged file does. */
  const stuck = () => {
    const program = join(folder, 'stuck.mjs');
    writeFileSync(
      program,
      `process.on('message', (message) => {
         if (message.type === 'open') process.send({ type: 'ready', protocol: 1 });
         else if (message.request?.type === 'open') {
           process.send({ type: 'answer', id: message.id, parts: [{ type: 'value', value: true }, { type: 'end' }] });
         } else if (message.type === 'request') for (;;);
       });
       process.on('disconnect', () => process.exit());`,
    );
    return program;
  };

  test('is killed at the time limit, and the index is read no more', async () => {
    await using index = await openValueIndex(path, { timeoutMs: 700, workerPath: stuck() });
    const started = performance.now();
    const look = () => index.find({ text: 'one', limit: 1, context });
    const tooSlow = { code: 'QUERY_TIMEOUT', message: expect.stringContaining('did not answer within 700 ms') };
    await expect(look()).rejects.toMatchObject(tooSlow);
    const first = performance.now() - started;
    for (let n = 0; n < 20; n += 1) await expect(look()).rejects.toMatchObject(tooSlow);
    await expect(index.covers('t#a')).rejects.toMatchObject(tooSlow);
    expect(first).toBeLessThan(10_000);
    // Each that waited would take 700 ms.
    expect(performance.now() - started - first).toBeLessThan(5_000);
  });

  test('is stopped by the signal of the caller', async () => {
    await using index = await openValueIndex(path, { workerPath: stuck() });
    const stop = new AbortController();
    const look = index.find({ text: 'one', limit: 1, context: createCallContext({ signal: stop.signal }) });
    setTimeout(() => stop.abort(), 200);
    await expect(look).rejects.toMatchObject({ code: 'ABORTED' });
  });

  test('a process that has ended is replaced, and told again what to open', async () => {
    await using index = await openValueIndex(path, { catalog: cellCatalog(CELLS) });
    const look = () => index.find({ text: 'one', limit: 1, context });
    expect(await look()).toMatchObject([{ value: 'one' }]);
    const late = new AbortController();
    const inFlight = index.find({ text: 'two', limit: 1, context: createCallContext({ signal: late.signal }) });
    late.abort();
    await expect(inFlight).rejects.toMatchObject({ code: 'ABORTED' });
    expect(await look()).toMatchObject([{ value: 'one' }]);
  });
});
