import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { eitherSignal } from './either-signal.ts';

test.each(['first', 'lasting'] as const)('fires with the %s one, with its reason', (which) => {
  const sources = { first: new AbortController(), lasting: new AbortController() };
  const { signal } = eitherSignal(sources.first.signal, sources.lasting.signal);
  expect(signal.aborted).toBe(false);
  sources[which].abort('why');
  expect([signal.aborted, signal.reason]).toEqual([true, 'why']);
  expect(eitherSignal(sources.first.signal, sources.lasting.signal).signal.reason).toBe('why');
});

test('leaves nothing behind at either, and fires no more', () => {
  const [first, lasting] = [new AbortController(), new AbortController()];
  const { signal, letGo } = eitherSignal(first.signal, lasting.signal);
  letGo();
  for (const source of [first, lasting]) expect(getEventListeners(source.signal, 'abort')).toEqual([]);
  lasting.abort();
  expect(signal.aborted).toBe(false);
});
