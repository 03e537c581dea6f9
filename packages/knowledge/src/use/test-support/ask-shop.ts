import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Outcome, textOf } from '@askema/core';
import { sqlite } from '@askema/sqlite';
import { type ScriptedReply, scriptedModel } from '@askema/testkit';
import { type AskOptions, createText2Sql, type Text2SqlOptions } from '@askema/text2sql';
import Database from 'better-sqlite3';
import { afterAll, beforeAll } from 'vitest';
import { ACCEPTED, metric } from '../../bind/test-support/model-parts.ts';
import type { Knowledge } from '../../model/knowledge.ts';
import { amount, SHOP_MODEL, SHOP_SQL, shopKnowledge } from '../../reader/test-support/shop.ts';
import { createKnowledge } from '../create-knowledge.ts';

export const folder = mkdtempSync(join(tmpdir(), 'askema-flows-'));
const file = join(folder, 'shop.sqlite');

/** The database of a file of tests: files in one process share this module, so each calls it for itself. */
export function useShop(): void {
  beforeAll(() => {
    mkdirSync(folder, { recursive: true });
    const database = new Database(file);
    database.exec(SHOP_SQL);
    database.close();
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
}

export const text = (kind: 'rule' | 'glossary', title: string, said: string, more = {}) =>
  ({ id: title, kind, title, text: said, appliesTo: [], priority: 0, standing: ACCEPTED, ...more }) as const;

export const SHOP: Knowledge = shopKnowledge(
  {
    metrics: [
      ...(SHOP_MODEL.metrics ?? []),
      metric('weather', 'SUM(orders.rain)'),
      metric('net_revenue', { ...amount('SUM(orders.amount)'), filter: 'orders.delivered_at IS NOT NULL' }),
    ],
  },
  {
    texts: [text('rule', 'Lost customers', 'A lost customer is one without an order since 2024.')],
    verifiedQueries: [
      {
        id: 'living-in',
        question: 'Who lives in {city}?',
        sql: 'SELECT name FROM customers WHERE city = :city ORDER BY 1',
        names: 'physical',
        parameters: [{ name: 'city', type: 'text' }],
        tags: [],
        verifiedBy: 'ada',
        standing: ACCEPTED,
      },
    ],
  },
);

export const wrote = (sql: string, more: object = {}): ScriptedReply => ({
  json: {
    outcome: 'sql',
    sql,
    explanation: 'as asked',
    not_understood: [],
    other_readings: [],
    would_agree: 'ten',
    ...more,
  },
});

export async function ask(
  question: string,
  replies: readonly ScriptedReply[],
  {
    knowledge = SHOP,
    evidence,
    leaveOutAsked,
    ...options
  }: Partial<Omit<Text2SqlOptions, 'knowledge'>> & {
    knowledge?: Knowledge | null;
    leaveOutAsked?: boolean;
    evidence?: AskOptions['evidence'];
  } = {},
) {
  const model = scriptedModel(replies);
  await using shop = createText2Sql({
    adapter: sqlite({ file }),
    model,
    ...(knowledge === null ? {} : { knowledge: createKnowledge(knowledge, { leaveOutAsked }) }),
    ...options,
  });
  const outcome = await shop.ask(question, { today: '2024-05-15', ...(evidence === undefined ? {} : { evidence }) });
  const prompts = model.requests.map(({ messages }) =>
    messages.map((message) => (message.role === 'tool' ? '' : textOf(message.content))).join('\n'),
  );
  return { outcome, prompts };
}

export const rowsOf = (outcome: Outcome): unknown => (outcome.type === 'answered' ? outcome.result.rows : outcome);
export const basesOf = (outcome: Outcome): readonly { kind: string; name: string }[] =>
  outcome.type === 'answered' ? outcome.basedOn.filter(({ kind }) => kind !== 'relation') : [];
