import {
  AskemaError,
  createCallContext,
  type ErrorCode,
  type PlanVerdict,
  QUERY_DEFAULTS,
  type ResultEvent,
} from '@askema/core';
import { mysqlDialect, postgresDialect } from '@askema/dialects';
import { expect, test, vi } from 'vitest';
import { changeEvents } from './change-events.ts';
import { executorOf } from './executor-of.ts';
import { plannerOf } from './planner-of.ts';
import { positionalParameters } from './positional-parameters.ts';
import { quoteValue } from './quote-value.ts';
import { prepareGuarded, refuseText } from './refuse-text.ts';

const column = { name: 'id', nativeType: 'int', type: 'NUMERIC' } as const;

async function collect(events: AsyncIterable<ResultEvent>): Promise<readonly ResultEvent[]> {
  const all: ResultEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

test('a change runs to its end whatever the caps, and is told after its commit', async () => {
  const order: string[] = [];
  async function* batches() {
    for (let id = 0; id < 5; id += 1) yield [[id], [id]];
    order.push('drained');
  }
  const commit = async (): Promise<number> => order.push('committed') + 8;
  const events = await collect(changeEvents(batches(), { columns: [column], maxRows: 3, maxBytes: 1_000, commit }));
  expect(order).toEqual(['drained', 'committed']);
  expect(events).toEqual([
    { type: 'columns', columns: [column] },
    { type: 'rows', rows: [[0], [0], [1]] },
    { type: 'end', truncated: 'rows', affectedRows: 10 },
  ]);
  const large = changeEvents([[['x'.repeat(50)], ['y']]], { columns: [column], maxRows: 9, maxBytes: 10, commit });
  expect((await collect(large)).at(-1)).toMatchObject({ truncated: 'bytes' });
  const failed = changeEvents([], { columns: [], maxRows: 1, maxBytes: 1, commit: () => Promise.reject('deferred') });
  await expect(collect(failed)).rejects.toBe('deferred');
});

const never = ['BEGIN', 'SET'];

test.each([
  ['', 'read', 'QUERY_FAILED', undefined],
  ['  -- nothing', 'write', 'QUERY_FAILED', undefined],
  ['SELECT 1', 'read', undefined, undefined],
  ['SELECT 1;\nDELETE FROM t', 'read', 'QUERY_NOT_READ_ONLY', 2],
  ['DELETE FROM t', 'read', 'QUERY_NOT_READ_ONLY', 1],
  ['DELETE FROM t', 'write', undefined, undefined],
  ['DELETE FROM t; DELETE FROM u', 'write', 'QUERY_REFUSED', undefined],
  ['/* now */ begin', 'write', 'QUERY_REFUSED', undefined],
] as const)('the text %j with access %s: %s', (sql, access, code, line) => {
  const refusal = refuseText(sql, access, postgresDialect, never);
  expect([refusal?.code, refusal?.details.position?.line]).toEqual([code, line]);
});

test('a mistake in the syntax is said before a refusal, and a refusal before every other complaint', async () => {
  const refusal = new AskemaError('QUERY_NOT_READ_ONLY', 'No.');
  const isSyntax = (thrown: unknown): boolean => thrown === 'syntax';
  const complain = (what: string) => () => Promise.reject(what);
  await expect(prepareGuarded(refusal, complain('syntax'), isSyntax)).rejects.toBe('syntax');
  await expect(prepareGuarded(refusal, complain('no such table'), isSyntax)).rejects.toBe(refusal);
  await expect(prepareGuarded(refusal, async () => 1, isSyntax)).rejects.toBe(refusal);
  await expect(prepareGuarded(undefined, complain('no such table'), isSyntax)).rejects.toBe('no such table');
  expect(await prepareGuarded(undefined, async () => 1, isSyntax)).toBe(1);
});

test('a plan is invalid by what is said of the statement, and by nothing else', async () => {
  const plan = (answer: PlanVerdict | ErrorCode) =>
    plannerOf(async (sql, { timeoutMs }) => {
      if (typeof answer !== 'string') return { ...answer, estimatedRows: Number(timeoutMs) + sql.length };
      throw new AskemaError(answer, 'It failed.', { details: { vendorCode: '42P01' } });
    }).check('SELECT 1', { timeoutMs: 100, context: createCallContext() });
  expect(await plan({ verdict: 'ok' })).toEqual({ verdict: 'ok', estimatedRows: 108 });
  expect(await plan('QUERY_FAILED')).toMatchObject({
    verdict: 'invalid',
    error: { message: 'It failed.', details: { code: 'QUERY_FAILED', vendorCode: '42P01' } },
  });
  await expect(plan('QUERY_TIMEOUT')).rejects.toMatchObject({ code: 'QUERY_TIMEOUT' });
  await expect(plan('DATABASE_UNAVAILABLE')).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' });
});

test('an executor runs nothing that was not granted or is aborted', async () => {
  const run = vi.fn(async function* () {
    yield { type: 'end' } as const;
  });
  const execute = (access: 'read' | 'write', signal?: AbortSignal) =>
    collect(
      executorOf({ name: 'shop', access: 'read' }, 'it with `shop()`', run).execute('SELECT 1', {
        ...QUERY_DEFAULTS,
        access,
        context: createCallContext({ signal }),
      }),
    );
  await expect(execute('write')).rejects.toMatchObject({ code: 'CONFIG_INVALID', message: /open it with `shop\(\)`/ });
  await expect(execute('read', AbortSignal.abort())).rejects.toMatchObject({ code: 'ABORTED' });
  expect(run).not.toHaveBeenCalled();
  expect(await execute('read')).toEqual([{ type: 'end' }]);
});

test('parameters by name are refused where there are none', () => {
  expect(positionalParameters(undefined, 'MySQL', '? for each')).toEqual([]);
  expect(positionalParameters([1, 'a'], 'MySQL', '? for each')).toEqual([1, 'a']);
  expect(() => positionalParameters({ a: 1 }, 'MySQL', '? for each')).toThrow(
    /MySQL has no .*write \? for each and give/,
  );
});

test('values are literals that give the same value back', () => {
  const values = [null, true, 1.5, 2n ** 70n, "it's", new Uint8Array([0, 255])];
  expect(values.map((value) => quoteValue(value, postgresDialect))).toEqual([
    'NULL',
    'TRUE',
    '1.5',
    '1180591620717411303424',
    "'it''s'",
    "X'00ff'",
  ]);
  expect(quoteValue('a\\', mysqlDialect)).toBe(String.raw`'a\\'`);
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY, 'a\0b'])
    expect(() => quoteValue(value, postgresDialect)).toThrow(expect.objectContaining({ code: expect.any(String) }));
});

