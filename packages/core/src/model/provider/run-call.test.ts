import { expect, test, vi } from 'vitest';
import { createCallContext } from '../../context/call-context.ts';
import type { ModelRequest, ModelResult, StreamEvent } from '../language-model.ts';
import { type CallSite, runCall, runStream } from './run-call.ts';
import { toolArguments } from './tool-arguments.ts';

const site: CallSite = {
  model: 'openai:gpt-x',
  url: 'https://models.example/v1',
  timeoutMs: 1000,
  secrets: [],
  rules: [],
  readVendorError: () => undefined,
};
const requestWith = (signal?: AbortSignal): ModelRequest => ({
  messages: [],
  sample: 0,
  context: createCallContext({ signal }),
});
const result: ModelResult = {
  content: [{ type: 'text', text: 'hello' }],
  finishReason: { unified: 'stop', raw: 'stop' },
  usage: {},
  warnings: [],
};
const untilAborted = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));

async function collect(events: AsyncIterable<StreamEvent>): Promise<StreamEvent[]> {
  const collected: StreamEvent[] = [];
  for await (const event of events) collected.push(event);
  return collected;
}

test('a call that hangs ends at its deadline', async () => {
  vi.useFakeTimers();
  const call = expect(runCall(site, requestWith(), untilAborted)).rejects.toMatchObject({ code: 'MODEL_TIMEOUT' });
  await vi.advanceTimersByTimeAsync(1000);
  await call;
  vi.useRealTimers();
});

test('an aborted caller never reaches the vendor', async () => {
  const call = vi.fn(untilAborted);
  await expect(runCall(site, requestWith(AbortSignal.abort()), call)).rejects.toMatchObject({ code: 'ABORTED' });
  expect(call).not.toHaveBeenCalled();
});

test('a stream passes its events on and stops the request when the consumer leaves', async () => {
  let seen: AbortSignal | undefined;
  async function* endless(signal: AbortSignal): AsyncGenerator<StreamEvent> {
    seen = signal;
    for (;;) yield { type: 'text-delta', text: 'x' };
  }
  for await (const event of runStream(site, requestWith(), endless)) {
    expect(event).toEqual({ type: 'text-delta', text: 'x' });
    break;
  }
  expect(seen?.aborted).toBe(true);
});

test('a stream without its end is an error that may be retried', async () => {
  async function* half(): AsyncGenerator<StreamEvent> {
    yield { type: 'text-delta', text: 'hel' };
  }
  await expect(collect(runStream(site, requestWith(), half))).rejects.toMatchObject({
    code: 'MODEL_UNAVAILABLE',
    retryable: true,
  });
  async function* whole(): AsyncGenerator<StreamEvent> {
    yield { type: 'text-delta', text: 'hello' };
    yield { type: 'finish', result };
  }
  expect(await collect(runStream(site, requestWith(), whole))).toHaveLength(2);
});

test('a stream that its SDK ends quietly after an abort is ABORTED', async () => {
  const controller = new AbortController();
  async function* quiet(): AsyncGenerator<StreamEvent> {
    yield { type: 'text-delta', text: 'hel' };
    controller.abort();
  }
  await expect(collect(runStream(site, requestWith(controller.signal), quiet))).rejects.toMatchObject({
    code: 'ABORTED',
  });
});

test('nothing passes after an abort, even if the SDK still has it', async () => {
  const controller = new AbortController();
  async function* buffered(): AsyncGenerator<StreamEvent> {
    yield { type: 'text-delta', text: 'hel' };
    yield { type: 'text-delta', text: 'lo' };
    yield { type: 'finish', result };
  }
  const seen: StreamEvent[] = [];
  const read = async () => {
    for await (const event of runStream(site, requestWith(controller.signal), buffered)) {
      seen.push(event);
      controller.abort();
    }
  };
  await expect(read()).rejects.toMatchObject({ code: 'ABORTED' });
  expect(seen).toHaveLength(1);
});

test('tool arguments: parsed, absent, or kept as text', () => {
  expect(toolArguments('{"sql":"SELECT 1"}')).toEqual({ arguments: { sql: 'SELECT 1' } });
  expect(toolArguments(' ')).toEqual({ arguments: {} });
  expect(toolArguments('{"sql":')).toEqual({ invalidArguments: '{"sql":' });
});
