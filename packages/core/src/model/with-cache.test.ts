import { describe, expect, test } from 'vitest';
import type { FinishReason } from './language-model.ts';
import { memoryCache } from './memory-cache.ts';
import { answer, collect, fakeModel, listeningContext, requestOf, tokens } from './testing/fake-model.ts';
import { withCache } from './with-cache.ts';

const counting = (finishReason: FinishReason = 'stop') =>
  fakeModel((_request, index) =>
    answer(`call ${index}`, { usage: tokens(10, 5), finishReason: { unified: finishReason, raw: 'raw' } }),
  );

describe('a hit', () => {
  test('asks no model, costs nothing, and says what it cost once', async () => {
    const model = counting();
    const cached = withCache(model, { store: memoryCache() });
    const first = await cached.generate(requestOf('x'));
    const second = await cached.generate(requestOf('x'));
    expect(first).toMatchObject({ usage: tokens(10, 5) });
    expect(first.cached).toBeUndefined();
    expect(second).toEqual({ ...first, usage: tokens(0, 0), cached: { usage: tokens(10, 5) } });
    expect(model.requests).toHaveLength(1);
  });

  test('tells repeated samples, requests and tenants apart', async () => {
    const model = counting();
    const cached = withCache(model, { store: memoryCache() });
    const other = listeningContext({ tenant: 'b' }).context;
    for (const request of [
      requestOf('x'),
      requestOf('x', { sample: 1 }),
      requestOf('y'),
      requestOf('x', { context: other }),
    ])
      expect((await cached.generate(request)).cached).toBeUndefined();
    expect((await cached.generate(requestOf('x', { sample: 1 }))).content).toEqual(answer('call 1').content);
    expect((await cached.generate(requestOf('x', { context: other }))).content).toEqual(answer('call 3').content);
  });

  test('cannot be changed by who got it before', async () => {
    const cached = withCache(counting(), { store: memoryCache() });
    const first = await cached.generate(requestOf('x'));
    (first.content as unknown[]).push('tampered');
    expect((await cached.generate(requestOf('x'))).content).toEqual(answer('call 0').content);
  });

  test('streams what was generated, and generates what was streamed', async () => {
    const model = counting();
    const cached = withCache(model, { store: memoryCache() });
    const streamed = await collect(cached.stream!(requestOf('x')));
    const again = await collect(cached.stream!(requestOf('x')));
    expect(again.map((event) => event.type)).toEqual(streamed.map((event) => event.type));
    expect(again.at(-1)).toMatchObject({ type: 'finish', result: { cached: { usage: tokens(10, 5) } } });
    expect((await cached.generate(requestOf('x'))).cached).toBeDefined();
    expect(model.requests).toHaveLength(1);
  });

  test('is not given to a caller who has aborted', async () => {
    const cached = withCache(counting(), { store: memoryCache() });
    await cached.generate(requestOf('x'));
    const { context } = listeningContext({ signal: AbortSignal.abort() });
    await expect(cached.generate(requestOf('x', { context }))).rejects.toMatchObject({ code: 'ABORTED' });
  });
});

test.each<[FinishReason, number]>([
  ['stop', 1],
  ['tool-calls', 1],
  ['length', 2],
  ['content-filter', 2],
  ['refusal', 2],
  ['error', 2],
  ['other', 2],
])('an answer that ended with %s takes %i calls for two questions', async (finishReason, calls) => {
  const model = counting(finishReason);
  const cached = withCache(model, { store: memoryCache() });
  await cached.generate(requestOf('x'));
  await cached.generate(requestOf('x'));
  expect(model.requests).toHaveLength(calls);
});

describe('a store that does not work', () => {
  test('costs a call and a warning, not the answer', async () => {
    const broken = async () => {
      throw new Error('connection lost');
    };
    const result = await withCache(counting(), { store: { get: broken, set: broken } }).generate(requestOf('x'));
    expect(result.content).toEqual(answer('call 0').content);
    expect(result.warnings).toEqual([
      'The model cache could not be read: connection lost',
      'The model cache could not be written: connection lost',
    ]);
  });

  test.each(['no JSON', '{"schemaVersion":2,"result":{"content":"future"}}', '{}'])(
    'an entry %s is no hit',
    async (text) => {
      const result = await withCache(counting(), { store: { get: async () => text, set: async () => {} } }).generate(
        requestOf('x'),
      );
      expect(result.content).toEqual(answer('call 0').content);
    },
  );
});

test('memory keeps what was used last', async () => {
  const store = memoryCache({ maxEntries: 2 });
  await store.set('a', '1');
  await store.set('b', '2');
  await store.get('a');
  await store.set('c', '3');
  expect([await store.get('a'), await store.get('b'), await store.get('c')]).toEqual(['1', undefined, '3']);
  expect(() => memoryCache({ maxEntries: 0 })).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }));
});
