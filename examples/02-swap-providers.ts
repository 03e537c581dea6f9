/**
 * The same pipeline with one provider after the other. Nothing but the model changes. With OPENAI_API_KEY or
 * ANTHROPIC_API_KEY set, the vendors answer; without a key a server on the loopback interface stands in for both, and
 * the lexical solver needs no model at all.
 */
import { anthropic } from '@askema/anthropic';
import { type LanguageModel, type Solver, withFallback, withRetry } from '@askema/core';
import { lexical } from '@askema/lexical';
import { openai } from '@askema/openai';
import { sqlite } from '@askema/sqlite';
import { loopbackModelServer } from '@askema/testkit';
import { createText2Sql } from '@askema/text2sql';

const {
  OPENAI_API_KEY,
  ANTHROPIC_API_KEY,
  OPENAI_MODEL = 'gpt-5-mini',
  ANTHROPIC_MODEL = 'claude-sonnet-4-5',
} = process.env;

const standIn = await loopbackModelServer();
const reply = JSON.stringify({
  outcome: 'sql',
  sql: 'SELECT COUNT(*) FROM customers',
  explanation: 'All customers.',
  not_understood: [],
});
const answer = { kind: 'answer', answer: { text: reply } } as const;
standIn.reply(answer, answer, answer);

const gpt = openai(
  OPENAI_API_KEY ? { model: OPENAI_MODEL } : { model: OPENAI_MODEL, apiKey: 'none', baseURL: `${standIn.origin}/v1` },
);
const claude = anthropic(
  ANTHROPIC_API_KEY ? { model: ANTHROPIC_MODEL } : { model: ANTHROPIC_MODEL, apiKey: 'none', baseURL: standIn.origin },
);

const models: Record<string, LanguageModel | Solver> = {
  'openai, with retries': withRetry(gpt),
  anthropic: claude,
  'openai, then anthropic': withFallback([gpt, claude]),
  'no model at all': lexical(),
};

for (const [name, model] of Object.entries(models)) {
  const store = createText2Sql({ adapter: sqlite({ file: 'examples/store.sqlite' }), model });
  const outcome = await store.ask('How many customers are there?');
  if (outcome.type !== 'answered') throw new Error(`${name}: ${outcome.type}`);
  console.log(`${name} (${outcome.solvedBy}): ${outcome.sql} -> ${outcome.result.rows[0]?.[0]}`);
  await store.close();
}
await standIn.close();
