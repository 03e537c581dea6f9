import { join } from 'node:path';
import type { RunEvent } from '@askema/core';
import { sqlite } from '@askema/sqlite';
import type { ScriptedReply } from '@askema/testkit';
import {
  auto,
  decodeOutcome,
  direct,
  encodeOutcome,
  inspect,
  plain,
  react,
  refine,
  type Text2SqlFlow,
} from '@askema/text2sql';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { ACCEPTED } from '../bind/test-support/model-parts.ts';
import type { Knowledge } from '../model/knowledge.ts';
import { SHOP_SQL } from '../reader/test-support/shop.ts';
import { ask, basesOf, folder, rowsOf, SHOP, text, useShop, wrote } from './test-support/ask-shop.ts';

useShop();

describe('a question that knowledge reads whole', () => {
  it('is answered without a model where the flow is auto', async () => {
    const { outcome } = await ask('Revenue by region in 2024', []);
    expect(rowsOf(outcome)).toEqual([
      ['North', 110],
      ['South', 230],
      [null, 500],
    ]);
    expect(outcome).toMatchObject({ calls: 0, solvedBy: 'knowledge', warnings: [] });
    expect(basesOf(outcome)).toEqual([
      { kind: 'metric', name: 'revenue', definition: 'SUM(orders.amount)', state: 'accepted' },
    ]);
    const decoded = decodeOutcome(JSON.parse(JSON.stringify(encodeOutcome(outcome))));
    expect(basesOf(decoded)).toEqual(basesOf(outcome));
  });

  it('by a verified query, with what its holes were filled with, though its result is empty', async () => {
    const { outcome } = await ask('Who lives in Berlin?', []);
    expect(rowsOf(outcome)).toEqual([['Ada'], ['Cleo']]);
    expect(basesOf(outcome)).toEqual([
      {
        kind: 'verifiedQuery',
        name: 'living-in',
        definition: 'Who lives in {city}?',
        state: 'accepted',
        parameters: { city: 'Berlin' },
      },
    ]);
    expect(outcome.explanation).toContain('verified by ada');
    const nobody = await ask('Who lives in "Rome"?', []);
    expect([rowsOf(nobody.outcome), nobody.outcome.warnings]).toEqual([[], []]);
  });

  it.each([
    ['plain', plain()],
    ['react', react()],
    ['inspect', inspect()],
    ['refine', refine()],
  ] as [string, Text2SqlFlow][])('in %s where that is asked for', async (_name, flow) => {
    const { outcome } = await ask('Net revenue in 2024', [], { flow, knowledgeFirst: true });
    expect([rowsOf(outcome), outcome.calls, outcome.solvedBy]).toEqual([[[270]], 0, 'knowledge']);
    expect(basesOf(outcome)).toHaveLength(1);
  });

  it('goes to the model otherwise: with a hint beside it, in other flows, where it is not accepted', async () => {
    const sql = 'SELECT SUM(amount) FROM orders';
    const hinted = await ask('revenue', [wrote(sql)], { evidence: 'revenue is that of all orders' });
    expect([hinted.outcome.calls, rowsOf(hinted.outcome)]).toEqual([1, [[990]]]);
    const inPlain = await ask('revenue', [wrote(sql)], { flow: plain() });
    expect(inPlain.outcome.calls).toBe(1);
    const bare = await ask('revenue', [{ text: sql }], { flow: direct(), knowledgeFirst: true });
    expect([bare.outcome.calls, basesOf(bare.outcome)]).toEqual([1, []]);
    const standing = { ...ACCEPTED, state: 'proposed' as const };
    const [verified] = SHOP.verifiedQueries;
    const proposed = { ...SHOP, verifiedQueries: [{ ...verified, standing }] } as Knowledge;
    const other = await ask('Who lives in Berlin?', [wrote("SELECT 'Ada'")], { knowledge: proposed });
    expect([other.outcome.calls, basesOf(other.outcome)]).toEqual([1, []]);
    expect(other.prompts.join()).not.toContain('Who lives in {city}');
  });
});

it('a verified query neither answers nor is shown for its own question where that is measured', async () => {
  const replies = [wrote("SELECT 'nobody'")];
  for (const question of ['Who lives in Berlin?', 'who lives in "Berlin"']) {
    const { outcome, prompts } = await ask(question, replies, {
      flow: plain(),
      knowledgeFirst: true,
      leaveOutAsked: true,
    });
    expect([outcome.calls, basesOf(outcome)]).toEqual([1, []]);
    expect(prompts.join()).not.toContain('Who lives in {city}');
  }
});

