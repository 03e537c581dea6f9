import { expect, test } from 'vitest';
import { fromModel } from '../task/from-model.ts';
import type { LanguageModel } from './language-model.ts';
import { answer, collect, fakeModel, requestOf, withoutStream } from './testing/fake-model.ts';
import { withDefaults } from './with-defaults.ts';
import { withEvents } from './with-events.ts';
import { withFallback } from './with-fallback.ts';
import { streamOf } from './wrap-model.ts';

const stacked = (model: LanguageModel) => withEvents(withDefaults(withFallback([model]), {}));

test('a stack of wrappers is what the model is, and streams exactly when it does', () => {
  const model = fakeModel(() => answer('x'), { capabilities: { tools: true, contextTokens: 8 } });
  expect(stacked(model)).toMatchObject({
    contract: 1,
    provider: 'fake',
    modelId: 'one',
    capabilities: { tools: true },
  });
  expect('stream' in stacked(model)).toBe(true);
  expect('stream' in stacked(withoutStream(model))).toBe(false);
});

test('a model that does not stream can be read like one', async () => {
  const parts = [
    { type: 'reasoning', text: 'hm' },
    { type: 'tool-call', id: '1', name: 't' },
    { type: 'text', text: 'x' },
  ] as const;
  const events = await collect(
    streamOf(withoutStream(fakeModel(() => answer('', { content: parts }))))(requestOf('q')),
  );
  expect(events).toEqual([
    { type: 'reasoning-delta', text: 'hm' },
    { type: 'part', part: parts[0] },
    { type: 'part', part: parts[1] },
    { type: 'text-delta', text: 'x' },
    { type: 'part', part: parts[2] },
    { type: 'finish', result: answer('', { content: parts }) },
  ]);
});

test.each([undefined, 2])('a model of contract %s is refused with what to upgrade', (contract) => {
  const model = fakeModel(() => answer('x'), { contract: contract as 1 });
  for (const wrap of [() => withEvents(model), () => withFallback([model]), () => fromModel(model)])
    expect(wrap).toThrow(
      expect.objectContaining({ code: 'CONTRACT_MISMATCH', message: expect.stringContaining('fake:one') }),
    );
});
