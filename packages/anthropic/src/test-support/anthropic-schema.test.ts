import { expect, test } from 'vitest';
import { anthropicBodyCheck } from './anthropic-schema.ts';

test('the check of request bodies lets the right ones pass and sees what is wrong', () => {
  const check = anthropicBodyCheck();
  const body = { model: 'm', max_tokens: 5, messages: [{ role: 'user', content: 'x' }] };
  expect(check({ ...body, temperature: 0 })).toEqual([]);
  expect(check({ model: 'm', messages: [] })).not.toEqual([]);
  expect(check({ ...body, max_token: 5 })).not.toEqual([]);
  expect(check({ ...body, messages: [{ role: 'user', content: [{ type: 'text' }] }] })).not.toEqual([]);
  expect(check({ ...body, tools: [{ name: 't' }] })).not.toEqual([]);
}, 60_000);
