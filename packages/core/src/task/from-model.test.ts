import { describe, expect, expectTypeOf, test } from 'vitest';
import * as z from 'zod';
import { createCallContext } from '../context/call-context.ts';
import { AskemaError } from '../errors/askema-error.ts';
import { createBudget } from '../model/budget.ts';
import { type ModelResult, systemMessage, textOf, userMessage } from '../model/language-model.ts';
import { memoryCache } from '../model/memory-cache.ts';
import { answer, fakeModel, listeningContext, tokens } from '../model/testing/fake-model.ts';
import { withBudget } from '../model/with-budget.ts';
import { withCache } from '../model/with-cache.ts';
import { defineTask } from './define-task.ts';
import { fromModel } from './from-model.ts';

const task = defineTask({
  id: 'shop.write-sql',
  version: 1,
  render: (input: { question: string }) => [systemMessage('You write SQL.'), userMessage(input.question)],
  output: z.object({ sql: z.string(), rows: z.number().transform(String) }),
});
const input = { question: 'How many customers?' };
const valid = JSON.stringify({ sql: 'SELECT 1', rows: 3 });
const context = () => createCallContext({ runId: 'r', path: 'p' });
/** Answers with these texts or results, one a call. */
const saying = (...replies: readonly (string | Partial<ModelResult>)[]) =>
  fakeModel((_request, index) => {
    const reply = replies[index] ?? 'no more replies';
    return typeof reply === 'string'
      ? answer(reply, { usage: tokens(10, 2) })
      : answer('', { usage: tokens(10, 2), ...reply });
  });
const failure = async (pending: Promise<unknown>): Promise<AskemaError> => {
  try {
    await pending;
  } catch (error) {
    return error as AskemaError;
  }
  throw new Error('It did not fail.');
};

describe('an answer', () => {
  test('is validated, typed, and counted', async () => {
    const model = saying(valid);
    const solved = await fromModel(model).solve(task, input, context());
    expectTypeOf(solved.value).toEqualTypeOf<{ sql: string; rows: string }>();
    expect(solved).toEqual({
      value: { sql: 'SELECT 1', rows: '3' },
      usage: tokens(10, 2),
      calls: 1,
      solvedBy: 'fake:one',
      warnings: [],
    });
    expect(fromModel(model)).toMatchObject({ name: 'fake:one' });
    expect(fromModel(model).supports('anything')).toBe(true);
  });

  test('is asked for with the settings of the solver', async () => {
    const model = saying(valid);
    const settings = {
      temperature: 0,
      topP: 0.9,
      maxOutputTokens: 50,
      stop: ['END'],
      seed: 7,
      sample: 2,
      providerOptions: { fake: { a: 1 } },
    };
    await fromModel(model, settings).solve(task, input, context());
    expect(model.requests[0]).toMatchObject(settings);
  });

  test('in any form is read: with thoughts, in a fence, in YAML', async () => {
    const text = '<think>{"sql": 1}</think>Here:\n```yaml\nsql: |\n  SELECT 1\nrows: 3\n```';
    const solved = await fromModel(saying(text), { structured: 'text' }).solve(task, input, context());
    expect(solved.value).toEqual({ sql: 'SELECT 1\n', rows: '3' });
  });

  test('of another model than the one asked is told', async () => {
    const model = saying({ content: answer(valid).content, answeredBy: 'fake:two', warnings: ['fake:one is down'] });
    expect(await fromModel(model).solve(task, input, context())).toMatchObject({
      solvedBy: 'fake:two',
      warnings: ['fake:one is down'],
    });
  });

  test('from a cache is no call', async () => {
    const cached = withCache(saying(valid), { store: memoryCache() });
    await fromModel(cached).solve(task, input, context());
    expect(await fromModel(cached).solve(task, input, context())).toMatchObject({ calls: 0, usage: tokens(0, 0) });
  });
});

describe('an invalid answer', () => {
  test('is sent back with what is wrong, and the next one counts', async () => {
    const model = saying('{"sql": "SELECT 1"}', valid);
    const solved = await fromModel(model).solve(task, input, context());
    expect(solved).toMatchObject({ calls: 2, usage: tokens(20, 4), value: { rows: '3' } });
    const [first, second] = model.requests;
    expect(second!.messages.slice(0, first!.messages.length)).toEqual(first!.messages);
    const [said, told] = second!.messages.slice(first!.messages.length);
    expect(said).toEqual({ role: 'assistant', content: [{ type: 'text', text: '{"sql": "SELECT 1"}' }] });
    expect(textOf(told!.content)).toMatch(/does not fit the schema:\n- `rows`: /);
    expect(told!.role).toBe('user');
  });

  test('each time ends with MODEL_OUTPUT_INVALID: issues, excerpt and cost', async () => {
    const long = `{"sql": 5, "rows": "${'x'.repeat(1000)}"}`;
    const model = saying('nonsense', 'nonsense', long, valid);
    const error = await failure(fromModel(model).solve(task, input, context()));
    expect(model.requests).toHaveLength(3);
    expect(error).toMatchObject({
      code: 'MODEL_OUTPUT_INVALID',
      retryable: false,
      message: expect.stringMatching(
        /^fake:one gave no valid answer to shop\.write-sql in 3 attempts\. The last one: `sql`: .*; `rows`: /,
      ),
      details: {
        calls: 3,
        usage: tokens(30, 6),
        attempts: 3,
        finishReason: 'stop',
        issues: [{ path: 'sql' }, { path: 'rows' }],
      },
    });
    expect(String(error.details.excerpt).length).toBeLessThan(250);
    expect(error.message.length).toBeLessThan(900);
  });

  test.each([1, 2, 5])('is asked for at most %i times', async (maxAttempts) => {
    const model = saying();
    await failure(fromModel(model, { maxAttempts }).solve(task, input, context()));
    expect(model.requests).toHaveLength(maxAttempts);
  });

  test('no attempt at all is refused', () => {
    expect(() => fromModel(saying(), { maxAttempts: 0 })).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }));
  });
});

