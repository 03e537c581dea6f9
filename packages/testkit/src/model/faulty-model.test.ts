import { AskemaError, createCallContext, type ModelRequest, type StreamEvent, textOf, userMessage } from '@askema/core';
import { expect, test } from 'vitest';
import { faultyModel, type ModelFaults, NONSENSE } from './faulty-model.ts';
import { scriptedModel } from './scripted-model.ts';

const requestWith = (signal?: AbortSignal): ModelRequest => ({
  messages: [userMessage('How many?')],
  sample: 0,
  context: createCallContext({ signal }),
});
const modelWith = (faults: ModelFaults) =>
  faultyModel(
    scriptedModel(() => ({ text: 'There are 🦊 twelve.' })),
    faults,
  );
const textDeltas = (events: readonly StreamEvent[]) =>
  events.map((event) => (event.type === 'text-delta' ? event.text : '')).join('');

test('a storm of 429, then the answer', async () => {
  const model = modelWith([{ kind: 'rate-limit', retryAfterMs: 1000 }, { kind: 'rate-limit' }]);
  await expect(model.generate(requestWith())).rejects.toMatchObject({
    code: 'MODEL_RATE_LIMITED',
    retryable: true,
    details: { retryAfterMs: 1000 },
  });
  const second: unknown = await model.generate(requestWith()).catch((error: unknown) => error);
  expect((second as AskemaError).details).toEqual({ status: 429 });
  expect(textOf((await model.generate(requestWith())).content)).toBe('There are 🦊 twelve.');
  expect(model.requests).toHaveLength(3);
});

test('a call that hangs ends with its caller, and only then', async () => {
  const controller = new AbortController();
  const call = modelWith([{ kind: 'hang' }]).generate(requestWith(controller.signal));
  let settled = false;
  call
    .catch(() => {})
    .finally(() => {
      settled = true;
    });
  await new Promise((resolve) => setImmediate(resolve));
  expect(settled).toBe(false);
  controller.abort();
  await expect(call).rejects.toMatchObject({ code: 'ABORTED' });
});

test('a dropped connection, and an error of the test', async () => {
  const own = new AskemaError('MODEL_NOT_FOUND', 'x');
  const model = modelWith([{ kind: 'drop' }, { kind: 'error', error: own }]);
  await expect(model.generate(requestWith())).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE', retryable: true });
  await expect(model.generate(requestWith())).rejects.toBe(own);
});

test('half a stream: some deltas, no end, an error that may be retried', async () => {
  for (const [afterCharacters, expected] of [
    [undefined, 'There are'],
    [11, 'There are 🦊'],
    [0, ''],
  ] as const) {
    const events: StreamEvent[] = [];
    const read = async () => {
      for await (const event of modelWith([{ kind: 'half-stream', afterCharacters }]).stream(requestWith()))
        events.push(event);
    };
    await expect(read()).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE', retryable: true });
    expect(textDeltas(events)).toBe(expected);
    expect(events.some((event) => event.type === 'finish')).toBe(false);
  }
  await expect(modelWith([{ kind: 'half-stream' }]).generate(requestWith())).rejects.toMatchObject({
    code: 'MODEL_UNAVAILABLE',
  });
});

test('nonsense instead of the answer, both ways', async () => {
  const model = modelWith((_request, index) => ({ kind: 'nonsense', ...(index === 1 ? { text: 'blah' } : {}) }));
  expect(textOf((await model.generate(requestWith())).content)).toBe(NONSENSE);
  const events: StreamEvent[] = [];
  for await (const event of model.stream(requestWith())) events.push(event);
  expect(textDeltas(events)).toBe('blah');
  expect(events.at(-1)).toMatchObject({ type: 'finish', result: { finishReason: { unified: 'stop' } } });
});

test('a slow call waits for what the test gives it', async () => {
  let release: () => void = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const model = modelWith([{ kind: 'slow', wait: () => released }]);
  const call = model.generate(requestWith());
  release();
  expect(textOf((await call).content)).toBe('There are 🦊 twelve.');
});

test('without a fault it is the model itself', async () => {
  const inner = scriptedModel(['a', 'b'], { provider: 'p', modelId: 'm' });
  const model = faultyModel(inner, []);
  expect(model).toMatchObject({ contract: 1, provider: 'p', modelId: 'm', capabilities: inner.capabilities });
  expect(textOf((await model.generate(requestWith())).content)).toBe('a');
  const events: StreamEvent[] = [];
  for await (const event of model.stream(requestWith())) events.push(event);
  expect(textDeltas(events)).toBe('b');
});
