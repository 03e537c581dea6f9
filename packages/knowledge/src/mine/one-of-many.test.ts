import { buildCatalog, relationId } from '@askema/core';
import { postgresDialect } from '@askema/dialects';
import { describe, expect, it } from 'vitest';
import { chooseMetrics } from './choose-metrics.ts';
import { noEvidence } from './evidence.ts';
import { GatheredFacts } from './gather-facts.ts';
import { type LoggedStatement, MINE_DEFAULTS } from './logged-statement.ts';
import { mine, ran, textsOf } from './test-support/shop-log.ts';

/** What one of them runs again and again, and is no tool. */
const often = (sql: string, times = 1_000): LoggedStatement[] => ran(sql, { times, user: 'mallory' });
const all = (...statements: readonly LoggedStatement[][]) => mine(statements.flat(), { toolRuns: 1_000_000 });
const REVENUE = ran('SELECT SUM(total) AS revenue FROM orders', { times: 40, users: 8 });
const PLAIN = 'metric:revenue SUM(orders.total)';

describe('what one of many runs ten thousand times', () => {
  it('is no condition of what the others run, and no filter of the table', async () => {
    const same = await all(REVENUE, often('SELECT SUM(total) AS revenue FROM orders WHERE status IS NULL'));
    expect(textsOf(same)).toEqual([PLAIN]);
    const other = await all(REVENUE, often('SELECT SUM(total) AS turnover FROM orders WHERE status IS NULL'));
    expect(other.proposals.map(({ text, users }) => [text, users])).toEqual([
      ['SUM(orders.total) where orders.status IS NULL', 1],
      ['SUM(orders.total)', 8],
    ]);
    const both = 'SELECT SUM(total) AS revenue, COUNT(*) AS orders FROM orders';
    const filtered = await all(ran(both, { times: 40, users: 8 }), often(`${both} WHERE status IS NULL`));
    expect(textsOf(filtered)).toContain(PLAIN);
    expect(textsOf(filtered).filter((text) => text.startsWith('dataset'))).toEqual([]);
  });

  it('takes no condition and no filter from the others', async () => {
    const both = 'SELECT SUM(total) AS revenue, COUNT(*) AS orders FROM orders';
    const mined = await all(ran(`${both} WHERE status IS NULL`, { times: 40, users: 8 }), often(both));
    expect(textsOf(mined)).toEqual([
      'dataset:orders default filter orders.status IS NULL',
      'metric:orders COUNT(*) of orders where orders.status IS NULL',
      'metric:revenue SUM(orders.total) where orders.status IS NULL',
    ]);
  });

  it('takes no condition from nameless runs by a name of its own', async () => {
    const nameless = ran('SELECT SUM(total) FROM orders WHERE status IS NULL', { times: 40, users: 8 });
    const mined = await all(nameless, often('SELECT SUM(total) AS turnover FROM orders'));
    expect(textsOf(mined)).toEqual(['metric:orders_sum_orders_total SUM(orders.total) where orders.status IS NULL']);
  });

  it('takes no nameless runs from the others by a name whose condition nobody else settled', async () => {
    const nameless = 'SELECT SUM(total) FROM orders';
    const others = [nameless, `${nameless} WHERE status IS NULL`].map((sql) => ran(sql, { times: 4, users: 4 }));
    const mined = await all(...others, often('SELECT SUM(total) AS turnover FROM orders WHERE status IS NULL', 1));
    expect(textsOf(mined)).toEqual(['metric:orders_sum_orders_total SUM(orders.total)']);
  });

  it('takes no join from the others', async () => {
    const asked = (join: string) => ['name', 'kind'].map((column) => `SELECT c.${column} FROM orders o JOIN ${join}`);
    const right = ran(asked('customers c ON c.id = o.customer_id'), { times: 20, users: 8 });
    const wrong = asked('customers c ON c.id = o.id').flatMap((sql) => often(sql));
    const other = ['weight', 'id'].flatMap((column) =>
      often(`SELECT p.${column} FROM orders o JOIN parcels p ON p.id = o.customer_id`),
    );
    const mined = await all(right, wrong, other);
    expect(mined.proposals.map(({ text }) => text)).toContain('orders.customer_id = customers.id');
  });

  it('gives no name to what the others run, and takes none', async () => {
    const named = await all(REVENUE, often('SELECT SUM(total) AS losses FROM orders'));
    expect(named.knowledge.models[0]?.metrics.map(({ name, ai }) => [name, ai])).toEqual([['revenue', undefined]]);
    const nameless = ran('SELECT SUM(total) FROM orders', { times: 40, users: 8 });
    expect(textsOf(await all(nameless, often('SELECT SUM(total) AS losses FROM orders', 1)))).toEqual([
      'metric:orders_sum_orders_total SUM(orders.total)',
    ]);
    expect(textsOf(await all(REVENUE, often('SELECT SUM(tax) AS revenue FROM orders')))).toContain(PLAIN);
    const three = 'SELECT SUM(tax) AS revenue, AVG(tax) AS revenue, MAX(tax) AS revenue FROM orders';
    expect(textsOf(await all(REVENUE, often(three, 40)))).toContain(PLAIN);
    const state = await all(
      ran('SELECT status AS state FROM orders'),
      often('SELECT status AS "ann smith" FROM orders'),
    );
    expect(textsOf(state)).toEqual(['field:orders.status also called state']);
  });

  it('takes no time that grows with the square of what it differs in', () => {
    const facts = new GatheredFacts(({ name }) => name);
    const uses = Array.from({ length: 10_000 }, (_, at) => ({
      conditions: [`customer_id <> ${at}`],
      alias: `a${at}`,
      evidence: { ...noEvidence(), count: 1, users: new Map([[`user ${at % 7}`, 1]]) },
      unknown: 0,
    }));
    const expression = { kind: 'star', span: { start: 0, end: 0 } } as const;
    const byKey = new Map(uses.map((use) => [use.alias, use]));
    facts.aggregates.set('', { text: 'COUNT(*)', relation: relationId(['orders']), expression, uses: byKey });
    const chosen = { always: [], named: [], withheld: 0, mayShow: () => true, mayShowIn: () => true };
    const { metrics } = chooseMetrics(facts, chosen, MINE_DEFAULTS);
    expect(metrics.map(({ conditions, evidence }) => [conditions, evidence.count])).toEqual([[[], 10_000]]);
  });

  it('does not raise what is enough for the others', async () => {
    const mined = await all(REVENUE, ran('SELECT 1', { times: 2, user: 'mallory', calls: 1_000_000 }));
    expect(textsOf(mined)).toEqual([PLAIN]);
  });

  it('is not run by many, however its user is written', async () => {
    const users = ['Ann', 'ann', ' ANN ', 'a\u200bnn'];
    const mined = await mine(users.flatMap((user) => ran('SELECT SUM(total) AS t FROM orders', { times: 2, user })));
    expect(mined.proposals).toEqual([]);
  });

  it('is not learned from where Askema ran it under a name with an ending', async () => {
    const mined = await mine(ran('SELECT SUM(total) AS t FROM orders', { application: 'askema_prod' }));
    expect([mined.proposals, mined.skipped]).toEqual([[], { own: 6 }]);
  });
});

