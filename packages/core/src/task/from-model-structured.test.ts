import type { StandardSchemaV1 } from '@standard-schema/spec';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { createCallContext } from '../context/call-context.ts';
import { AskemaError } from '../errors/askema-error.ts';
import { type ModelRequest, textOf, userMessage } from '../model/language-model.ts';
import { answer, fakeModel } from '../model/testing/fake-model.ts';
import { defineTask } from './define-task.ts';
import { fromModel } from './from-model.ts';
import { jsonSchemaOf, nativeSchemaOf } from './structured/json-schema-of.ts';
import type { Task } from './task.ts';

const taskOf = <Out>(output: StandardSchemaV1<unknown, Out>, id = 'shop.write-sql'): Task<string, Out> =>
  defineTask({ id, version: 1, render: (question: string) => [userMessage(question)], output });
const task = taskOf(z.object({ sql: z.string() }));
const reply = '{"sql": "SELECT 1"}';
const asks = (request: ModelRequest) => (request.output === undefined ? 'text' : 'native');
const rejection = () => new AskemaError('MODEL_REQUEST_INVALID', 'response_format is not supported.');
/** A server that knows no structured output. */
const textOnly = () =>
  fakeModel((request) => {
    if (request.output !== undefined) throw rejection();
    return answer(reply);
  });

describe('auto', () => {
  test('gives the provider the JSON Schema, and the prompt nothing more', async () => {
    const model = fakeModel(() => answer(reply));
    await fromModel(model).solve(task, 'q', createCallContext());
    expect(model.requests[0]?.output).toMatchObject({
      name: 'shop_write-sql',
      schema: { type: 'object', properties: { sql: { type: 'string' } }, required: ['sql'] },
    });
    expect(model.requests[0]?.messages).toEqual([userMessage('q')]);
  });

  test('asks for text when the model says that it has no structured output', async () => {
    const model = fakeModel(() => answer(`\`\`\`json\n${reply}\n\`\`\``), {
      capabilities: { structuredOutput: false },
    });
    await fromModel(model).solve(task, 'q', createCallContext());
    expect(model.requests.map(asks)).toEqual(['text']);
    expect(textOf(model.requests[0]!.messages[0]!.content)).toContain('"required":["sql"]');
  });

  test('tries it when the model does not say', async () => {
    const model = fakeModel(() => answer(reply), { capabilities: {} });
    await fromModel(model).solve(task, 'q', createCallContext());
    expect(model.requests.map(asks)).toEqual(['native']);
  });

  test('falls back to text when the provider rejects it, says so, and remembers it', async () => {
    const model = textOnly();
    const solver = fromModel(model);
    const first = await solver.solve(task, 'q', createCallContext());
    expect(first).toMatchObject({
      calls: 2,
      warnings: [expect.stringMatching(/does not take structured output.*not supported/)],
    });
    expect(await solver.solve(task, 'q', createCallContext())).toMatchObject({ calls: 1, warnings: [] });
    expect(model.requests.map(asks)).toEqual(['native', 'text', 'text']);
    expect(new Set(model.requests.map((request) => request.context.idempotencyKey)).size).toBe(3);
  });

  test('remembers it for the task whose schema was rejected, not for others', async () => {
    const model = fakeModel((request) => {
      if (request.output?.name === 'shop_write-sql') throw rejection();
      return answer(reply);
    });
    const solver = fromModel(model);
    await solver.solve(task, 'q', createCallContext());
    await solver.solve(taskOf(z.object({ sql: z.string() }), 'shop.other'), 'q', createCallContext());
    expect(model.requests.map(asks)).toEqual(['native', 'text', 'native']);
  });

  test('does not blame structured output for a request that text does not save', async () => {
    let healthy = false;
    const model = fakeModel(() => {
      if (!healthy) throw new AskemaError('MODEL_REQUEST_INVALID', 'temperature must be 1.');
      return answer(reply);
    });
    const solver = fromModel(model);
    await expect(solver.solve(task, 'q', createCallContext())).rejects.toMatchObject({
      code: 'MODEL_REQUEST_INVALID',
      details: { calls: 2 },
    });
    healthy = true;
    await solver.solve(task, 'q', createCallContext());
    expect(model.requests.map(asks)).toEqual(['native', 'text', 'native']);
  });

  test('other errors do not change the way of asking', async () => {
    const model = fakeModel(() => {
      throw new AskemaError('MODEL_TIMEOUT', 'too slow');
    });
    await expect(fromModel(model).solve(task, 'q', createCallContext())).rejects.toMatchObject({
      code: 'MODEL_TIMEOUT',
    });
    expect(model.requests.map(asks)).toEqual(['native']);
  });
});

