import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { postgresDialect } from '@askema/dialects';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LoggedStatement } from '../logged-statement.ts';
import { readLog } from './read-log.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'askema-log-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function read(name: string, text: string): Promise<Partial<LoggedStatement>[]> {
  const file = join(folder, name);
  writeFileSync(file, text);
  const found: Partial<LoggedStatement>[] = [];
  for await (const statement of readLog(file, postgresDialect))
    found.push(JSON.parse(JSON.stringify(statement)) as Partial<LoggedStatement>);
  return found;
}

describe('readLog', () => {
  it('takes statements of a file of SQL by the lexer', async () => {
    const found = await read('a.sql', "\uFEFFSELECT ';' -- one; line\n;\n/* ; */ SELECT 2;\n");
    expect(found.map(({ sql }) => sql)).toEqual(["SELECT ';'", 'SELECT 2']);
  });

  it('takes QUERY_HISTORY of Snowflake', async () => {
    const csv = [
      'QUERY_ID,QUERY_TEXT,USER_NAME,EXECUTION_STATUS,QUERY_TAG,START_TIME',
      '1,"SELECT ""a"",\r\n  1",ANN,SUCCESS,"{""app"":""askema""}",2026-01-02 03:04:05.678 -0800',
      '2,SELECT nope,BOB,FAILED_WITH_ERROR,,',
    ].join('\r\n');
    expect(await read('history.csv', csv)).toEqual([
      {
        sql: 'SELECT "a",\r\n  1',
        calls: 1,
        user: 'ANN',
        failed: false,
        tag: '{"app":"askema"}',
        at: '2026-01-02T11:04:05.678Z',
      },
      { sql: 'SELECT nope', calls: 1, user: 'BOB', failed: true },
    ]);
  });

  it('takes JOBS of BigQuery, and lines that are no records as statements without text', async () => {
    const lines = [
      {
        query: 'SELECT 1',
        user_email: 'a@b.c',
        creation_time: '2026-01-02 03:04:05.123456 UTC',
        labels: [{ key: 'askema-run', value: 'x' }],
        error_result: null,
      },
      { query: 'SELECT 2', user_email: 'a@b.c', error_result: { reason: 'invalidQuery' } },
    ].map((line) => JSON.stringify(line));
    expect(await read('jobs.jsonl', [...lines, '{broken', '[1]', ''].join('\n'))).toEqual([
      {
        sql: 'SELECT 1',
        calls: 1,
        user: 'a@b.c',
        at: '2026-01-02T03:04:05.123Z',
        failed: false,
        tag: '[{"key":"askema-run","value":"x"}]',
      },
      { sql: 'SELECT 2', calls: 1, user: 'a@b.c', failed: true },
      { sql: '' },
      { sql: '' },
    ]);
  });

  it('takes csvlog of PostgreSQL', async () => {
    const line = (severity: string, message: string, query = ''): string =>
      [
        '2026-01-02 03:04:05.678 UTC',
        'ann',
        'shop',
        '1',
        '',
        's',
        '1',
        'SELECT',
        '',
        '',
        '',
        severity,
        '',
        message,
        '',
        '',
        '',
        '',
        '',
        query,
        '',
        '',
        'psql',
        '',
        '',
        '',
      ]
        .map((cell) => `"${cell.replaceAll('"', '""')}"`)
        .join(',');
    const log = [
      line('LOG', 'duration: 1.5 ms  statement: SELECT "a"\nFROM b'),
      line('LOG', 'execute <unnamed>: SELECT $1'),
      line('LOG', 'connection received'),
      line('ERROR', 'column does not exist', 'SELECT nope'),
    ].join('\n');
    const found = await read('postgresql.csv', log);
    expect(found.map(({ sql, failed }) => [sql, failed])).toEqual([
      ['SELECT "a"\nFROM b', false],
      ['SELECT $1', false],
      ['', false],
      ['SELECT nope', true],
    ]);
    expect(found[0]).toMatchObject({ user: 'ann', application: 'psql', at: '2026-01-02T03:04:05.678Z' });
  });

  it('refuses what has no SQL, and other files', async () => {
    await expect(read('b.csv', 'name,text\na,b\n')).rejects.toThrow(
      /no column of SQL: it has "name", "text".*query_text/,
    );
    await expect(read('b.jsonl', '{"a":1}\n{"b":2}')).rejects.toThrow(/no column of SQL: it has "a"/);
    await expect(read('b.txt', 'SELECT 1')).rejects.toThrow(/\.jsonl/);
  });

  it('goes on behind records that are not whole, nested too deep, or without SQL', async () => {
    const deep = `{"query":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
    const lines = await read('a.jsonl', ['{"user":"ann"}', deep, '{"query":"SELECT 1"}'].join('\n'));
    expect(lines.map(({ sql }) => sql)).toEqual(['', '', 'SELECT 1']);
    const whole = `2026-01-02 03:04:05.678 UTC,ann${','.repeat(10)}LOG,,statement: SELECT 1${','.repeat(9)}psql,,,`;
    const log = await read('postgresql.csv', `${whole}\n2026-01-02 03:04:05.678 UTC,ann,sh`);
    expect(log.map(({ sql }) => sql)).toEqual(['SELECT 1', '']);
  });

  it('takes no row of a table for a line of a csvlog, whatever stands in it', async () => {
    const forged = `2026-01-02 03:04:05.678 UTC,ann${','.repeat(11)},statement: SELECT 1${','.repeat(10)}`;
    const header = `query${Array.from({ length: 24 }, (_, at) => `,c${at}`).join('')}`;
    const [row] = await read('table.csv', `${header}\n${forged}`);
    expect([row?.sql, row?.user]).toEqual(['2026-01-02 03:04:05.678 UTC', undefined]);
  });

  it('does not hold cells and lines without end', async () => {
    const [long] = await read('long.csv', `query\n"${'x'.repeat(3_000_000)}"\n`);
    expect(long?.sql?.length).toBeLessThan(250_000);
    expect(await read('long.jsonl', `{"query":"${'x'.repeat(3_000_000)}"}\n{"query":"SELECT 1"}`)).toMatchObject([
      {},
      { sql: 'SELECT 1' },
    ]);
  });
});
