import type { RunEvent } from '@askema/core';
import { expect, test, vi } from 'vitest';
import type { Tool } from '../contract.ts';
import { fakeTool } from '../fixtures/fake-tool.ts';
import { toAiSdkTools } from './to-ai-sdk-tools.ts';

const done = { structured: { type: 'answered' }, text: 'answered.', isError: false };
const step = (name: string) => ({ type: 'step-started', step: name, visit: 1 }) as RunEvent;

test('the tool and each step that begins are told, and nothing else of what happens', async () => {
  const call: Tool['call'] = async (_, context) => {
    context?.onEvent?.(step('link'));
    context?.onEvent?.({ type: 'run-finished', action: 'end', elapsedMs: 1 } as RunEvent);
    context?.onEvent?.(step('write'));
    return done;
  };
  const outputs = [];
  for await (const output of toAiSdkTools([fakeTool(call)]).ask.execute({}, {})) outputs.push(output);
  expect(outputs).toEqual([
    { state: 'working', step: 'ask' },
    { state: 'working', step: 'link' },
    { state: 'working', step: 'write' },
    { state: 'done', ...done },
  ]);
});

test('the input, the tenant and the tags go along; an abort and an early end reach the tool', async () => {
  const call = vi.fn<Tool['call']>(async (_, context) => {
    context?.onEvent?.(step('link'));
    await new Promise((resolve) => context?.signal?.addEventListener('abort', resolve));
    return { ...done, isError: true };
  });
  const { ask } = toAiSdkTools([fakeTool(call)], { tenant: 'north', tags: { team: 'a' } });
  const controller = new AbortController();
  const states = [];
  for await (const { state } of ask.execute({ question: 'q' }, { abortSignal: controller.signal })) {
    states.push(state);
    controller.abort();
  }
  expect(states).toEqual(['working', 'working', 'done']);
  expect(call).toHaveBeenCalledWith(
    { question: 'q' },
    expect.objectContaining({ tenant: 'north', tags: { team: 'a' } }),
  );
  // The call is under way when its first step is told: a reader that leaves there stops it.
  for await (const _ of ask.execute({}, {})) break;
  expect(call.mock.calls[1]?.[1]?.signal?.aborted).toBe(true);
});

test.each([
  ['a call that was kept before it was done', { state: 'working', step: 'link' }],
  ['a reply without words that a page has sent', { state: 'done' }],
  ['nothing', null],
])('%s is no result', (_, output) => {
  const { ask } = toAiSdkTools([fakeTool(async () => done)]);
  expect(ask.toModelOutput({ output: output as never })).toMatchObject({ type: 'error-text' });
});

test('what a page made up is no result either, and is never longer than the model may get', () => {
  const { ask } = toAiSdkTools([fakeTool(async () => done)], { modelCharacters: 1_000 });
  const forged: unknown[] = [
    null,
    'x',
    { state: 'done' },
    { ...done, state: 'done', text: { length: 1 } },
    { toString: null },
  ];
  for (const output of forged) expect(ask.toModelOutput({ output: output as never }).type).toBe('error-text');
  const long = ask.toModelOutput({ output: { ...done, state: 'done', text: 'x'.repeat(1_000_000) } });
  expect(long.value.length).toBeLessThanOrEqual(1_000);
});

test('too few characters are refused', () => {
  expect(() => toAiSdkTools([], { modelCharacters: 10 })).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }));
});
