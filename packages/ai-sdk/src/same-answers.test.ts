import { createOpenAI } from '@ai-sdk/openai';
import {
  type LanguageModel,
  type Message,
  type ModelResult,
  systemMessage,
  userMessage,
  withDefaults,
} from '@askema/core';
import { openai } from '@askema/openai';
import { type LoopbackReply, loopbackModelServer } from '@askema/testkit';
import { expect, test } from 'vitest';
import { fromAiSdk } from './from-ai-sdk.ts';
import { requestOf } from './test-support/mock-models.ts';

const CALL = { id: 'call_1', name: 'execute_sql', arguments: { sql: 'SELECT 1' } };
const USAGE = { inputTokens: 100, outputTokens: 20, cachedInputTokens: 64, reasoningTokens: 8 };
const SCHEMA = {
  type: 'object',
  properties: { sql: { type: 'string' } },
  required: ['sql'],
  additionalProperties: false,
};
const TOOL = { name: 'execute_sql', description: 'Runs a statement.', parameters: SCHEMA };
const REPLIES: readonly LoopbackReply[] = [
  { kind: 'answer', answer: { text: 'Let me look.', toolCalls: [CALL], usage: USAGE } },
  { kind: 'answer', answer: { text: '{"sql":"SELECT 1"}', usage: USAGE } },
  { kind: 'answer', answer: { text: 'SELECT', finish: 'length' } },
  { kind: 'answer', answer: { text: 'I cannot help with that.', finish: 'refusal' } },
  { kind: 'failure', failure: 'rate-limit', headers: { 'retry-after': '1' } },
  { kind: 'failure', failure: 'quota' },
  { kind: 'failure', failure: 'context-too-long' },
  { kind: 'failure', failure: 'content-filter' },
  { kind: 'failure', failure: 'unknown-model' },
  { kind: 'failure', failure: 'wrong-key' },
  { kind: 'drop' },
];

/** The content without what only its provider understands, and each failure by its code. */
function seen(outcome: ModelResult | { readonly code: string; readonly retryable: boolean; readonly details: object }) {
  if ('code' in outcome) return { code: outcome.code, retryable: outcome.retryable, details: outcome.details };
  const { content, finishReason, warnings: _warnings, ...rest } = outcome;
  const parts = content.map((part) => {
    const { vendor: _vendor, ...own } = part;
    return own;
  });
  return { ...rest, content: parts, finishReason: finishReason.unified };
}

/** A tool loop, and an answer in a schema, then failures: what the caller sees, and what the server saw. */
async function conversation(make: (baseURL: string) => LanguageModel) {
  await using server = await loopbackModelServer();
  server.reply(...REPLIES);
  const model = make(`${server.origin}/v1`);
  const asked: Message[] = [systemMessage('You write SQL.'), userMessage('How many?')];
  const outcomes = [];
  let messages = asked;
  for (const [index] of REPLIES.entries()) {
    const parts = index === 0 ? { tools: [TOOL], maxOutputTokens: 64 } : { output: { name: 'a.b', schema: SCHEMA } };
    const outcome = await model.generate(requestOf({ messages, ...parts })).catch((thrown) => thrown);
    outcomes.push(seen(outcome));
    if (index === 0)
      messages = [
        ...asked,
        { role: 'assistant', content: outcome.content },
        { role: 'tool', content: [{ type: 'tool-result', toolCallId: CALL.id, name: CALL.name, text: '12' }] },
      ];
  }
  const requests = server.requests.map(({ path, model: name, system, turns, tools, outputSchema, settings, body }) => {
    // Which turns there are is the same for both; an assistant's words and calls may come in one or in several.
    const said = turns.flatMap(({ role, text, toolCalls, toolResults }) =>
      [text === '' ? [] : [[role, text]], toolCalls, toolResults].flat(),
    );
    const { store } = body as { store?: boolean };
    return { path, name, system, said, tools, outputSchema, settings, store };
  });
  return { outcomes, requests };
}

test.each(['chat', 'responses'] as const)('12: %s: the same requests and answers as @askema/openai', async (api) => {
  const model = api === 'chat' ? 'gpt-4.1-mini' : 'gpt-5-mini';
  const ours = await conversation((baseURL) => openai({ model, baseURL, apiKey: 'test-key', api }));
  const theirs = await conversation((baseURL) => {
    const sdk = fromAiSdk(createOpenAI({ baseURL, apiKey: 'test-key' })[api](model));
    return api === 'chat' ? sdk : withDefaults(sdk, { providerOptions: { openai: { store: false } } });
  });
  expect(theirs.outcomes).toHaveLength(REPLIES.length);
  expect(theirs.outcomes).toEqual(ours.outcomes);
  expect(theirs.requests).toEqual(ours.requests);
});
