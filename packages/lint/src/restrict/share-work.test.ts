import { createCallContext } from '@askema/core';
import { expect, test } from 'vitest';
import { shareWork } from './share-work.ts';

const waiter = () => {
  const stop = new AbortController();
  return { stop, context: createCallContext({ signal: stop.signal }) };
};

test('one that is stopped stops waiting, and the work goes on for the others', async () => {
  const [first, second] = [waiter(), waiter()];
  const done = Promise.withResolvers<number>();
  let signal: AbortSignal | undefined;
  const work = shareWork(
    first.context,
    (context) => {
      signal = context.signal;
      return done.promise;
    },
    () => expect.unreachable(),
  );
  const [stopped, other, patient] = [work(first.context), work(second.context), work(createCallContext())];
  first.stop.abort();
  await expect(stopped).rejects.toMatchObject({ code: 'ABORTED' });
  expect(signal?.aborted).toBe(false);
  done.resolve(7);
  expect(await Promise.all([other, patient])).toEqual([7, 7]);
});

test('the work stops with the last that waits', async () => {
  const [first, second] = [waiter(), waiter()];
  let signal: AbortSignal | undefined;
  let stops = 0;
  const work = shareWork(
    first.context,
    (context) => {
      signal = context.signal;
      return new Promise<never>(() => undefined);
    },
    () => {
      stops += 1;
    },
  );
  const both = [work(first.context), work(second.context)];
  first.stop.abort();
  second.stop.abort();
  await Promise.all(both.map((one) => expect(one).rejects.toMatchObject({ code: 'ABORTED' })));
  expect([signal?.aborted, stops]).toEqual([true, 1]);
});
