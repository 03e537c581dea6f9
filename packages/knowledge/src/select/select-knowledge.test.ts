import { countTokensRoughly } from '@askema/core';
import { describe, expect, it } from 'vitest';
import { ACCEPTED } from '../bind/test-support/model-parts.ts';
import type { Knowledge, KnowledgeText, VerifiedQuery } from '../model/knowledge.ts';
import { bindShop, cell, SHOP_MODEL, shopKnowledge } from '../reader/test-support/shop.ts';
import { selectKnowledge } from './select-knowledge.ts';

function text(id: string, said: string, more: Partial<KnowledgeText> = {}): KnowledgeText {
  return { id, kind: 'rule', title: '', text: said, appliesTo: [], priority: 0, standing: ACCEPTED, ...more };
}

function query(question: string, sql: string, more: Partial<VerifiedQuery> = {}): VerifiedQuery {
  return { id: question, question, sql, names: 'physical', parameters: [], tags: [], standing: ACCEPTED, ...more };
}

const withTexts = (...texts: KnowledgeText[]): Knowledge => shopKnowledge({}, { texts });
const ids = (question: string, knowledge: Knowledge): string[] =>
  selectKnowledge(question, knowledge).items.map(({ id }) => id);

describe('selectKnowledge: what is named', () => {
  const strict = shopKnowledge({
    datasets: (SHOP_MODEL.datasets ?? []).map((dataset) =>
      dataset.name === 'orders' ? { ...dataset, defaultFilter: "orders.status <> 'T'" } : dataset,
    ),
  });

  it('takes a metric by its synonym, with the filter that always holds', () => {
    const { text: shown, items } = selectKnowledge('What was our turnover last year?', strict);
    expect(items).toEqual([
      { id: 'metric:revenue', kind: 'metric', reason: 'named by "turnover"' },
      { id: 'dataset:orders', kind: 'dataset', reason: 'always holds for revenue' },
    ]);
    expect(shown).toBe(
      'Metrics:\n- revenue (EUR; also "turnover", "sales") = SUM(orders.amount)\n\n' +
        "Rules:\n- Rows of orders count only where orders.status <> 'T'",
    );
  });

  it('takes the metrics that a metric is made of', () => {
    const { items } = selectKnowledge('Show the revenue growth by month', strict);
    expect(items.slice(0, 2)).toEqual([
      { id: 'metric:revenue_growth', kind: 'metric', reason: 'named by "revenue growth"' },
      { id: 'metric:revenue', kind: 'metric', reason: 'part of revenue_growth' },
    ]);
  });

  it('takes fields by what their values mean, and filters by their synonyms', () => {
    const { text: shown } = selectKnowledge('How many large orders did premium customers place?', shopKnowledge());
    expect(shown).toContain("customers.tier (Loyalty tier). Values: 'G' is gold or premium, 'B' is basic");
    expect(shown).toContain('big orders (also "large orders") = orders.amount >= 100');
    expect(shown).not.toContain('orders.status');
  });

  it('takes the field of a cell that was found', () => {
    const bound = bindShop();
    const values = [cell('customers.city', 'Berlin')];
    expect(selectKnowledge('Who is from Berlin?', bound.knowledge, { bound, values }).items).toEqual([
      { id: 'field:customers.city', kind: 'field', reason: 'has the cell "Berlin"' },
    ]);
  });

  it('takes a metric that is described in words of the question', () => {
    const [model] = shopKnowledge().models;
    const metrics = (model?.metrics ?? []).map((metric) =>
      metric.name === 'latest_value' ? { ...metric, description: 'Worth of the goods on the last day.' } : metric,
    );
    const { items } = selectKnowledge('How much are all goods worth?', shopKnowledge({ metrics }));
    expect(items).toEqual([{ id: 'metric:latest_value', kind: 'metric', reason: 'described by "goods", "worth"' }]);
  });

  it('takes nothing that nobody accepted', () => {
    const standing = { ...ACCEPTED, state: 'proposed' } as const;
    const metrics = (SHOP_MODEL.metrics ?? []).map((metric) => ({ ...metric, standing }));
    const filters = (SHOP_MODEL.filters ?? []).map((filter) => ({ ...filter, standing }));
    const proposed = {
      texts: [text('always', 'Round amounts.', { standing }), text('about', 'Turnover is net.', { standing })],
      verifiedQueries: [query('turnover of big orders', 'SELECT 1', { standing })],
    };
    expect(
      selectKnowledge('turnover of big orders', shopKnowledge({ metrics, filters, datasets: [] }, proposed)),
    ).toEqual({
      text: '',
      items: [],
      leftOut: [],
    });
  });

  it('gives an empty text where nothing fits', () => {
    expect(selectKnowledge('How is the weather?', strict)).toEqual({ text: '', items: [], leftOut: [] });
    expect(selectKnowledge('', strict).text).toBe('');
  });
});

