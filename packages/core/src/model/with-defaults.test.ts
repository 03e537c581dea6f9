import { expect, test } from 'vitest';
import { answer, collect, fakeModel, requestOf } from './testing/fake-model.ts';
import { withDefaults } from './with-defaults.ts';

const tool = { name: 'execute_sql', description: 'Runs SQL', parameters: { type: 'object' } };

test('fills what the request leaves open, and nothing else', async () => {
  const model = fakeModel(() => answer('x'));
  const wrapped = withDefaults(model, { temperature: 0, maxOutputTokens: 100, stop: ['END'] });
  await wrapped.generate(requestOf('x', { temperature: undefined, maxOutputTokens: 7 }));
  await collect(wrapped.stream!(requestOf('x')));
  expect(model.requests[0]).toMatchObject({ temperature: 0, maxOutputTokens: 7, stop: ['END'], sample: 0 });
  expect(model.requests[1]).toMatchObject({ temperature: 0, maxOutputTokens: 100 });
  expect(model.requests[0]?.messages).toEqual(requestOf('x').messages);
});

test('provider options are merged key by key; the request wins', async () => {
  const model = fakeModel(() => answer('x'));
  const wrapped = withDefaults(model, {
    providerOptions: { openai: { store: false, user: 'a' }, ollama: { num_ctx: 8192 } },
  });
  await wrapped.generate(requestOf('x', { providerOptions: { openai: { user: 'b' } } }));
  expect(model.requests[0]?.providerOptions).toEqual({
    openai: { store: false, user: 'b' },
    ollama: { num_ctx: 8192 },
  });
});

test('a tool choice is only sent along with tools', async () => {
  const model = fakeModel(() => answer('x'));
  const wrapped = withDefaults(model, { toolChoice: 'required' });
  await wrapped.generate(requestOf('x'));
  await wrapped.generate(requestOf('x', { tools: [tool] }));
  expect(model.requests.map((request) => request.toolChoice)).toEqual([undefined, 'required']);
});
