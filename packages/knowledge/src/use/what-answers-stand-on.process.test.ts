import { sqlSolver } from '@askema/core';
import { sqliteDialect } from '@askema/dialects';
import type { ScriptedReply } from '@askema/testkit';
import { auto, plain, react } from '@askema/text2sql';
import { describe, expect, it } from 'vitest';
import { field } from '../bind/test-support/model-parts.ts';
import { bindShop, SHOP_MODEL, shopKnowledge } from '../reader/test-support/shop.ts';
import { createKnowledge } from './create-knowledge.ts';
import { ask, basesOf, rowsOf, SHOP, useShop, wrote } from './test-support/ask-shop.ts';

useShop();

const QUESTION = 'What did people pay?';
const { catalog } = bindShop(SHOP);
const expanded = (sql: string) => createKnowledge(SHOP).on(catalog, sqliteDialect).expand(sql).sql;
/** Each row meets each store: a doubt, so that the model is shown it again. */
const DOUBTED = 'SELECT m.region, m.net_revenue FROM metric(net_revenue BY stores.region) AS m, customers';
const revised = (sql: string): ScriptedReply => ({
  json: { assessment: '', is_right: 'no', sql, explanation: 'as asked' },
});
const namesOf = async (...asked: Parameters<typeof ask>) => {
  const { outcome } = await ask(...asked);
  return [rowsOf(outcome), basesOf(outcome).map(({ name }) => name)];
};

describe('an answer stands on metrics that its statement computes', () => {
  it('and on none that a revision left out, also where a comment keeps it', async () => {
    const comment = expanded(DOUBTED);
    for (const sql of ['SELECT SUM(amount) FROM orders', `/* ${comment} */ SELECT SUM(amount) FROM orders`])
      expect(await namesOf(QUESTION, [wrote(DOUBTED), revised(sql)])).toEqual([[[990]], []]);
  });

  it('also where a revision keeps what computes it, in other lines', async () => {
    const kept = expanded(DOUBTED).replaceAll(/\s+/g, ' ').replace(', customers', " WHERE m.region = 'North'");
    expect(await namesOf(QUESTION, [wrote(DOUBTED), revised(kept)])).toEqual([[['North', 220]], ['net_revenue']]);
  });

  it('and on none of a statement that failed', async () => {
    const wrong = wrote('SELECT metric(net_revenue), nothing FROM orders');
    const other = wrote('SELECT SUM(amount) FROM orders');
    expect(await namesOf(QUESTION, [wrong, other], { flow: plain() })).toEqual([[[990]], []]);
  });

  it('and on none that an agent only looked at', async () => {
    const look: ScriptedReply = { toolCalls: [{ name: 'execute_sql', arguments: { sql: 'SELECT metric(revenue)' } }] };
    const sql = 'SELECT COUNT(*) FROM orders';
    const more = { explanation: '', not_understood: [], other_readings: [] };
    const end: ScriptedReply = { toolCalls: [{ name: 'terminate', arguments: { outcome: 'sql', sql, ...more } }] };
    expect(await namesOf(QUESTION, [look, end], { flow: react() })).toEqual([[[7]], []]);
  });
});

describe('what computes a metric', () => {
  it('is not doubted, whatever it groups by', async () => {
    const key = field('order_id', 'order_id', { dimension: {} });
    const datasets = (SHOP_MODEL.datasets ?? []).map((one) =>
      one.name === 'orders' ? { ...one, fields: [...one.fields, key] } : one,
    );
    const knowledge = shopKnowledge({ datasets });
    const sql = 'SELECT MAX(m.revenue) FROM metric(revenue BY orders.order_id) AS m';
    const { outcome } = await ask(QUESTION, [wrote(sql)], { knowledge });
    expect([rowsOf(outcome), outcome.calls, outcome.warnings]).toEqual([[[500]], 1, []]);
  });
});

it('a solver that reads no prompt is not asked first for what knowledge defines and declines', async () => {
  const words = sqlSolver('words', () => ({
    output: { outcome: 'sql', sql: 'SELECT 1', explanation: '', not_understood: [] },
  }));
  const flow = auto({ sure: words });
  const model = wrote('SELECT SUM(amount) - 1 FROM orders');
  const asked = async (question: string) => (await ask(question, [model], { flow })).outcome;
  expect(rowsOf(await asked(QUESTION))).toEqual([[1]]);
  const { calls, solvedBy } = await asked('What is turnover without discounts?');
  expect(calls).toBeGreaterThan(0);
  expect(solvedBy).not.toBe('words');
});