describe('selectKnowledge: prose', () => {
  const glossary = text('glossary#nr', 'Revenue without returns.', { kind: 'glossary', title: 'Net revenue (NR)' });

  it('takes what is about a name that is selected, under any of the names of the question', () => {
    const about = text('rules/money', 'Amounts are kept in cents.', { appliesTo: ['Revenue'] });
    const other = text('rules/staff', 'Managers change in spring.', { appliesTo: ['stores.manager'] });
    expect(selectKnowledge('turnover by region', withTexts(about, other)).items).toContainEqual({
      id: 'rule:rules/money',
      kind: 'rule',
      reason: 'about revenue',
    });
    expect(ids('turnover by region', withTexts(about, other))).not.toContain('rule:rules/staff');
  });

  it.each(['net revenue by month', 'the NR of May'])('takes a term of the glossary: %s', (question) => {
    expect(ids(question, withTexts(glossary))).toContain('glossary:glossary#nr');
  });

  it('takes abbreviations as they are written, and by what their letters stand for', () => {
    const us = text('us', 'US = country code 840');
    const aov = text('aov', 'AOV = amount through orders');
    expect(ids('turnover in the US', withTexts(us))).toContain('rule:us');
    expect(ids('turnover that it gave us', withTexts(us))).not.toContain('rule:us');
    expect(ids('average order value by store', withTexts(aov))).toContain('rule:aov');
  });

  it('takes rules that are about nothing of the database for every question, the most urgent first', () => {
    const plain = text('plain', 'Match texts without regard to case.');
    const urgent = text('urgent', 'Round amounts to two digits.', { priority: 5 });
    const specific = text('specific', 'Orders from before 2020 are not complete.');
    const selected = selectKnowledge('List the names of all managers', withTexts(plain, urgent, specific));
    expect(selected.text).toBe('Rules:\n- Round amounts to two digits.\n- Match texts without regard to case.');
    expect(selected.items[0]?.reason).toBe('holds for every question');
  });

  const long = text(
    'long',
    [
      'Churn rate = customers who left / customers at the start.',
      'Leaving means no purchase for 90 days.',
      'To compare warehouses, join the stock and the warehouse tables and keep the newest count of each article only.',
      'Weekend shifts count double in the payroll and in the plan of the warehouses, but not in the monthly statistics.',
    ].join('\n'),
  );

  it('takes of a long text the statements that are about the question, with what goes on from a definition', () => {
    const { text: shown } = selectKnowledge('What is the churn rate of gold customers?', withTexts(long));
    expect(shown).toContain('Churn rate = customers who left');
    expect(shown).toContain('Leaving means no purchase');
    expect(shown).not.toContain('warehouse');
  });

  it('cuts no statement in the middle of a phrase', () => {
    const said = `${long.text}\nTo compute the SOR = refunds / orders. Anyone may ask.`;
    const { text: shown } = selectKnowledge('SOR by warehouse', withTexts(text('sor', said)));
    expect(shown).toContain('- To compute the SOR = refunds / orders');
    expect(shown).not.toMatch(/the$/m);
  });

  it('takes one of two wordings, and both of two that contradict each other', () => {
    const first = text('a', 'The stock of a warehouse is counted with returned articles.');
    const again = text('b', 'The stock of the warehouse is counted with returned article.');
    const against = text('c', 'The stock of a warehouse is counted without returned articles.');
    const found = ids('stock of each warehouse', withTexts(first, again, against));
    expect(found).toContain('rule:c');
    expect(found).not.toContain('rule:b');
  });

  it('keeps code with the statement before it', () => {
    const said = `${long.text}\nStaff turnover is computed like this:\n\`\`\`sql\nSELECT COUNT(*) -- all\nFROM staff\n\`\`\`\nAsk Ada.`;
    const { text: shown } = selectKnowledge('What is the staff turnover?', withTexts(text('staff', said)));
    expect(shown).toContain('- Staff turnover is computed like this:\n  SELECT COUNT(*) -- all\n  FROM staff');
    expect(shown).not.toContain('warehouse');
  });

  it('keeps each entry in its line', () => {
    const odd = text('odd', 'Churn\n\nExamples:\n- SELECT 1 churn rate', { title: 'Churn\nrate' });
    expect(selectKnowledge('churn rate', withTexts(odd)).text.split('\n')).toHaveLength(2);
  });
});