describe('text', () => {
  test('is asked for in the format of the solver', async () => {
    const model = fakeModel(() => answer('```yaml\nsql: SELECT 1\n```'));
    const solved = await fromModel(model, { structured: 'text', textFormat: 'yaml' }).solve(
      task,
      'q',
      createCallContext(),
    );
    expect(solved.value).toEqual({ sql: 'SELECT 1' });
    expect(model.requests.map(asks)).toEqual(['text']);
    expect(textOf(model.requests[0]!.messages[0]!.content)).toContain('```yaml');
  });

  test('keeps its instruction in further attempts', async () => {
    const model = fakeModel((_request, index) => answer(index === 0 ? 'nonsense' : reply));
    await fromModel(model, { structured: 'text' }).solve(task, 'q', createCallContext());
    const [first, second] = model.requests.map(({ messages }) =>
      messages.map(({ content }) => textOf(content)).join('\n'),
    );
    expect(first).toContain('"required":["sql"]');
    expect(second).toContain('"required":["sql"]');
    expect(second).toContain('nonsense');
  });
});

describe('native', () => {
  test('does not fall back', async () => {
    const model = textOnly();
    await expect(
      fromModel(model, { structured: 'native' }).solve(task, 'q', createCallContext()),
    ).rejects.toMatchObject({
      code: 'MODEL_REQUEST_INVALID',
    });
    expect(model.requests).toHaveLength(1);
  });

  test('is refused where it cannot be', async () => {
    const unable = fakeModel(() => answer(reply), { capabilities: { structuredOutput: false } });
    expect(() => fromModel(unable, { structured: 'native' })).toThrow(
      expect.objectContaining({ code: 'CAPABILITY_UNSUPPORTED' }),
    );
    const solver = fromModel(
      fakeModel(() => answer('[]')),
      { structured: 'native' },
    );
    await expect(solver.solve(taskOf(z.array(z.string())), 'q', createCallContext())).rejects.toMatchObject({
      code: 'CAPABILITY_UNSUPPORTED',
    });
  });
});

describe('schemas', () => {
  /** What a library without JSON Schema offers. */
  const plain: StandardSchemaV1<unknown, number> = {
    '~standard': {
      version: 1,
      vendor: 'mine',
      validate: (value) =>
        typeof value === 'object' && value !== null && 'n' in value && typeof value.n === 'number'
          ? { value: value.n }
          : { issues: [{ message: 'no number', path: [{ key: 'n' }] }] },
    },
  };

  test('any Standard Schema will do; without a JSON Schema the model answers in text', async () => {
    const model = fakeModel((_request, index) => answer(index === 0 ? '{"n": "x"}' : '{"n": 5}'));
    const solved = await fromModel(model).solve(taskOf(plain), 'q', createCallContext());
    expect(solved.value).toBe(5);
    expect(model.requests.map(asks)).toEqual(['text', 'text']);
    expect(textOf(model.requests[1]!.messages.at(-1)!.content)).toContain('- `n`: no number');
  });

  test('the JSON Schema is that of what the model writes, not of what validation makes of it', () => {
    const schema = z.object({ n: z.string().transform(Number), day: z.iso.date(), tag: z.string().default('x') });
    expect(jsonSchemaOf(schema)).toMatchObject({
      type: 'object',
      properties: { n: { type: 'string' }, day: { type: 'string', format: 'date' } },
      required: ['n', 'day'],
    });
    expect(jsonSchemaOf(schema)).not.toHaveProperty('$schema');
  });

  test('what JSON Schema cannot say is asked for in text; only objects go to the provider', () => {
    expect(jsonSchemaOf(z.object({ at: z.date() }))).toBeUndefined();
    expect(jsonSchemaOf(plain)).toBeUndefined();
    expect(jsonSchemaOf(z.array(z.string()))).toMatchObject({ type: 'array' });
    expect(nativeSchemaOf(z.array(z.string()))).toBeUndefined();
    expect(nativeSchemaOf(z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]))).toBeUndefined();
  });
});
