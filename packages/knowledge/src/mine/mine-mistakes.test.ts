import { mysqlDialect, sqliteDialect } from '@askema/dialects';
import { describe, expect, it } from 'vitest';
import { mine, ran, textsOf } from './test-support/shop-log.ts';

describe('periods', () => {
  const asked = (condition: string): ReturnType<typeof ran> =>
    ran(
      ['SUM(total) AS takings', 'MAX(tax) AS top_tax', 'MIN(tax) AS low_tax'].map(
        (number) => `SELECT ${number} FROM orders`,
      ),
      { times: 12 },
    ).map((one, at) => (at % 2 === 0 ? one : { ...one, sql: `${one.sql} WHERE ${condition}` }));
  const filters = async (condition: string): Promise<readonly string[]> => {
    const { proposals } = await mine(asked(condition));
    return proposals.filter(({ kind }) => kind === 'filter').map(({ text }) => text);
  };

  it.each(["day >= CURRENT_DATE - INTERVAL '30 days'", 'EXTRACT(YEAR FROM day) = 2026'])(
    'are what somebody asks, and no filter: %s',
    async (condition) => {
      expect(await filters(condition)).toEqual([]);
    },
  );

  it('are no other conditions', async () => {
    expect(await filters('day IS NULL')).toEqual(['orders.day IS NULL']);
    expect(await filters('total > 1')).toEqual(['orders.total > 1']);
  });

  it('belong to a number whose name says so', async () => {
    const recent = "SELECT COUNT(*) AS recent_orders FROM orders WHERE day >= CURRENT_DATE - INTERVAL '30 days'";
    expect(textsOf(await mine(ran(recent, { times: 9 })))).toEqual([
      expect.stringMatching(/^metric:recent_orders .* where orders.day >= CURRENT_DATE/),
    ]);
  });
});

describe('one condition in several spellings', () => {
  const spelled = [
    ...ran("SELECT SUM(weight) AS gifts FROM parcels p JOIN orders o ON o.id = p.order_id WHERE o.status = 'gift'"),
    ...ran("SELECT SUM(weight) AS gifts FROM parcels p JOIN orders o ON o.id = p.order_id WHERE o.status LIKE 'gift'"),
  ];

  it('is one where LIKE has nothing to stand for and minds case', async () => {
    expect(textsOf(await mine(spelled))).toContain("metric:gifts SUM(parcels.weight) where orders.status = 'gift'");
    const open = spelled.map((one) => ({ ...one, sql: one.sql.replace("LIKE 'gift'", "LIKE 'gif_'") }));
    expect(textsOf(await mine(open)).filter((text) => text.startsWith('metric:'))).toEqual([]);
  });

  it.each([sqliteDialect, mysqlDialect])('is not where LIKE compares otherwise', async (dialect) => {
    const mined = await mine(spelled, { dialect });
    expect(mined.withheld).toEqual({ 'no settled condition': 1 });
    expect(mined.proposals.filter(({ kind }) => kind === 'metric')).toEqual([]);
  });

  it('is withheld with its name where none of them is the one', async () => {
    const mined = await mine([
      ...ran('SELECT COUNT(*) AS late_orders FROM orders WHERE tax = 0'),
      ...ran('SELECT COUNT(*) AS late_orders FROM orders WHERE tax < 1'),
      ...ran('SELECT COUNT(*) AS all_orders FROM orders', { times: 9 }),
    ]);
    expect(textsOf(mined)).toEqual(['metric:all_orders COUNT(*) of orders']);
    expect(mined.withheld).toEqual({ 'no settled condition': 1 });
  });

  it('is not what people cut a number by', async () => {
    const kinds = ['a', 'b', 'c', 'd'].map(
      (kind) => `SELECT COUNT(*) AS clients FROM customers WHERE kind = '${kind}'`,
    );
    expect(textsOf(await mine(ran(kinds)))).toEqual(['metric:clients COUNT(*) of customers']);
  });
});

describe('names', () => {
  it('are one in whatever way they are written', async () => {
    const mined = await mine([
      ...ran('SELECT SUM(tax) AS vat FROM orders', { times: 9 }),
      ...ran(['SELECT SUM(tax) AS sales_tax FROM orders', 'SELECT SUM(tax) AS "sales tax" FROM orders']),
    ]);
    expect(mined.knowledge.models[0]?.metrics).toMatchObject([{ name: 'sales_tax', ai: { synonyms: ['vat'] } }]);
  });

  it('of one number are no evidence for another one of the same rows', async () => {
    const right = ran('SELECT SUM(total - tax) AS takings FROM orders', { times: 20 });
    const copied = ran('SELECT SUM(total) AS takings FROM orders');
    expect(textsOf(await mine([...right, ...copied]))).toEqual(['metric:takings SUM(orders.total - orders.tax)']);
    const elsewhere = ran('SELECT SUM(quantity) AS takings FROM lines');
    expect(textsOf(await mine([...right, ...elsewhere]))).toHaveLength(2);
  });

  it('of a number with a condition are no evidence for one without', async () => {
    const mined = await mine([
      ...ran("SELECT SUM(total) AS won FROM orders WHERE status = 'paid'", { times: 40 }),
      ...ran('SELECT SUM(total) AS won FROM orders', { times: 7 }),
      ...ran('SELECT SUM(total) AS placed FROM orders', { times: 3 }),
    ]);
    expect(textsOf(mined)).toEqual(["metric:won SUM(orders.total) where orders.status = 'paid'"]);
  });
});

it('keeps of a column with a usual value only what stands out beside it', async () => {
  const numbers = ['SUM(total) AS takings', 'MAX(tax) AS top_tax'];
  const under = (status: string, times: number): ReturnType<typeof ran> =>
    ran(
      numbers.map((number) => `SELECT ${number} FROM orders WHERE status = '${status}'`),
      { times },
    );
  const plain = ran(
    numbers.map((number) => `SELECT ${number} FROM orders`),
    { times: 60, users: 6 },
  );
  const mined = await mine([...plain, ...under('paid', 40), ...under('sent', 9), ...under('held', 9)]);
  const filters = mined.proposals.filter(({ kind }) => kind === 'filter').map(({ text }) => text);
  expect(filters).toEqual(["orders.status = 'paid'"]);
});

it('counts numbers that definitions have no words for, each once', async () => {
  const mined = await mine(
    ran([
      'SELECT AVG(EXTRACT(EPOCH FROM day)) AS moment FROM orders',
      'SELECT ROUND(AVG(EXTRACT(EPOCH FROM o.day)), 2) FROM orders o',
    ]),
  );
  expect([mined.withheld, mined.proposals]).toEqual([{ 'not in the language of definitions': 1 }, []]);
});

it('writes parts of dates as ANSI does', async () => {
  const mined = await mine(
    ran('SELECT SUM(total) AS on_sundays FROM orders WHERE EXTRACT(DOW FROM day) = 0', { times: 9 }),
  );
  expect(textsOf(mined)).toEqual(['metric:on_sundays SUM(orders.total) where EXTRACT(DOW FROM orders.day) = 0']);
});
