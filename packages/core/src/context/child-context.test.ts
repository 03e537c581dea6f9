import { expect, test } from 'vitest';
import { createCallContext } from './call-context.ts';
import { childContext } from './child-context.ts';

test('path and idempotency key name the part; the rest stays', () => {
  const signal = new AbortController().signal;
  const emit = () => {};
  const parent = createCallContext({
    runId: 'r',
    path: 'flow@1/step#1',
    tags: { team: 'a' },
    tenant: 't',
    signal,
    emit,
  });
  expect(childContext(parent, 'sample-2')).toEqual({
    ...parent,
    path: 'flow@1/step#1/sample-2',
    idempotencyKey: 'r/flow@1/step#1/sample-2',
  });
});

test('parts of one call memoise under names of their own', async () => {
  const recorded = new Map<string, unknown>();
  const keys: (string | undefined)[] = [];
  const parent = createCallContext({
    memo: async (name, call, options) => {
      keys.push(options?.key);
      if (!recorded.has(name)) recorded.set(name, await call(parent));
      return recorded.get(name) as never;
    },
  });
  const ask = (segment: string) =>
    childContext(childContext(parent, 'vote'), segment).memo?.('model', async () => segment, { key: 'same' });
  expect(await Promise.all([ask('sample-1'), ask('sample-2')])).toEqual(['sample-1', 'sample-2']);
  expect([...recorded.keys()]).toEqual(['vote.sample-1.model', 'vote.sample-2.model']);
  expect(keys).toEqual(['same', 'same']);
});

test('contexts outside of a flow never share an idempotency key', () => {
  const keys = Array.from({ length: 100 }, () => createCallContext().idempotencyKey);
  expect(new Set(keys).size).toBe(100);
});