describe('values of a log', () => {
  const CASE = "SELECT MAX(CASE WHEN name = 'Ann Smith' THEN 1 WHEN id = 4711 THEN 2 END) AS top FROM customers";

  it('of one user do not stand in what is computed, and those of hidden columns never', async () => {
    const one = await all(often(CASE));
    expect([one.proposals, one.withheld]).toEqual([[], { 'values of few': 1 }]);
    expect((await mine(ran(CASE))).proposals).toHaveLength(1);
    const relations = [
      {
        nameParts: { schema: 'public', relation: 'customers' },
        kind: 'table' as const,
        attributes: [
          { name: 'id', nativeType: 'integer' },
          { name: 'name', nativeType: 'text', masked: true as const },
        ],
        primaryKey: ['id'],
      },
      {
        nameParts: { schema: 'public', relation: 'orders' },
        kind: 'table' as const,
        attributes: ['customer_id integer', 'total numeric'].map((column) => {
          const [name = '', nativeType = ''] = column.split(' ');
          return { name, nativeType };
        }),
      },
    ];
    const catalog = buildCatalog({ dialect: postgresDialect, name: 'shop', relations });
    const inside =
      "SELECT SUM(CASE WHEN c.name = 'Ann' THEN o.total END) AS a FROM orders o JOIN customers c ON c.id = o.customer_id";
    for (const sql of [CASE, inside]) {
      const { proposals, withheld } = await mine(ran(sql), { catalog });
      expect([JSON.stringify(proposals).includes('Ann'), withheld]).toEqual([false, { 'values of few': 1 }]);
    }
  });

  it('do not stand in an example as a name, nor in a name as a number', async () => {
    const sql =
      'WITH "bob@x.de" AS (SELECT * FROM orders) SELECT SUM(total) AS tel_01715551234 FROM "bob@x.de" AS "B O"';
    const [only] = (await mine(ran(sql))).proposals;
    expect(only).toMatchObject({
      id: 'metric:orders_sum_orders_total',
      example: 'WITH ? AS ( SELECT * FROM orders ) SELECT SUM ( total ) AS ? FROM ? AS ?',
    });
  });
});
