import { expect, test } from 'vitest';
import { AskemaError } from '../errors/askema-error.ts';
import { answer, collect, fakeModel, listeningContext, requestOf, tokens } from './testing/fake-model.ts';
import { withEvents } from './with-events.ts';

function ticking() {
  let now = 1000;
  const tick = () => {
    now += 250;
    return now;
  };
  return { clock: { now: tick } };
}

test('tells what a call was and cost, never the prompt or the answer', async () => {
  const { context, events } = listeningContext();
  const model = fakeModel(() => answer('the secret answer', { usage: tokens(12, 3) }));
  await withEvents(model, { runtime: ticking() }).generate(requestOf('the secret prompt', { context, sample: 1 }));
  expect(events).toEqual([
    {
      type: 'model-call',
      data: { provider: 'fake', modelId: 'one', sample: 1, elapsedMs: 250, finishReason: 'stop', usage: tokens(12, 3) },
    },
  ]);
  expect(JSON.stringify(events)).not.toContain('secret');
});

test('a call that failed tells its code', async () => {
  const { context, events } = listeningContext();
  const model = fakeModel(() => {
    throw new AskemaError('MODEL_TIMEOUT', 'too slow');
  });
  await expect(withEvents(model).generate(requestOf('x', { context }))).rejects.toThrow('too slow');
  await expect(collect(withEvents(model).stream!(requestOf('x', { context })))).rejects.toThrow('too slow');
  expect(events.map(({ data }) => data.error)).toEqual(['MODEL_TIMEOUT', 'MODEL_TIMEOUT']);
});

test('a stream tells once, at its end, also when the reader leaves early', async () => {
  const { context, events } = listeningContext();
  const model = withEvents(fakeModel(() => answer('x', { usage: tokens(1, 1) })));
  await collect(model.stream!(requestOf('x', { context })));
  for await (const _event of model.stream!(requestOf('x', { context }))) break;
  expect(events.map(({ data }) => [data.finishReason, data.error])).toEqual([
    ['stop', undefined],
    [undefined, 'ABORTED'],
  ]);
});

test('an answer from a cache, or of another model, says so', async () => {
  const { context, events } = listeningContext();
  const model = fakeModel(() => answer('x', { cached: { usage: {} }, answeredBy: 'fake:two' }));
  await withEvents(model).generate(requestOf('x', { context }));
  expect(events[0]?.data).toMatchObject({ cached: true, answeredBy: 'fake:two' });
});

test('what nobody sees in a prompt is sent as an escape, and the words of the model as they were', async () => {
  const sent: unknown[] = [];
  const model = fakeModel((request) => {
    sent.push(request.messages);
    return answer('x', { usage: tokens(1, 1) });
  });
  const part = (text: string) => ({ type: 'text', text }) as const;
  const hidden = 'a\u{e0041}\u202e\u200b\nb 👩‍👧';
  await withEvents(model).generate({
    ...requestOf('x'),
    messages: [
      { role: 'system', content: [part(hidden)] },
      { role: 'user', content: [part(hidden)] },
      { role: 'assistant', content: [part(hidden)] },
      { role: 'tool', content: [{ type: 'tool-result', toolCallId: '1', name: 't', text: hidden }] },
    ],
  });
  const shown = 'a\\u{e0041}\\u{202e}\\u{200b}\nb 👩‍👧';
  expect(sent[0]).toMatchObject([shown, shown, hidden, shown].map((text) => ({ content: [{ text }] })));
});