describe('an answer that was cut off', () => {
  const cut = {
    content: answer('{"sql": "SELECT a FROM t WHE').content,
    finishReason: { unified: 'length' as const, raw: 'max_tokens' },
  };

  test('is never repaired; the model is told to be shorter', async () => {
    const loose = { ...task, output: z.object({ sql: z.string() }) };
    const model = saying(cut, valid);
    expect((await fromModel(model).solve(loose, input, context())).value).toEqual({ sql: 'SELECT 1' });
    expect(textOf(model.requests[1]!.messages.at(-1)!.content)).toMatch(/cut off at the length limit/);
  });

  test.each([
    [{ maxOutputTokens: 20 }, /cut off at 20 output tokens\. Raise `maxOutputTokens`/],
    [{}, /cut off at the limit of the model or server\. Raise `maxOutputTokens`/],
  ])('to the end says which limit to raise: %o', async (options, message) => {
    const error = await failure(fromModel(saying(cut, cut, cut), options).solve(task, input, context()));
    expect(error).toMatchObject({
      code: 'MODEL_OUTPUT_INVALID',
      message: expect.stringMatching(message),
      details: { finishReason: 'length' },
    });
  });
});

test.each([
  ['refusal' as const, /fake:one refused to answer shop\.write-sql: I would rather not\./],
  ['content-filter' as const, /stopped by its content filter at shop\.write-sql/],
])('%s is final, even with a valid answer', async (unified, message) => {
  const text = unified === 'refusal' ? 'I would rather not.' : valid;
  const model = saying({ content: answer(text).content, finishReason: { unified, raw: 'policy' } }, valid);
  const error = await failure(fromModel(model).solve(task, input, context()));
  expect(error).toMatchObject({
    code: 'MODEL_CONTENT_FILTERED',
    retryable: false,
    message: expect.stringMatching(message),
    details: { calls: 1, usage: tokens(10, 2) },
  });
  expect(model.requests).toHaveLength(1);
});

describe('an error of the model', () => {
  test('keeps its code and details, and carries what all attempts cost', async () => {
    const model = fakeModel((_request, index) => {
      if (index === 0) return answer('nonsense', { usage: tokens(10, 2) });
      throw new AskemaError('MODEL_RATE_LIMITED', 'Slow down.', { retryable: true, details: { retryAfterMs: 5 } });
    });
    expect(await failure(fromModel(model).solve(task, input, context()))).toMatchObject({
      code: 'MODEL_RATE_LIMITED',
      message: 'Slow down.',
      retryable: true,
      details: { retryAfterMs: 5, usage: tokens(10, 2), calls: 2 },
    });
  });

  test('that is a bug of the provider passes as it is', async () => {
    const bug = new TypeError('undefined is not a function');
    const model = fakeModel(() => {
      throw bug;
    });
    expect(await failure(fromModel(model).solve(task, input, context()))).toBe(bug);
  });

  test('an abort between two attempts sends nothing more', async () => {
    const controller = new AbortController();
    const model = fakeModel(() => {
      controller.abort();
      return answer('nonsense');
    });
    const stopped = createCallContext({ signal: controller.signal });
    expect(await failure(fromModel(model).solve(task, input, stopped))).toMatchObject({
      code: 'ABORTED',
      details: { calls: 1 },
    });
    expect(model.requests).toHaveLength(1);
  });
});

test('a call that a budget refuses is none: neither counted nor told as sent', async () => {
  const { context: listening, events } = listeningContext({ runId: 'r', path: 'p' });
  const model = withBudget(saying('nonsense', valid), createBudget({ maxCalls: 1 }));
  const error = await failure(fromModel(model).solve(task, input, listening));
  expect(error).toMatchObject({ code: 'BUDGET_EXCEEDED', details: { calls: 1, usage: tokens(10, 2) } });
  expect(events.map(({ data }) => [data.error, data.sent])).toEqual([
    [undefined, undefined],
    ['BUDGET_EXCEEDED', false],
  ]);
});

test('each attempt is a call with a path and an idempotency key of its own, and tells the listener', async () => {
  const { context: listening, events } = listeningContext({ runId: 'r', path: 'p' });
  const model = saying('nonsense', valid);
  await fromModel(model, { sample: 4 }).solve(task, input, listening);
  expect(model.requests.map((request) => request.context.path)).toEqual(['p/model#1', 'p/model#2']);
  expect(new Set(model.requests.map((request) => request.context.idempotencyKey)).size).toBe(2);
  expect(events.map(({ type, data }) => [type, data.finishReason, data.sample])).toEqual([
    ['model-call', 'stop', 4],
    ['model-call', 'stop', 4],
  ]);
});