test.each([
  ['comments', `SELECT ${'/*'.repeat(1_001)} ${'*/'.repeat(1_001)} 1`],
  ['comments', `SELECT 1 ${'/*'.repeat(200_000)}`],
  ['brackets', `SELECT ${'('.repeat(1_001)}1${')'.repeat(1_001)}`],
  ['brackets', `SELECT ${'ARRAY['.repeat(1_001)}1${']'.repeat(1_001)}`],
  ['brackets', `SELECT ${"{'a': ".repeat(1_001)}1${'}'.repeat(1_001)}`],
  ['CASE', `SELECT ${'CASE WHEN true THEN '.repeat(1_001)}1${' END'.repeat(1_001)}`],
  ['signs and NOT', `SELECT ${'NOT '.repeat(1_001)}true`],
  ['signs and NOT', `SELECT ${'- /**/ ~ + '.repeat(400)}1`],
])('%s that nest deeper than 1,000 are sent to no engine', (what, sql) => {
  for (const access of ['read', 'write'] as const)
    expect(() => refuseText(sql, access, postgresDialect)).toThrow(`it nests ${what} more than 1000 deep`);
});

test('many comments and brackets side by side, and those in texts, are sent', () => {
  const wide = `SELECT ${'/* /* */ */ (1) + CASE WHEN NOT true THEN - 1 END + '.repeat(2_000)}1, '${'('.repeat(2_000)}${'/*'.repeat(2_000)}'`;
  expect(refuseText(wide, 'read', postgresDialect)).toBeUndefined();
});
