import type { AskemaError } from '@askema/core';
import { hostileStatements } from '@askema/testkit';
import { expect, test } from 'vitest';
import type { BigQueryOptions } from '../index.ts';
import { errorOf, NUMBERS, openStub } from '../test-support/open-stub.ts';
import { apiError, type StubScript } from '../wire-stub/wire-stub.ts';

test('reading takes both: the word of the server and the text', async () => {
  for (const statementType of ['DELETE', 'SCRIPT', 'EXPORT_DATA', 'CREATE_TABLE_AS_SELECT', 'CALL', 'ASSERT']) {
    const { stub, adapter } = await openStub({ statementType });
    expect((await errorOf(adapter.query('SELECT 1'))).code).toMatch(/^QUERY_(?:NOT_READ_ONLY|REFUSED)$/);
    expect(stub.jobs.size).toBe(0);
  }
  // A stand-in that calls everything SELECT.
  const { stub, adapter } = await openStub(NUMBERS);
  const codes: string[] = [];
  for (const sql of [
    'DELETE FROM t WHERE TRUE',
    'SELECT 1; DROP TABLE t',
    'SELECT 1; SELECT 2',
    'CREATE TEMP TABLE x AS SELECT 1',
    "EXPORT DATA OPTIONS (uri='gs://b/*') AS SELECT 1",
    "SELECT * FROM EXTERNAL_QUERY('c', 'DELETE FROM t')",
    "SELECT AI.GENERATE('x')",
    'SELECT * FROM ML.GENERATE_TEXT(MODEL m, TABLE t)',
    'BEGIN TRANSACTION',
    'CALL p()',
    "EXECUTE IMMEDIATE 'DROP TABLE t'",
    'FROM t |> INSERT INTO u',
    'SELECT 1 /*',
    'SELEC 1',
  ])
    codes.push((await errorOf(adapter.query(sql))).code);
  expect(new Set(codes)).toEqual(new Set(['QUERY_NOT_READ_ONLY', 'QUERY_REFUSED']));
  expect(stub.jobs.size).toBe(0);
});

test.each(['read', 'write'] as const)('no hostile statement reaches the server, opened for %s', async (access) => {
  const { stub, adapter } = await openStub(NUMBERS, { access });
  const statements = [
    ...hostileStatements('bigquery').map(({ sql }) => sql),
    "DELETE FROM t WHERE a = 'x",
    'CREATE TABLE t AS SELECT 1 /*',
    'ATTACH DATABASE x AS y',
    '(DROP TABLE t)',
    '\u0421ALL p()',
  ];
  const wrong: string[] = [];
  for (const sql of statements) {
    const { code } = await errorOf(adapter.query(sql, { parameters: [null] }));
    if (code !== 'QUERY_NOT_READ_ONLY' && code !== 'QUERY_REFUSED') wrong.push(`${code}: ${sql}`);
  }
  expect(statements.length).toBeGreaterThan(100);
  expect(wrong).toEqual([]);
  expect(stub.requests).toEqual([]);
});

test('a text that surely writes is not even compiled; one that may be a mistake is, for BigQuery says best what is wrong', async () => {
  const { stub, adapter } = await openStub({
    behaviour: () => apiError(400, 'invalidQuery', 'Syntax error: Unexpected identifier "SELEC" at [1:1]'),
  });
  await errorOf(adapter.query('DROP TABLE t'));
  expect(stub.requests).toHaveLength(0);
  expect(await errorOf(adapter.query('SELEC 1'))).toMatchObject({
    code: 'QUERY_FAILED',
    details: { errorClass: 'syntax', position: { offset: 0 } },
  });
  // A server that breaks on it, or is not there, has not said that it is a mistake.
  for (const answer of [apiError(500, 'internalError', 'oops'), 'drop'] as const) {
    const broken = await openStub({ behaviour: () => answer }, { maxRetries: 5 });
    expect((await errorOf(broken.adapter.query('SELEC 1'))).code).toBe('QUERY_NOT_READ_ONLY');
    expect((await errorOf(broken.adapter.query("SELECT 'a"))).code).toBe('QUERY_NOT_READ_ONLY');
    expect(broken.stub.requests).toHaveLength(2);
  }
  expect(await errorOf(adapter.query(' -- nothing'))).toMatchObject({
    code: 'QUERY_FAILED',
    details: { errorClass: 'syntax' },
  });
});

