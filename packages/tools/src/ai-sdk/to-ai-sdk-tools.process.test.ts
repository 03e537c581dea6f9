import type { LanguageModelV4GenerateResult, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { resolveAdapter } from '@askema/core';
import { lexical } from '@askema/lexical';
import { sqlite } from '@askema/sqlite';
import { createText2Sql } from '@askema/text2sql';
import {
  convertToModelMessages,
  generateText,
  isStepCount,
  readUIMessageStream,
  streamText,
  type ToolUIPart,
  type UIMessage,
} from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askemaTools } from '../askema-tools.ts';
import { toAiSdkTools } from './to-ai-sdk-tools.ts';

const file = new URL('../../../../examples/store.sqlite', import.meta.url).pathname;
const adapter = resolveAdapter(sqlite({ file }));
const text2sql = createText2Sql({ adapter, model: lexical() });
const made = askemaTools({ databases: { store: { text2sql, adapter } }, maxRows: 500, maxCharacters: 200_000 });
const tools = toAiSdkTools(made, { modelCharacters: 2_000 });

beforeAll(() => text2sql.catalog());
afterAll(() => text2sql.close());

const call = (toolName: string, input: object) =>
  ({ type: 'tool-call', toolCallId: `call-${toolName}`, toolName, input: JSON.stringify(input) }) as const;

const usage: LanguageModelV4GenerateResult['usage'] = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};

/** An agent by a script: it calls, and then it speaks. */
function agent(...calls: ReturnType<typeof call>[]) {
  return new MockLanguageModelV4({
    doGenerate: [
      { content: calls, finishReason: { unified: 'tool-calls', raw: 'tool_calls' }, usage, warnings: [] },
      {
        content: [{ type: 'text', text: 'Done.' }],
        finishReason: { unified: 'stop', raw: 'stop' },
        usage,
        warnings: [],
      },
    ],
  });
}

/** What the model got of the results of its calls. */
function seenBy(model: MockLanguageModelV4) {
  const messages = model.doGenerateCalls[1]?.prompt ?? [];
  return messages.flatMap((message) =>
    message.role === 'tool' ? message.content.flatMap((part) => ('output' in part ? [part.output] : [])) : [],
  );
}

test('11: an agent asks and runs SQL; the page gets all rows, the model a part of them', async () => {
  const model = agent(
    call('ask', { question: 'How many customers are there?' }),
    call('run_sql', { sql: 'SELECT customer_id, name, email FROM customers ORDER BY 1' }),
  );
  const { text, steps } = await generateText({ model, tools, stopWhen: isStepCount(3), prompt: 'Go.' });
  expect(text).toBe('Done.');
  const [asked, ran] = steps[0]?.toolResults.map(({ output }) => output) ?? [];
  expect(asked).toMatchObject({ state: 'done', isError: false, structured: { type: 'answered' } });
  const rows = (ran as { structured: { result: { rows: unknown[][] } } }).structured.result.rows;
  expect(rows.length).toBeGreaterThan(100);
  const [answer, result] = seenBy(model);
  expect(answer).toMatchObject({ type: 'text', value: expect.stringContaining('SELECT COUNT(*) FROM customers') });
  const { type, value } = result as { type: string; value: string };
  expect(type).toBe('text');
  expect(value.length).toBeLessThanOrEqual(2_000);
  expect(value).toMatch(/^Lines left out at the end of the block: \d+\./);
  expect(value).toMatch(/<<<end \w+>>>$/);
  // The model is told of the tools as MCP clients are.
  expect(model.doGenerateCalls[0]?.tools?.map((tool) => tool.name)).toEqual(made.map(({ name }) => name));
  expect(model.doGenerateCalls[0]?.tools?.[2]).toMatchObject({
    description: 'Checks, then runs one SELECT of sqlite.',
    inputSchema: { type: 'object', properties: { sql: { type: 'string' } }, required: ['sql'] },
  });
});

/** A model that calls a tool, then speaks, piece by piece. */
function streamingAgent(...calls: ReturnType<typeof call>[]) {
  const finish = (unified: 'tool-calls' | 'stop'): LanguageModelV4StreamPart => ({
    type: 'finish',
    finishReason: { unified, raw: unified },
    usage,
  });
  const script: LanguageModelV4StreamPart[][] = [
    [...calls, finish('tool-calls')],
    [
      { type: 'text-start', id: '0' },
      { type: 'text-delta', id: '0', delta: 'Done.' },
      { type: 'text-end', id: '0' },
      finish('stop'),
    ],
  ];
  return new MockLanguageModelV4({ doStream: async () => ({ stream: ReadableStream.from(script.shift() ?? []) }) });
}

test('11: a page hears each step before the result', async () => {
  const model = streamingAgent(call('ask', { question: 'How many customers are there?' }));
  const answer = streamText({ model, tools, stopWhen: isStepCount(3), prompt: 'Go.' });
  const outputs = [];
  for await (const part of answer.fullStream)
    if (part.type === 'tool-result') outputs.push({ preliminary: part.preliminary === true, output: part.output });
  const states = outputs.map(({ output }) => (output as { state: string }).state);
  const steps = outputs.flatMap(({ output }) => {
    const { step } = output as { step?: string };
    return step === undefined ? [] : [step];
  });
  expect(steps.length).toBeGreaterThan(1);
  expect(new Set(states.slice(0, steps.length))).toEqual(new Set(['working']));
  expect(outputs.at(-1)).toMatchObject({ preliminary: false, output: { state: 'done', isError: false } });
});

test('11: what a page keeps is what the model gets in the next turn: a part', async () => {
  const model = streamingAgent(call('run_sql', { sql: 'SELECT customer_id, name FROM customers ORDER BY 1' }));
  const answer = streamText({ model, tools, stopWhen: isStepCount(3), prompt: 'Go.' });
  let message: UIMessage | undefined;
  for await (const grown of readUIMessageStream({ stream: answer.toUIMessageStream() })) message = grown;
  const kept = JSON.parse(JSON.stringify(message)) as UIMessage;
  const part = kept.parts.find((one): one is ToolUIPart => one.type === 'tool-run_sql');
  expect(part).toMatchObject({ state: 'output-available', output: { state: 'done', isError: false } });
  const sent = await convertToModelMessages([kept], { tools });
  const outputs = sent.flatMap(({ role, content }) => (role === 'tool' ? content : []));
  expect(outputs).toMatchObject([{ output: { type: 'text', value: expect.stringMatching(/^Lines left out/) } }]);
  expect(JSON.stringify(outputs).length).toBeLessThan(3_000);
});

test('11: what the guard refuses, and what is no input, is an error that the model reads', async () => {
  const model = agent(call('run_sql', { sql: 'DELETE FROM customers' }));
  await generateText({ model, tools, stopWhen: isStepCount(3), prompt: 'Go.' });
  expect(seenBy(model)).toMatchObject([{ type: 'error-text', value: expect.stringContaining('QUERY_NOT_READ_ONLY') }]);
});
