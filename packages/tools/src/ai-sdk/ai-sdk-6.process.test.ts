import { resolveAdapter } from '@askema/core';
import { lexical } from '@askema/lexical';
import { sqlite } from '@askema/sqlite';
import { createText2Sql } from '@askema/text2sql';
import { stepCountIs, ToolLoopAgent } from 'ai-v6';
import { MockLanguageModelV3 } from 'ai-v6/test';
import { afterAll, expect, test } from 'vitest';
import { askemaTools } from '../askema-tools.ts';
import { toAiSdkTools } from './to-ai-sdk-tools.ts';

const file = new URL('../../../../examples/store.sqlite', import.meta.url).pathname;
const adapter = resolveAdapter(sqlite({ file }));
const text2sql = createText2Sql({ adapter, model: lexical() });
const tools = toAiSdkTools(askemaTools({ databases: { store: { text2sql, adapter } } }));

afterAll(() => text2sql.close());

type Answer = Awaited<ReturnType<MockLanguageModelV3['doGenerate']>>;

function answer(parts: Pick<Answer, 'content'> & Partial<Answer>): Answer {
  const inputTokens = { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined };
  const usage = { inputTokens, outputTokens: { total: undefined, text: undefined, reasoning: undefined } };
  return { finishReason: { unified: 'stop', raw: undefined }, usage, warnings: [], ...parts };
}

test('an agent of AI SDK 6 asks, and reads what is refused', async () => {
  const call = (toolName: string, input: object) =>
    ({ type: 'tool-call', toolCallId: toolName, toolName, input: JSON.stringify(input) }) as const;
  const calls = [
    call('ask', { question: 'How many customers are there?' }),
    call('run_sql', { sql: 'DROP TABLE customers' }),
  ];
  const script = [
    answer({ content: calls, finishReason: { unified: 'tool-calls', raw: undefined } }),
    answer({ content: [{ type: 'text', text: 'Done.' }] }),
  ];
  const model = new MockLanguageModelV3({ doGenerate: script });
  const { text } = await new ToolLoopAgent({ model, tools, stopWhen: stepCountIs(3) }).generate({ prompt: 'Go.' });
  expect(text).toBe('Done.');
  expect(model.doGenerateCalls[1]?.prompt.at(-1)).toMatchObject({
    role: 'tool',
    content: [
      { output: { type: 'text', value: expect.stringContaining('240') } },
      { output: { type: 'error-text', value: expect.stringContaining('QUERY_NOT_READ_ONLY') } },
    ],
  });
});
