import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { createCallContext } from '../context/call-context.ts';
import { childContext } from '../context/child-context.ts';
import { AskemaError } from '../errors/askema-error.ts';
import { createFlow } from '../flow/create-flow.ts';
import { defineStep } from '../flow/define-step.ts';
import { memoryJournal } from '../flow/memory-journal.ts';
import { end } from '../flow/routes.ts';
import { userMessage } from '../model/language-model.ts';
import { answer, fakeModel, tokens } from '../model/testing/fake-model.ts';
import { defineTask } from './define-task.ts';
import { fromModel } from './from-model.ts';
import type { Solver } from './task.ts';

const task = defineTask({
  id: 'shop.write-sql',
  version: 1,
  render: (question: string) => [userMessage(question)],
  output: z.object({ sql: z.string() }),
});
interface State {
  answers: unknown[];
}
interface Deps {
  readonly solver: Solver;
}
/** One step that asks for each question at the same time, as votes do. */
const votes = (questions: readonly string[]) =>
  createFlow<State, Deps>({ name: 'votes' })
    .step(
      defineStep<State, Deps>()({
        name: 'ask',
        exec: (_input: undefined, context) =>
          Promise.all(
            questions.map((question, index) =>
              context.deps.solver.solve(task, question, childContext(context, `vote-${index}`)),
            ),
          ),
        post: (state, _input, answers) => {
          state.answers = answers;
        },
      }),
      { default: end },
    )
    .build();

const json = (sql: string) => answer(JSON.stringify({ sql }), { usage: tokens(10, 2) });
const broken = () => new AskemaError('MODEL_UNAVAILABLE', 'The connection broke.');

describe('a resumed run', () => {
  test('repeats no finished call, and knows what all attempts cost', async () => {
    const journal = memoryJournal();
    const flow = votes(['q']);
    const first = fakeModel((_request, index) => {
      if (index === 0) return answer('nonsense', { usage: tokens(10, 2) });
      throw broken();
    });
    await expect(
      flow.run({ answers: [] }, { solver: fromModel(first) }, { journal, runId: 'r' }),
    ).rejects.toMatchObject({
      code: 'MODEL_UNAVAILABLE',
      details: { calls: 2, usage: tokens(10, 2) },
    });
    const second = fakeModel(() => json('SELECT 1'));
    const result = await flow.resume('r', { solver: fromModel(second) }, { journal });
    expect(result.state.answers).toEqual([
      { value: { sql: 'SELECT 1' }, usage: tokens(20, 4), calls: 2, solvedBy: 'fake:one', warnings: [] },
    ]);
    expect(second.requests).toHaveLength(1);
    expect(second.requests[0]?.messages).toHaveLength(3);
  });

  test('gives each of several parallel questions its own answer', async () => {
    const journal = memoryJournal();
    const flow = votes(['a', 'b', 'c']);
    const asked = (request: { readonly messages: readonly object[] }) =>
      JSON.stringify(request.messages[0]).match(/"text":"(.)"/)?.[1];
    let release = () => {};
    const answered = new Promise<void>((resolve) => {
      release = resolve;
    });
    const first = fakeModel(async (request) => {
      if (asked(request) === 'c') return json('for c');
      if (asked(request) === 'a') {
        release();
        return json('for a');
      }
      await answered;
      await new Promise((resolve) => setImmediate(resolve));
      throw broken();
    });
    await expect(flow.run({ answers: [] }, { solver: fromModel(first) }, { journal, runId: 'r' })).rejects.toThrow(
      /broke/,
    );
    const second = fakeModel((request) => json(`for ${asked(request)}, late`));
    const result = await flow.resume('r', { solver: fromModel(second) }, { journal });
    expect(result.state.answers).toMatchObject([
      { value: { sql: 'for a' } },
      { value: { sql: 'for b, late' } },
      { value: { sql: 'for c' } },
    ]);
    expect(second.requests.map(asked)).toEqual(['b']);
  });

  test('finds an answer that was asked for as text, though a new process would ask natively', async () => {
    const journal = memoryJournal();
    const twice = votes(['q', 'q again']);
    const textOnly = (fail: boolean) =>
      fakeModel((request) => {
        if (request.output !== undefined) throw new AskemaError('MODEL_REQUEST_INVALID', 'no response_format');
        if (fail && JSON.stringify(request.messages).includes('again')) throw broken();
        return json('SELECT 1');
      });
    await expect(
      twice.run({ answers: [] }, { solver: fromModel(textOnly(true)) }, { journal, runId: 'r' }),
    ).rejects.toThrow(/broke/);
    const second = textOnly(false);
    const result = await twice.resume('r', { solver: fromModel(second) }, { journal });
    expect(result.state.answers).toMatchObject([{ calls: 2 }, { calls: 2 }]);
    expect(second.requests.every(({ messages }) => JSON.stringify(messages).includes('again'))).toBe(true);
  });

  test('is told apart by what is asked, not by how the output is asked for', async () => {
    const keys: (string | undefined)[] = [];
    const context = createCallContext({
      memo: async (name, call, options) => {
        expect(name).toBe('model');
        keys.push(options?.key);
        return call(createCallContext());
      },
    });
    const model = fakeModel(() => json('SELECT 1'));
    for (const structured of ['native', 'text'] as const)
      for (const question of ['a', 'b']) await fromModel(model, { structured }).solve(task, question, context);
    expect(keys[0]).toBeTypeOf('string');
    expect(keys[0]).not.toBe(keys[1]);
    expect(keys.slice(0, 2)).toEqual(keys.slice(2));
  });

  test('asks anew when no attempt was valid: the same answers would fail the same way', async () => {
    const journal = memoryJournal();
    const flow = votes(['q']);
    const solver = (model: ReturnType<typeof fakeModel>) => ({ solver: fromModel(model, { maxAttempts: 2 }) });
    const nonsense = fakeModel(() => answer('nonsense'));
    await expect(flow.run({ answers: [] }, solver(nonsense), { journal, runId: 'r' })).rejects.toMatchObject({
      code: 'MODEL_OUTPUT_INVALID',
    });
    const better = fakeModel(() => json('SELECT 1'));
    await flow.resume('r', solver(better), { journal });
    expect(better.requests).toHaveLength(1);
  });
});
