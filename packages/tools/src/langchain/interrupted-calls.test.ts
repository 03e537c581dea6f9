import type { ToolRunnableConfig } from '@langchain/core/tools';
import { expect, test } from 'vitest';
import { interruptedCalls } from './interrupted-calls.ts';

/** A tool whose questions are asked back and never answered: it rejects with the question. */
function neverAnswered() {
  const asked: string[] = [];
  const call = interruptedCalls(({ ask }) => {
    // As LangGraph marks what stops a graph.
    throw Object.assign(new Error(ask), { is_bubble_up: true });
  });
  const ask = async (question: string, thread?: string): Promise<void> => {
    const config = { configurable: { thread_id: thread }, toolCall: { id: 'call_1' } } as unknown as ToolRunnableConfig;
    const steps = call(question, config, async function* () {
      yield { state: 'working', step: 'ask' };
      asked.push(question);
      const structured = { type: 'needsClarification', ask: `Which ${question}?`, choices: [], resume: question };
      return { structured, text: '', isError: false };
    });
    for await (const _ of steps);
  };
  return { ask, asked };
}

test('a model that names each call alike does not get the question of an earlier one', async () => {
  const { ask } = neverAnswered();
  await expect(ask('orders', 'a')).rejects.toThrow('Which orders?');
  await expect(ask('customers', 'a')).rejects.toThrow('Which customers?');
});

test('a call of the same thread finds its question again, and without a thread nobody does', async () => {
  const { ask, asked } = neverAnswered();
  for (const thread of ['a', 'a', undefined, undefined])
    await expect(ask('orders', thread)).rejects.toThrow('Which orders?');
  expect(asked).toHaveLength(3);
});
