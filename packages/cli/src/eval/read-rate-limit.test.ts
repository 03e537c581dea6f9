import { createCallContext, type ModelRequest } from '@askema/core';
import { scriptedModel } from '@askema/testkit';
import { expect, it } from 'vitest';
import { resolveModel } from '../model/resolve-model.ts';
import { readRateLimit } from './read-rate-limit.ts';

it('lets calls of a named model wait for their turn, and stops waiting at Ctrl-C', async () => {
  const inner = scriptedModel(['one', 'two']);
  const loaded = { file: 'askema.config.ts', config: { models: { mine: inner } } };
  const wrap = readRateLimit({ requestsPerMinute: '1' });
  const { model, label } = await resolveModel({ flag: 'mine', loaded, env: {}, wrap });
  expect(label).toBe('scripted:scripted');
  if (!('generate' in model)) throw new Error('not a language model');
  const controller = new AbortController();
  const request: ModelRequest = {
    messages: [{ role: 'user', content: [{ type: 'text', text: 'hello' }] }],
    sample: 0,
    context: createCallContext({ signal: controller.signal }),
  };
  await model.generate(request);
  const second = model.generate(request);
  controller.abort();
  await expect(second).rejects.toMatchObject({ code: 'ABORTED' });
  expect(inner.requests).toHaveLength(1);
});

it('does nothing where no limit is given', () => {
  expect(readRateLimit({})).toBeUndefined();
});