describe('what the model is told', () => {
  it('is a fenced section in every flow, and nothing where nothing fits', async () => {
    const question = 'Which lost customers had net revenue?';
    for (const flow of [plain(), react(), inspect(), refine(), auto()]) {
      const { prompts } = await ask(question, [], { flow });
      expect(prompts[0]).toMatch(
        /<<<data knowledge (\w+)>>>[\s\S]*net_revenue[\s\S]*A lost customer is one[\s\S]*<<<end \1>>>/,
      );
      expect(prompts[0]?.includes('metric(NAME)')).toBe(flow.flow.name !== 'inspect');
      expect(prompts[0]?.includes('FROM metric(')).toBe(flow.flow.name !== 'inspect');
      if (flow.flow.name === 'inspect') expect(prompts.join()).not.toMatch(/metric\s*\(/);
      const [without, empty] = await Promise.all([
        ask('Is there any weather?', [], { flow, knowledge: null }),
        ask('Is there any weather?', [], { flow }),
      ]);
      expect(empty.prompts.length).toBeGreaterThan(0);
      expect(empty.prompts).toEqual(without.prompts);
    }
  });
});

it('listeners are told what the prompt shows and why, and what has no room; the prompt is not', async () => {
  const long = Array.from({ length: 40 }, (_, at) =>
    text('rule', `Rule ${at}`, `Net revenue of lost customers ${'is looked at with great care '.repeat(7)} ${at}.`),
  );
  const told: RunEvent[] = [];
  const { prompts } = await ask('Which lost customers had net revenue?', [], {
    knowledge: { ...SHOP, texts: [...SHOP.texts, ...long] },
    flow: plain(),
    onEvent: (event) => told.push(event),
  });
  const ofType = (name: string) =>
    told.flatMap((event) => (event.type === 'call' && event.call === name ? [event.data] : []));
  expect(ofType('knowledge-shown')).toContainEqual({ id: 'metric:net_revenue', reason: 'named by "net revenue"' });
  expect(ofType('knowledge-left-out')).toContainEqual({
    id: expect.stringMatching(/^rule:Rule \d+$/),
    reason: expect.stringContaining('"net"'),
  });
  expect(prompts.join()).not.toContain('named by');
});

describe('metrics in the statement of a model', () => {
  const LOST = 'Which regions had high net revenue?';

  it('are computed as they are defined, and the answer stands on them', async () => {
    const sql = 'SELECT m.region FROM metric(net_revenue BY stores.region) AS m WHERE m.net_revenue > 210';
    for (const flow of [plain(), auto()]) {
      const { outcome } = await ask(LOST, [wrote(sql)], { flow });
      expect([rowsOf(outcome), outcome.calls]).toEqual([[['North']], 1]);
      expect(outcome.sql).toContain('delivered_at');
      expect(outcome.sql).not.toMatch(/metric\(/);
      expect(basesOf(outcome)).toEqual([
        {
          kind: 'metric',
          name: 'net_revenue',
          definition: 'SUM(orders.amount) where orders.delivered_at IS NOT NULL',
          state: 'accepted',
        },
      ]);
    }
  });

  it('that cannot be computed are told to the model', async () => {
    const good = wrote('SELECT metric(net_revenue)');
    const { outcome, prompts } = await ask(LOST, [wrote('SELECT metric(nett_revenue)'), good], { flow: plain() });
    expect([rowsOf(outcome), outcome.calls]).toEqual([[[420]], 2]);
    expect(prompts[1]).toMatch(/no metric `nett_revenue`[\s\S]*net_revenue/);
    expect(outcome.candidates[0]).toMatchObject({ sql: 'SELECT metric(nett_revenue)', status: 'failed' });
  });

  it('are shown to an agent that looks around', async () => {
    const look: ScriptedReply = { toolCalls: [{ name: 'execute_sql', arguments: { sql: 'SELECT metric(revenue)' } }] };
    const end: ScriptedReply = {
      toolCalls: [
        {
          name: 'terminate',
          arguments: {
            outcome: 'sql',
            sql: 'SELECT metric(net_revenue)',
            explanation: '',
            not_understood: [],
            other_readings: [],
          },
        },
      ],
    };
    const { outcome } = await ask(LOST, [look, end], { flow: react() });
    expect([rowsOf(outcome), outcome.executions]).toEqual([[[420]], 2]);
    expect(basesOf(outcome)).toHaveLength(1);
  });

  it('that the model computes otherwise are doubted, with the definition', async () => {
    const revised = {
      json: { assessment: '', is_right: 'no', sql: 'SELECT metric(net_revenue)', explanation: 'by definition' },
    };
    const { outcome, prompts } = await ask(
      'Tell me the value of net revenue, please do',
      [wrote('SELECT SUM(amount) AS net_revenue FROM orders'), revised],
      { knowledgeFirst: false },
    );
    expect([rowsOf(outcome), outcome.calls]).toEqual([[[420]], 2]);
    expect(prompts[1]).toContain('defined as SUM(orders.amount) where orders.delivered_at IS NOT NULL');
    const flow = auto({ inspection: { severities: { 'custom/knowledge-metric': 'off' } } });
    const silent = await ask(
      'Tell me the net revenue, please do',
      [wrote('SELECT SUM(amount) AS net_revenue FROM orders')],
      { knowledgeFirst: false, flow },
    );
    expect([rowsOf(silent.outcome), silent.outcome.calls]).toEqual([[[990]], 1]);
    expect(basesOf(outcome)).toHaveLength(1);
  });
});

it('the answer names the rules that the model was shown', async () => {
  const { outcome } = await ask('How many lost customers are there?', [wrote('SELECT 1')], { flow: plain() });
  expect(basesOf(outcome)).toEqual([
    {
      kind: 'rule',
      name: 'Lost customers',
      definition: 'A lost customer is one without an order since 2024.',
      state: 'accepted',
    },
  ]);
});

it('joins along links that only the knowledge declares are checked by them', async () => {
  const bare = join(folder, 'bare.sqlite');
  const database = new Database(bare);
  database.exec(SHOP_SQL.replaceAll(' PRIMARY KEY', ''));
  database.close();
  // Each order counts once for each order of its customer.
  const sql = 'SELECT SUM(a.amount) FROM orders a JOIN orders b ON b.customer_id = a.customer_id';
  const kept: ScriptedReply = { json: { assessment: '', is_right: 'yes', sql: '', explanation: '' } };
  const asked = async (knowledge: Knowledge | null) => {
    const adapter = sqlite({ file: bare });
    const { prompts } = await ask('What did people pay?', [wrote(sql), kept], {
      adapter,
      knowledge,
      inferKeys: false,
    });
    return prompts.length;
  };
  expect([await asked(null), await asked(SHOP)]).toEqual([1, 2]);
});
