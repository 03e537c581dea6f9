import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { TypeValidationError } from '@ai-sdk/provider';
import { expect, test } from 'vitest';
import { eventsOf, NO_USAGE, streaming } from '../test-support/mock-models.ts';

const finish = (unified: 'stop' | 'other' | 'interrupted', raw?: string): LanguageModelV4StreamPart => ({
  type: 'finish',
  finishReason: { unified, raw },
  usage: NO_USAGE,
});
const text = (delta: string, id = '0'): LanguageModelV4StreamPart => ({ type: 'text-delta', id, delta });

test('texts and reasoning that are written at the same time stay apart, in the order in which they began', async () => {
  const events = await eventsOf(
    streaming(
      { type: 'stream-start', warnings: [{ type: 'other', message: 'Careful.' }] },
      { type: 'response-metadata', id: 'resp-1', modelId: 'm-2026' },
      { type: 'reasoning-start', id: '0' },
      { type: 'text-start', id: '0' },
      { type: 'text-start', id: '1' },
      text('one '),
      { type: 'reasoning-delta', id: '0', delta: 'Hm.' },
      text('two', '1'),
      text('and a half'),
      { type: 'ping' },
      { type: 'reasoning-delta', id: '0', delta: '', providerMetadata: { mock: { signature: 'sig' } } },
      { type: 'reasoning-end', id: '0' },
      { type: 'text-end', id: '0', providerMetadata: { mock: { itemId: 'msg' } } },
      { type: 'text-start', id: 'empty' },
      { type: 'text-end', id: 'empty' },
      // Ids may come again.
      { type: 'text-start', id: '0' },
      text(' three'),
      { type: 'tool-input-start', id: 'c1', toolName: 'run' },
      { type: 'tool-input-delta', id: 'c1', delta: '{}' },
      { type: 'tool-input-end', id: 'c1' },
      { type: 'tool-call', toolCallId: 'c1', toolName: 'run', input: '{}' },
      finish('stop', 'stop'),
    ),
  );
  const provider = 'ai-sdk:mock-provider';
  expect(events.flatMap((event) => ('text' in event ? [[event.type, event.text]] : []))).toEqual([
    ['text-delta', 'one '],
    ['reasoning-delta', 'Hm.'],
    ['text-delta', 'two'],
    ['text-delta', 'and a half'],
    ['text-delta', ' three'],
  ]);
  const content = [
    { type: 'reasoning', text: 'Hm.', vendor: { provider, data: { mock: { signature: 'sig' } } } },
    { type: 'text', text: 'one and a half', vendor: { provider, data: { mock: { itemId: 'msg' } } } },
    { type: 'text', text: 'two' },
    { type: 'text', text: ' three' },
    { type: 'tool-call', id: 'c1', name: 'run', arguments: {} },
  ];
  expect(events.flatMap((event) => (event.type === 'part' ? [event.part] : []))).toEqual(content);
  expect(events.at(-1)).toEqual({
    type: 'finish',
    result: {
      content,
      finishReason: { unified: 'tool-calls', raw: 'stop' },
      usage: {},
      warnings: ['Careful.'],
      responseId: 'resp-1',
      modelId: 'm-2026',
    },
  });
});

test('what is only for the moment is no part of the answer', async () => {
  const result = { type: 'tool-result', toolCallId: 'c0', toolName: 'web' } as const;
  const events = await eventsOf(
    streaming(
      { type: 'custom', kind: 'anthropic.message_start' },
      { ...result, result: { found: 0 }, preliminary: true },
      { ...result, result: { found: 1 } },
      finish('stop', 'stop'),
    ),
  );
  const vendor = { provider: 'ai-sdk:mock-provider', data: { ...result, result: { found: 1 } } };
  expect(events.at(-1)).toMatchObject({ result: { content: [{ type: 'vendor', vendor }] } });
});

test.each<[what: string, parts: LanguageModelV4StreamPart[]]>([
  ['no finish', [text('half')]],
  ['a finish that the provider made up', [text('half'), finish('other')]],
  ['an interrupted one', [text('half'), finish('interrupted')]],
  ['nothing at all', []],
])('9: %s is half an answer', async (_, parts) => {
  await expect(eventsOf(streaming(...parts))).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE', retryable: true });
});

test('9: an end for which the vendor has its own word is an end', async () => {
  const events = await eventsOf(streaming(text('whole'), finish('other', 'pause_turn')));
  expect(events.at(-1)).toMatchObject({ result: { finishReason: { unified: 'other', raw: 'pause_turn' } } });
});

test.each<[error: unknown, code: string, retryable: boolean]>([
  [{ type: 'overloaded_error', message: 'Overloaded.' }, 'MODEL_UNAVAILABLE', true],
  [{ error: { code: 'rate_limit_exceeded', message: 'Slow down.' } }, 'MODEL_RATE_LIMITED', true],
  [{ type: 'INTERNAL', code: 500, statusCode: 500, message: 'Broke.' }, 'MODEL_UNAVAILABLE', true],
  [{ type: 'whatever', statusCode: 429, message: 'Slow down.' }, 'MODEL_RATE_LIMITED', true],
  [
    new TypeValidationError({ value: { error: { type: 'server_error', message: 'Broke.' } }, cause: 'x' }),
    'MODEL_UNAVAILABLE',
    true,
  ],
  [new TypeValidationError({ value: { choices: 1 }, cause: 'x' }), 'MODEL_REQUEST_FAILED', false],
  [{ code: 'content_filter', message: 'No.' }, 'MODEL_CONTENT_FILTERED', false],
  ['something broke', 'MODEL_REQUEST_FAILED', false],
  [new TypeError('terminated'), 'MODEL_UNAVAILABLE', true],
  [null, 'MODEL_REQUEST_FAILED', false],
])('9: the event of an error, %j, is thrown as %s, whatever follows', async (error, code, retryable) => {
  const model = streaming(text('half'), { type: 'error', error }, finish('stop', 'stop'));
  await expect(eventsOf(model)).rejects.toMatchObject({ code, retryable });
});
