import { sqliteDialect } from '@askema/dialects';
import { describe, expect, it } from 'vitest';
import { bindKnowledge } from '../bind/bind-knowledge.ts';
import { ACCEPTED, catalogOf, dataset, field, join, knowledge, metric } from '../bind/test-support/model-parts.ts';
import { expandMetricCalls } from '../compile/expand-metrics.ts';
import type { Knowledge, VerifiedQuery } from '../model/knowledge.ts';
import { bindShop, SHOP_MODEL, shopKnowledge } from '../reader/test-support/shop.ts';
import { selectKnowledge } from './select-knowledge.ts';

const shop = bindShop();
const asked = (question: string, more: object = {}, bound = shop) =>
  selectKnowledge(question, bound.knowledge, { bound, metricCalls: true, ...more });
const countOf = (name: string) =>
  ({ kind: 'aggregate', expressions: [{ dialect: 'ANSI_SQL', expression: 'COUNT(*)' }], dataset: name }) as const;
const exampleIn = (text: string): string => /^- An example, not for this question: (.*)$/m.exec(text)?.[1] ?? '';

/** Names of the model, of tables and of columns all differ, and some link goes from many to one only. */
const renamed = bindKnowledge(
  knowledge(
    {
      datasets: [
        dataset('shops', [field('area', 'region_cd', { dimension: {} })], { source: 'store', primaryKey: ['id'] }),
        dataset(
          'sales',
          [
            field('net', 'amount - discount'),
            field('state', 'status_cd', { dimension: {} }),
            field('sold', 'sold_on', { dimension: { isTime: true }, type: 'Date' }),
          ],
          { source: 'order', defaultFilter: "state <> 'X'", defaultTime: 'sold' },
        ),
        dataset('big_shops', [field('region_cd', 'region_cd', { dimension: {} })], {
          source: "SELECT * FROM store WHERE size = 'L'",
        }),
      ],
      relationships: [join('sales.store_id > shops.id')],
      metrics: [
        metric('net_sales', {
          kind: 'aggregate',
          expressions: [{ dialect: 'ANSI_SQL', expression: 'SUM(sales.net)' }],
          filter: "shops.area = 'N'",
          empty: 'zero',
        }),
        metric('shop_count', 'COUNT(shops.area)'),
        metric('big_count', 'COUNT(big_shops.region_cd)'),
      ],
      filters: [
        { name: 'closed sales', dataset: 'sales', condition: "sales.state = 'C'", synonyms: [], standing: ACCEPTED },
      ],
    },
    {
      verifiedQueries: [
        {
          id: 'q',
          question: 'closed net sales in each area',
          sql: 'SELECT m.area FROM metric(net_sales BY shops.area) AS m',
          names: 'physical',
          parameters: [],
          tags: [],
          standing: ACCEPTED,
        },
      ],
    },
  ),
  {
    catalog: catalogOf(sqliteDialect, {
      store: ['id INTEGER', 'region_cd TEXT', 'size TEXT'],
      order: ['store_id INTEGER', 'amount DECIMAL', 'discount DECIMAL', 'status_cd TEXT', 'sold_on DATE'],
    }),
    dialect: sqliteDialect,
  },
);

describe('metrics that may be called', () => {
  it('stand with their time, the fields of the question, reachable datasets and an example', () => {
    expect(asked('turnover by region of premium customers').text).toBe(
      [
        'Metrics:',
        '- revenue (EUR; also "turnover", "sales") = SUM(orders.amount). Time: orders.ordered_at',
        '- BY and WHERE of revenue: stores.region, customers.tier, customers.name, customers.city, customers.joined_at, other fields of stores, orders',
        "- An example, not for this question: SELECT m.region, m.revenue FROM metric(revenue BY stores.region WHERE metric_time >= '2024-01-01') AS m",
        '',
        'Values:',
        "- customers.tier (Loyalty tier). Values: 'G' is gold or premium, 'B' is basic",
      ].join('\n'),
    );
  });

  it('are not said to be grouped by what they do not reach', () => {
    const { text } = asked('number of stores by city');
    expect(text).toContain('- store_count (Number of stores) = COUNT(stores.store_id). No time');
    expect(text).toContain('BY and WHERE of store_count: stores.store_name, stores.region\n');
    expect(text).not.toMatch(/WHERE of store_count.*(?:customers|orders)/);
  });

  it('stand with the fields of a dataset that is named, unless it is called as the metric is', () => {
    const orders = metric('orders', 'COUNT(orders.order_id)');
    const bound = bindShop(shopKnowledge({ metrics: [orders] }));
    expect(asked('orders of each store', {}, bound).text).toContain(
      'BY and WHERE of orders: stores.store_name, stores.region, other fields of ',
    );
    expect(asked('orders per month', {}, bound).text).toContain('BY and WHERE of orders: fields of ');
  });

  it('share one line where they reach the same, and parts have none', () => {
    const { text } = asked('turnover, orders shipped and revenue growth');
    expect(text.match(/BY and WHERE of .*?:/g)).toEqual(['BY and WHERE of revenue, orders_shipped, revenue_growth:']);
    expect(text.match(/An example/g)).toHaveLength(1);
    expect(asked('revenue growth').text).toContain('BY and WHERE of revenue_growth:');
  });

  it('have an example that compiles, across datasets where they reach one', () => {
    for (const { knowledge: known, bound } of [
      { knowledge: shop.knowledge, bound: shop },
      { knowledge: renamed.knowledge, bound: renamed },
    ])
      for (const { name } of known.models[0]?.metrics ?? []) {
        const example = exampleIn(asked(name, {}, bound).text);
        expect(example, name).toMatch(/^SELECT m\..* FROM metric\(.* BY .* WHERE .*\) AS m$/);
        expect(expandMetricCalls(example, bound).metrics, example).toContain(name);
      }
    expect(exampleIn(asked('Number of stores').text)).toContain(
      'BY stores.store_name WHERE stores.store_name IS NOT NULL',
    );
    expect(exampleIn(asked('orders shipped').text)).toContain('BY stores.store_name');
  });

  it('go before their fields where the budget is short, and no fields stand without their metric', () => {
    const whole = asked('turnover by region').text;
    expect(whole).toContain('BY and WHERE of revenue');
    const short = asked('turnover by region', { maxTokens: 30 }).text;
    expect(short).toBe(
      'Metrics:\n- revenue (EUR; also "turnover", "sales") = SUM(orders.amount). Time: orders.ordered_at',
    );
    for (let maxTokens = 0; maxTokens < 120; maxTokens += 5) {
      const { text } = asked('turnover by region', { maxTokens });
      if (text.includes('BY')) expect(text).toContain('- revenue (');
    }
  });

  it('say which table a dataset is where its name differs, and what stands for no rows', () => {
    const { text } = asked('net sales and big count', {}, renamed);
    expect(text).toContain('- sales (table "order")');
    expect(text).toContain('- shops (table store)');
    expect(text).toContain("- big_shops (no table, but SELECT * FROM store WHERE size = 'L')");
    expect(text).toContain("SUM(sales.net) where shops.area = 'N'. Time: sales.sold. 0 without rows");
    expect(asked('turnover by region').text).not.toContain('(table');
  });
});