test('functions that run outside of BigQuery, or that cannot be looked at, are refused; others are not', async () => {
  const routine = { projectId: 'p', datasetId: 'd', routineId: 'f' };
  const answers = [
    { body: { remoteFunctionOptions: { endpoint: 'https://x' } } },
    apiError(403, 'accessDenied', 'no'),
    { body: { language: 'SQL', definitionBody: 'ROUND(x, 1)' } },
  ];
  const { adapter } = await openStub({
    ...NUMBERS,
    statistics: { referencedRoutines: [routine] },
    behaviour: ({ path }, nth) => (path.endsWith('/routines/f') ? answers[nth - 1] : undefined),
  });
  expect(await errorOf(adapter.query('SELECT d.f(1)'))).toMatchObject({ code: 'QUERY_REFUSED' });
  expect(await errorOf(adapter.query('SELECT d.f(1)'))).toMatchObject({ code: 'QUERY_REFUSED' });
  expect((await adapter.query('SELECT d.f(1)')).rows).toHaveLength(25);
});

test('a function is refused with its name unless BigQuery has it, or it is seen what it does, or it is allowed', async () => {
  const of = (routineId: string) => ({ projectId: 'p', datasetId: 'd', routineId });
  const bodies: Readonly<Record<string, object>> = {
    good: { language: 'SQL', definitionBody: 'UPPER(d.inner(x)) || NET.HOST(y)' },
    inner: { language: 'SQL', definitionBody: '(SELECT MAX(n) FROM d.t)' },
    bad: { language: 'SQL', definitionBody: "d.asks('x')" },
    asks: { language: 'SQL', definitionBody: 'hidden(1)' },
    script: { language: 'JAVASCRIPT', definitionBody: 'return 1' },
    snake: { language: 'PYTHON', definitionBody: 'def snake(x): pass' },
  };
  const script = (...names: string[]): StubScript => ({
    ...NUMBERS,
    statistics: { referencedRoutines: names.map(of) },
    behaviour: ({ path }) => {
      const name = /\/routines\/(.*)$/.exec(path)?.[1];
      return name === undefined ? undefined : { body: bodies[name] };
    },
  });
  const outcome = async (sql: string, names: string[], options: BigQueryOptions = {}): Promise<string> => {
    const { adapter, stub } = await openStub(script(...names), options);
    const error = await adapter.query(sql).then(
      () => undefined,
      (thrown: AskemaError) => thrown,
    );
    if (error !== undefined) expect(stub.jobs.size).toBe(0);
    return error === undefined ? 'ran' : `${error.code}: ${error.message}`;
  };
  expect(await outcome('SELECT d.good(1), SAFE.UPPER(x), `p.d.script`(2)', ['good', 'script'])).toBe('ran');
  expect(await outcome('SELECT d.snake(1)', ['snake'])).toMatch(
    /QUERY_REFUSED: .*p\.d\.snake .*PYTHON.*--allow-function d\.snake/,
  );
  expect(await outcome('SELECT d.snake(1)', ['snake'], { allowFunctions: ['d.snake'] })).toBe('ran');
  expect(await outcome('SELECT d.bad(1)', ['bad'])).toMatch(/QUERY_REFUSED: .*p\.d\.asks .*hidden, which is not known/);
  expect(await outcome('SELECT shiny_new(1)', [])).toMatch(
    /QUERY_NOT_READ_ONLY: .*shiny_new is not known to only read/,
  );
  expect(await outcome('SELECT d.unseen(1)', ['good'])).toMatch(/QUERY_NOT_READ_ONLY: .*d\.unseen/);
  const own = 'CREATE TEMP FUNCTION Half(x FLOAT64) RETURNS FLOAT64 AS (x / 2); SELECT half(1)';
  expect(await outcome(own, [])).toBe('ran');
  expect(await outcome(own.replace('x / 2', 'shiny_new(x)'), [])).toMatch(/QUERY_NOT_READ_ONLY: .*shiny_new/);
});
