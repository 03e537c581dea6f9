import { expect, test } from 'vitest';
import { openAiBodyCheck } from './openai-schema.ts';

const check = openAiBodyCheck();

test.skipIf(check === undefined)('the check of request bodies lets the right ones pass and sees what is wrong', () => {
  const messages = [{ role: 'user', content: 'x' }];
  expect(check?.({ model: 'm', messages }, 'chat')).toEqual([]);
  expect(check?.({ model: 'm' }, 'chat')).not.toEqual([]);
  expect(check?.({ model: 'm', messages: [{ role: 'nobody', content: 'x' }] }, 'chat')).not.toEqual([]);
  expect(check?.({ model: 'm', messages, max_token: 5 }, 'chat')).toEqual(['/max_token is unknown']);
  expect(check?.({ model: 'm', input: [{ role: 'user', content: 'x' }], store: false }, 'responses')).toEqual([]);
  expect(check?.({ model: 'm', input: [{ role: 'user', content: 5 }] }, 'responses')).not.toEqual([]);
  expect(check?.({ model: 'm', input: 'x', text: { format: { type: 'json_schema' } } }, 'responses')).not.toEqual([]);
});
