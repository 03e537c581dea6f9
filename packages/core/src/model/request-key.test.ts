import { expect, test } from 'vitest';
import { createCallContext } from '../context/call-context.ts';
import { assistantMessage, type ModelRequest, systemMessage } from './language-model.ts';
import { requestKey } from './request-key.ts';
import { requestOf } from './testing/fake-model.ts';

const model = { provider: 'p', modelId: 'm' };
const schema = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } } };
const swapped = { type: 'object', properties: { b: { type: 'string' }, a: { type: 'string' } } };
const tool = { name: 't', description: 'd', parameters: schema };
const base = requestOf('x', { output: { name: 'o', schema }, tools: [tool] });
const keyOf = (overrides: Partial<ModelRequest>) => requestKey(model, { ...base, ...overrides });

test.each<[string, Partial<ModelRequest>]>([
  ['message', { messages: requestOf('y').messages }],
  ['role', { messages: [systemMessage('x')] }],
  ['another message', { messages: [...base.messages, assistantMessage('')] }],
  [
    'division into parts',
    {
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'x' },
            { type: 'text', text: '' },
          ],
        },
      ],
    },
  ],
  ['sample', { sample: 1 }],
  ['temperature', { temperature: 0 }],
  ['topP', { topP: 1 }],
  ['maxOutputTokens', { maxOutputTokens: 1 }],
  ['stop', { stop: ['x'] }],
  ['seed', { seed: 0 }],
  ['toolChoice', { toolChoice: 'none' }],
  ['tools', { tools: [{ ...tool, description: 'e' }] }],
  ['no tools', { tools: undefined }],
  ['output', { output: undefined }],
  ['order of properties in the output', { output: { name: 'o', schema: swapped } }],
  ['order of properties in a tool', { tools: [{ ...tool, parameters: swapped }] }],
  ['providerOptions', { providerOptions: { openai: { store: true } } }],
])('the key changes with %s', (_name, overrides) => {
  expect(keyOf(overrides)).not.toBe(keyOf({}));
});

test('the key changes with the model', () => {
  const keys = [model, { ...model, provider: 'q' }, { ...model, modelId: 'n' }].map((other) => requestKey(other, base));
  expect(new Set(keys).size).toBe(3);
});

test('context, order of keys, and settings that are undefined do not count', () => {
  const options = { a: { x: 1, y: 2 } };
  const reordered = { a: { y: 2, x: 1 } };
  expect(keyOf({ context: createCallContext(), temperature: undefined })).toBe(keyOf({}));
  expect(keyOf({ providerOptions: options })).toBe(keyOf({ providerOptions: reordered }));
  expect(keyOf({})).toMatch(/^[0-9a-f]{64}$/);
});
