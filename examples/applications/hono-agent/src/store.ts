/** Askema over one database, and what an agent can do with it. */
import { openai } from '@ai-sdk/openai';
import { fromAiSdk } from '@askema/ai-sdk';
import { withRetry } from '@askema/core';
import { sqlite } from '@askema/sqlite';
import { createText2Sql } from '@askema/text2sql';
import { askemaTools } from '@askema/tools';
import { toAiSdkTools } from '@askema/tools/ai-sdk';
import { traced } from './tracing.ts';

/** Any model of the AI SDK. The key, and another address, are found where the SDK looks for them. */
export const model = openai(process.env.MODEL ?? 'gpt-5-mini');

const adapter = traced.adapter(sqlite({ file: process.env.STORE ?? 'store.sqlite' }));

export const text2sql = createText2Sql({
  adapter,
  model: withRetry(traced.model(fromAiSdk(model))),
  onEvent: traced.onEvent,
});

/** The page gets up to 200 rows of a reply, the model a part that fits into its prompt. */
export const tools = toAiSdkTools(
  askemaTools({
    databases: { store: { text2sql, adapter, title: 'customers, products and orders of a store' } },
    maxRows: 200,
    maxCharacters: 100_000,
  }),
);
