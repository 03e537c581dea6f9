import { AskemaError } from '@askema/core';
import { expect, test, vi } from 'vitest';
import { runCall, type SessionCall, streamCall } from './session-call.ts';
import { type FakeSession, fakePool } from './test-support/fake-session.ts';

const never = new Promise<never>(() => undefined);

function callWith(options: Partial<SessionCall<FakeSession, string>> = {}): SessionCall<FakeSession, string> {
  return {
    what: 'The query',
    begin: async ({ done }) => {
      done.push('begin');
      return 'begun';
    },
    rest: async ({ done }) => void done.push('rest'),
    explain: (thrown, open) =>
      new AskemaError('QUERY_FAILED', `${open === undefined ? 'beginning' : 'working'}: ${String(thrown)}`),
    ...options,
  };
}

test('a call begins, works, rests, and gives its session back', async () => {
  const { pool, opened } = fakePool();
  const work = vi.fn(async ({ begun }: { readonly begun: string }) => `${begun} and done`);
  expect(await runCall(pool, callWith(), work)).toBe('begun and done');
  expect(await runCall(pool, callWith(), async () => undefined)).toBeUndefined();
  expect(opened.map(({ done }) => done)).toEqual([
    ['hold', 'begin', 'rest', 'let go', 'hold', 'begin', 'rest', 'let go'],
  ]);
});

test('rows that nobody wants any more end the work, and the session rests', async () => {
  const { pool, opened } = fakePool();
  const left = vi.fn();
  for await (const row of streamCall(pool, callWith(), async function* () {
    try {
      for (let number = 0; ; number += 1) yield number;
    } finally {
      left();
    }
  }))
    if (row === 3) break;
  expect(left).toHaveBeenCalledOnce();
  expect(opened[0]?.done.slice(-2)).toEqual(['rest', 'let go']);
});

test('at the deadline the server is told to stop, and the session is not used again', async () => {
  const { pool, opened } = fakePool();
  await expect(runCall(pool, callWith({ timeoutMs: 20 }), ({ limits }) => limits.race(never))).rejects.toMatchObject({
    code: 'QUERY_TIMEOUT',
  });
  expect(opened[0]?.done.slice(2)).toEqual(['cancel', 'rest', 'hold', 'cut']);
  expect(pool.size).toBe(0);
});

test('a limit that is over after the call touches no other one', async () => {
  const { pool, opened } = fakePool({ poolSize: 1 });
  const controller = new AbortController();
  await runCall(pool, callWith({ signal: controller.signal }), async () => undefined);
  await runCall(pool, callWith(), async () => controller.abort());
  expect(opened[0]?.done).not.toContain('cancel');
});

test('an idle session that turns out to be gone is replaced, once', async () => {
  const { pool, opened } = fakePool();
  await runCall(pool, callWith(), async () => undefined);
  const begin = async (session: FakeSession): Promise<string> => {
    if (session.id > 0) return 'fresh';
    session.connection.lost();
    throw new Error('terminated');
  };
  expect(await runCall(pool, callWith({ begin }), async ({ begun }) => begun)).toBe('fresh');
  expect(opened[0]?.done.slice(-2)).toEqual(['hold', 'cut']);
  const lost = async (session: FakeSession): Promise<string> => {
    session.connection.lost();
    throw new Error('terminated');
  };
  await expect(runCall(fakePool().pool, callWith({ begin: lost }), async () => undefined)).rejects.toMatchObject({
    message: 'beginning: Error: terminated',
  });
});

test('the reason is the limit, then what has one already, then a close, then what the driver says', async () => {
  const { pool } = fakePool();
  const failing = (error: unknown) => () => Promise.reject(error);
  await expect(runCall(pool, callWith(), failing('syntax'))).rejects.toMatchObject({ message: 'working: syntax' });
  const refused = new AskemaError('QUERY_REFUSED', 'Not here.');
  await expect(runCall(pool, callWith(), failing(refused))).rejects.toBe(refused);
  const controller = new AbortController();
  const explain = async (): Promise<AskemaError> => {
    controller.abort();
    return refused;
  };
  await expect(
    runCall(pool, callWith({ signal: controller.signal, explain }), failing('cut off')),
  ).rejects.toMatchObject({ code: 'ABORTED' });
  const closing = runCall(pool, callWith(), async () => {
    await pool.close();
    throw new Error('cut off');
  });
  await expect(closing).rejects.toMatchObject({ code: 'DATABASE_CLOSED' });
});