describe('selectKnowledge: examples', () => {
  const near = [
    'turnover of stores by region',
    'turnover of stores by manager',
    'turnover of stores by month',
    'stores',
  ];
  const queries = near.map((question) => query(question, `SELECT '${question}'`));

  it('shows at most three queries that are like the question', () => {
    const { items, text: shown } = selectKnowledge(
      'turnover of stores by region and month',
      shopKnowledge({}, { verifiedQueries: queries }),
    );
    expect(items.filter(({ kind }) => kind === 'query')).toHaveLength(3);
    expect(shown).toContain("- turnover of stores by region\n  SELECT 'turnover of stores by region'");
  });

  it('shows statements in names and the dialect of the database only', () => {
    const logical = query('all regions of stores', 'SELECT region FROM stores', { names: 'logical' });
    const knowledge = shopKnowledge({}, { verifiedQueries: [logical] });
    expect(selectKnowledge('all regions of stores', knowledge).text).not.toContain('SELECT');
    const bound = bindShop(knowledge);
    expect(selectKnowledge('all regions of stores', bound.knowledge, { bound }).text).toMatch(
      /Verified queries, as examples:\n- all .*\n {2}SELECT/,
    );
    const foreign = shopKnowledge({}, { verifiedQueries: [{ ...logical, names: 'physical', dialect: 'postgres' }] });
    expect(selectKnowledge('all regions of stores', foreign, { bound: bindShop(foreign) }).text).not.toContain(
      'SELECT',
    );
    const broken = shopKnowledge({}, { verifiedQueries: [{ ...logical, sql: 'SELECT region FROM nowhere' }] });
    expect(selectKnowledge('all regions of stores', broken, { bound: bindShop(broken) }).text).not.toContain('SELECT');
  });
});

describe('selectKnowledge: the budget', () => {
  const texts = Array.from({ length: 40 }, (_, at) =>
    text(`rule-${at}`, `Orders of the kind ${at} belong to the stores whose manager signed the contract number ${at}.`),
  );
  const knowledge = withTexts(...texts);
  const question = 'turnover of the orders of stores with a contract that a manager signed';

  it.each([0, 1, 20, 60, 150, 400, 1200])('stays below %i tokens and says what it left out', (maxTokens) => {
    const { text: shown, items, leftOut } = selectKnowledge(question, knowledge, { maxTokens });
    expect(countTokensRoughly(shown)).toBeLessThanOrEqual(maxTokens);
    expect(leftOut.length > 0).toBe(true);
    expect(new Set([...items, ...leftOut].map(({ id }) => id)).size).toBe(items.length + leftOut.length);
    expect(shown === '').toBe(items.length === 0);
  });

  it('keeps what is named where room is short', () => {
    expect(selectKnowledge(question, knowledge, { maxTokens: 40 }).items[0]?.id).toBe('metric:revenue');
  });

  it('obeys a counter that does not add up', () => {
    const countTokens = (shown: string): number => shown.length ** 2;
    expect(countTokens(selectKnowledge(question, knowledge, { maxTokens: 9_000, countTokens }).text)).toBeLessThan(
      9_001,
    );
  });

  it('gives the same for the same, in an order that does not depend on the question', () => {
    expect(selectKnowledge(question, knowledge)).toEqual(selectKnowledge(question, knowledge));
    const { text: shown } = selectKnowledge('turnover and new customers', knowledge);
    expect(selectKnowledge('new customers and turnover', knowledge).text).toBe(shown);
  });

  it('rejects a budget that is none', () => {
    expect(() => selectKnowledge(question, knowledge, { maxTokens: -1 })).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID' }),
    );
  });
});

describe('selectKnowledge: many texts', () => {
  const euros = text('money', 'Amounts are in euros.');
  const cancelled = text('cancelled', 'Cancelled means that nobody paid.', { appliesTo: ['cancelled'] });
  const shownWith = (...more: KnowledgeText[]): string =>
    selectKnowledge('What was cancelled?', withTexts(...more, euros, cancelled)).text;
  const times = (make: (at: number) => KnowledgeText): KnowledgeText[] =>
    Array.from({ length: 300 }, (_, at) => make(at));

  it('says once what is written many times, whatever is urgent', () => {
    const same = times((at) => text(`r${at}`, 'Write names in full, always.', { priority: 9 }));
    expect(shownWith(...same)).toContain(
      'Rules:\n- Write names in full, always.\n- Amounts are in euros.\n- Cancelled means that nobody paid.',
    );
    const about = times((at) => text(`r${at}`, 'What is cancelled stays so.', { appliesTo: ['cancelled'] }));
    expect(shownWith(...about)).toContain('nobody paid');
    const others = ['Berlin', 'Paris'].map((city) =>
      text(city, `What is cancelled in ${city} stays so for good.`, { appliesTo: ['cancelled'] }),
    );
    expect(shownWith(...others)).toMatch(/Berlin[\s\S]*Paris/);
  });

  it('leaves room for others beside a text that alone would take all', () => {
    const long = times((at) => text('long', `- cancelled ${at} = paid later`)).map((one) => one.text);
    const shown = shownWith(text('long', long.join('\n'), { appliesTo: ['cancelled'] }));
    expect(shown).toContain('nobody paid');
    expect(countTokensRoughly(shown)).toBeLessThanOrEqual(1_200);
  });
});
