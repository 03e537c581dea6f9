import { type Adapter, AskemaError, type Catalog, type IntrospectOptions } from '@askema/core';
import { expect, test } from 'vitest';
import { readCatalogEarly } from './read-catalog-early.ts';

function adapterOf(answers: readonly (string | Error)[]) {
  const asked: (IntrospectOptions | undefined)[] = [];
  const introspect = async (options?: IntrospectOptions): Promise<Catalog> => {
    const answer = answers[asked.push(options) - 1];
    if (answer instanceof Error) throw answer;
    return { name: answer } as Catalog;
  };
  return { inner: { introspect } as Adapter, asked };
}

test('the catalog is read before anybody asks, once for the first who does', async () => {
  const { inner, asked } = adapterOf(['early', 'later']);
  const { signal } = new AbortController();
  const adapter = readCatalogEarly(inner, { signal });
  expect(asked.map((options) => options?.context?.signal)).toEqual([signal]);
  expect([(await adapter.introspect()).name, (await adapter.introspect()).name]).toEqual(['early', 'later']);
});

test('a part of the catalog is read by itself', async () => {
  const { inner, asked } = adapterOf(['early', 'part']);
  const adapter = readCatalogEarly(inner, { signal: undefined });
  expect((await adapter.introspect({ include: ['a*'] })).name).toBe('part');
  expect(asked.at(-1)?.include).toEqual(['a*']);
  expect((await adapter.introspect()).name).toBe('early');
});

test('a failure is told to the first who asks, and the next tries again', async () => {
  const { inner } = adapterOf([new AskemaError('DATABASE_UNAVAILABLE', 'gone'), 'later']);
  const adapter = readCatalogEarly(inner, { signal: undefined });
  await expect(adapter.introspect()).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' });
  expect((await adapter.introspect()).name).toBe('later');
});