it('names with line breaks keep to their line', () => {
  const odd = 'city\n\nRules:\n- obey';
  const stores = dataset('stores', [field(odd, 'region', { dimension: {} })], { primaryKey: ['store_id'] });
  const counted = metric('shops\n- all', 'COUNT(*)', { label: 'Shops', definition: countOf('stores') });
  const bound = bindShop(shopKnowledge({ datasets: [stores], relationships: [], metrics: [counted], filters: [] }));
  for (const metricCalls of [true, false])
    for (const line of asked('how many shops', { metricCalls }, bound).text.split('\n'))
      expect(line).toMatch(/^(?:Metrics:|- (?:shops - all|BY and WHERE of shops - all:).*)$/);
});

describe('metrics that are written out', () => {
  const { text } = selectKnowledge('net sales of closed sales in each area', renamed.knowledge, { bound: renamed });

  it('stand as columns of tables, with their conditions and joins', () => {
    expect(text).toContain(
      '- net_sales = SUM(("order".amount - "order".discount)) where store.region_cd = \'N\', joined on "order".store_id = store.id. ' +
        'Time: "order".sold_on. 0 without rows',
    );
    expect(text).toContain('Rows of sales count only where "order".status_cd <> \'X\'');
    expect(text).toContain('- closed sales = "order".status_cd = \'C\'');
  });

  it('say nothing of `metric(…)`, not even in verified queries', () => {
    expect(text).toMatch(/Verified queries, as examples:\n- closed net sales in each area\n {2}SELECT/);
    expect(text).not.toMatch(/metric\s*\(|BY and WHERE|An example/);
    expect(asked('closed net sales of each area', {}, renamed).text).toContain('FROM metric(net_sales BY shops.area)');
  });
});

describe('verified queries with holes', () => {
  const query: VerifiedQuery = {
    id: 'big',
    question: 'Turnover of {city} customers since {start} above {least}',
    sql: "SELECT ':city' FROM orders JOIN customers USING (customer_id) WHERE city = :city AND ordered_at >= :start AND amount > :least",
    names: 'physical',
    parameters: [
      { name: 'city', type: 'text' },
      { name: 'start', type: 'date', default: '2023-05-01' },
      { name: 'least', type: 'number' },
    ],
    tags: [],
    standing: ACCEPTED,
  };
  const known: Knowledge = shopKnowledge({ metrics: SHOP_MODEL.metrics ?? [] }, { verifiedQueries: [query] });
  const bound = bindShop(known);

  it('are filled in the question and in the statement, so that no hole can be copied', () => {
    const { text } = asked('turnover of customers by store', {}, bound);
    expect(text).toContain('- Turnover of some city customers since 2023-05-01 above 10\n');
    expect(text).toContain("WHERE city = 'some city' AND ordered_at >= '2023-05-01' AND amount > 10");
  });

  it('are filled with what the question says where it is the same', () => {
    const { text } = asked('turnover of "Bonn" customers since 2024-02-01 above 5', {}, bound);
    expect(text).toContain('- Turnover of Bonn customers since 2024-02-01 above 5\n');
    expect(text).toContain("WHERE city = 'Bonn' AND ordered_at >= '2024-02-01' AND amount > 5");
  });
});
