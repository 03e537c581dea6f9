import { describe, expect, it } from 'vitest';
import type { Knowledge } from '../model/knowledge.ts';
import type { Standing } from '../model/standing.ts';
import { KEYLESS_SHOP, mine, ran, SHOP, textsOf } from './test-support/shop-log.ts';

const REVENUE = "SELECT SUM(total) AS revenue FROM orders WHERE status <> 'void'";

describe('metrics', () => {
  it('are one, however they are written', async () => {
    const mined = await mine(
      ran(
        [
          REVENUE,
          `select o."total" + 0 * 1, sum(o."total") revenue from public.orders as o where 'void' != o.status group by 1`,
          "SELECT ROUND(SUM(CASE WHEN status <> 'void' THEN total ELSE 0 END), 2) AS revenue FROM orders",
          "SELECT SUM(total) FILTER (WHERE NOT status = 'void') AS revenue FROM orders",
          "WITH good AS (SELECT id, total AS t FROM orders WHERE status <> 'void') SELECT SUM(t) AS revenue FROM good",
          "SELECT c.country, SUM(o.total) AS revenue FROM orders o LEFT JOIN customers c ON c.id = o.customer_id WHERE o.status <> 'void' GROUP BY 1",
        ],
        { times: 2 },
      ),
      { minCount: 12 },
    );
    expect(textsOf(mined)).toEqual(["metric:revenue SUM(orders.total) where orders.status <> 'void'"]);
    expect(mined.proposals[0]).toMatchObject({ count: 12, users: 2 });
  });

  it.each([
    [
      'the same product',
      ['SELECT SUM(quantity * price) AS v FROM lines', 'SELECT SUM((l.price*l.quantity)) v FROM lines l'],
      'SUM(lines.price * lines.quantity)',
    ],
    [
      'counts of rows',
      ['SELECT COUNT(*) AS v FROM orders', 'SELECT COUNT(1) AS v FROM orders', 'SELECT COUNT(o.id) v FROM orders o'],
      'COUNT(*) of orders',
    ],
    [
      'ratios',
      [
        'SELECT SUM(total) / COUNT(*) AS v FROM orders',
        'SELECT SUM(total) * 1.0 / NULLIF(COUNT(id), 0) AS v FROM orders',
      ],
      'SUM(orders.total) / COUNT(*)',
    ],
    [
      'differences',
      ['SELECT SUM(total - tax) AS v FROM orders', 'SELECT SUM(-tax + total) v FROM orders'],
      'SUM(orders.total - orders.tax)',
    ],
  ])('%s', async (_, statements, text) => {
    const mined = await mine(ran(statements, { times: 3 }), { minCount: 6 });
    expect(mined.proposals.map((one) => one.text)).toEqual([text]);
  });

  it('keep what people asked at the time apart from what belongs to them', async () => {
    const mined = await mine([
      ...ran(REVENUE),
      ...ran("SELECT SUM(total) AS bookings FROM orders WHERE day >= '2026-01-01'"),
      ...['DE', 'FR', 'NO', 'IT'].flatMap((country) =>
        ran(
          `SELECT SUM(o.total) AS revenue FROM orders o JOIN customers c ON c.id = o.customer_id WHERE c.country = '${country}' AND o.status <> 'void'`,
          { times: 2, users: 2 },
        ),
      ),
    ]);
    expect(textsOf(mined)).toContain("metric:revenue SUM(orders.total) where orders.status <> 'void'");
    expect(textsOf(mined)).toContain('metric:bookings SUM(orders.total)');
    expect(textsOf(mined).join()).not.toMatch(/country =|day/);
  });

  it('are not learned from rows that a join repeats', async () => {
    const join = 'FROM orders o JOIN lines l ON l.order_id = o.id';
    const mined = await mine([
      ...ran(`SELECT SUM(o.total) AS revenue, SUM(l.quantity) AS units ${join}`),
      ...ran('SELECT SUM(total) AS crossed FROM orders, customers'),
      ...ran('SELECT SUM(o.total) AS by_kind FROM orders o JOIN customers c ON c.kind = o.status'),
      ...ran(
        'SELECT c.name, SUM(x.s) AS nested FROM customers c JOIN (SELECT customer_id, SUM(total) s FROM orders GROUP BY 1) x ON x.customer_id = c.id GROUP BY 1',
      ),
    ]);
    // The last one adds up totals of orders alone, in a query of its own.
    expect(textsOf(mined)).toEqual(['metric:s SUM(orders.total)', 'metric:units SUM(lines.quantity)']);
  });

  it('have the names that several give them', async () => {
    const names = ['revenue', 'revenue', 'turnover', 'my \u001b[31mname', 'x'.repeat(200)];
    const mined = await mine(names.flatMap((name) => ran(`SELECT SUM(total) AS "${name}" FROM orders`)));
    const [metric] = mined.knowledge.models[0]?.metrics ?? [];
    expect([metric?.name, ...(metric?.ai?.synonyms ?? [])]).toEqual(['revenue', 'turnover']);
  });
});

describe('joins', () => {
  it('go from many to one, on all columns of a key', async () => {
    const mined = await mine(
      ran([
        'SELECT c.name FROM customers c JOIN customers p ON p.id = c.parent_id',
        'SELECT p.name FROM customers c LEFT JOIN customers p ON c.parent_id = p.id',
        'SELECT c.name FROM customers c, orders o WHERE o.customer_id = c.id',
        'SELECT 1 FROM orders WHERE customer_id IN (SELECT id FROM customers)',
        'SELECT p.weight FROM parcels p JOIN lines l ON l.order_id = p.order_id AND p.line_no = l.no',
        'SELECT l.no FROM lines l WHERE EXISTS (SELECT 1 FROM parcels p WHERE p.line_no = l.no AND p.order_id = l.order_id)',
      ]),
    );
    expect(mined.knowledge.models[0]?.relationships).toMatchObject([
      { from: 'customers', to: 'customers', fromColumns: ['parent_id'], toColumns: ['id'] },
      { from: 'orders', to: 'customers', fromColumns: ['customer_id'], toColumns: ['id'] },
      { from: 'parcels', to: 'lines', fromColumns: ['line_no', 'order_id'], toColumns: ['no', 'order_id'] },
    ]);
  });

  it('are not proposed for one statement, other types, or columns that find many rows', async () => {
    const mined = await mine(
      ran([
        'SELECT o.day FROM orders o JOIN parcels p ON p.id = o.id',
        'SELECT c.name FROM customers c JOIN orders o ON c.name = o.status',
        'SELECT c.kind FROM customers c JOIN orders o ON c.name = o.status',
        'SELECT c.name FROM customers c JOIN orders o ON c.id = o.status',
        'SELECT c.kind FROM customers c JOIN orders o ON c.id = o.status',
      ]),
    );
    expect(mined.proposals).toEqual([]);
  });

  it('say so where no key tells which side has one row', async () => {
    const log = ran([
      'SELECT c.name FROM customers c JOIN orders o ON o.customer_id = c.id',
      'SELECT o.day FROM customers c JOIN orders o ON o.customer_id = c.id',
    ]);
    const mined = await mine(log, { catalog: KEYLESS_SHOP });
    expect(mined.knowledge.models[0]?.relationships).toMatchObject([{ from: 'orders', to: 'customers' }]);
    expect(mined.proposals[0]?.remark).toContain('no key');
  });
});

describe('filters', () => {
  it('always hold where nearly every statement has them, else have a name', async () => {
    const always = 'is_test = FALSE';
    const mined = await mine([
      ...ran(`SELECT SUM(total) AS revenue FROM orders WHERE ${always}`, { times: 12 }),
      ...ran(`SELECT COUNT(*) AS orders FROM orders WHERE NOT is_test AND status = 'open'`, { times: 6 }),
      ...ran(`SELECT SUM(tax) AS vat FROM orders WHERE is_test IS FALSE AND status = 'open'`, { times: 6 }),
      ...ran('SELECT SUM(tax) AS vat FROM orders WHERE is_test IS FALSE', { times: 6 }),
      ...ran('SELECT MAX(day) AS latest FROM orders', { times: 1 }),
    ]);
    expect(textsOf(mined)).toContain('dataset:orders default filter orders.is_test = FALSE');
    expect(textsOf(mined)).toContain("filter:orders_status_is orders.status = 'open'");
  });

  it('do not show what one person looks for, nor whole values of metrics', async () => {
    const log = ran("SELECT COUNT(*) AS found FROM customers WHERE name = 'Ann Berg'", { times: 60, users: 1 });
    const slow = log.map((one, at) => ({ ...one, sql: `${one.sql} AND id > ${at + 1000}` }));
    const mined = await mine(slow);
    expect(JSON.stringify(mined)).not.toContain('Ann');
    expect(mined.withheld).toEqual({ 'values of few': 1 });
    expect(textsOf(await mine(slow, { values: true })).join()).toContain('Ann Berg');
  });
});

it('shows no value of a masked column, whatever is asked for', async () => {
  const status = SHOP.schema.attributes.find(({ name }) => name === 'status')?.id ?? '';
  const info = SHOP.attributes[status];
  const catalog = {
    ...SHOP,
    attributes: { ...SHOP.attributes, ...(info && { [status]: { ...info, masked: true } }) },
  } as const;
  const mined = await mine(ran(REVENUE), { catalog, values: true });
  expect([mined.withheld, mined.proposals]).toEqual([{ 'values of few': 1 }, []]);
});

describe('what does not count', () => {
  it('is told by reason', async () => {
    const mined = await mine(
      [
        ...ran(REVENUE, { times: 1, failed: true }),
        ...ran(REVENUE, { times: 2, application: 'askema' }),
        ...ran(REVENUE, { times: 3, tag: '{"app":"askema","run":"r"}' }),
        ...ran(REVENUE, { times: 4, at: '2020-01-01T00:00:00.000Z' }),
        ...ran('DELETE FROM orders', { times: 1 }),
        ...ran('SELECT SUM( FROM', { times: 2 }),
        ...ran(`SELECT '${'x'.repeat(100_001)}'`, { times: 1 }),
        ...ran('<insufficient privilege>', { times: 3 }),
        ...ran(`SELECT ${'('.repeat(5_000)}1${')'.repeat(5_000)}`, { times: 1 }),
        ...ran(REVENUE, { times: 90, users: 1, application: 'Dash' }),
        ...ran('SELECT MAX(total) AS m FROM orders', { times: 1, application: 'Job' }),
      ].toSorted(() => 0),
      { since: '2026-01-01', tools: ['job'] },
    );
    expect(mined.proposals).toEqual([]);
    expect(mined.skipped).toEqual({
      failed: 1,
      own: 5,
      'before --since': 4,
      'no query': 1,
      'not parsed': 3,
      'too long': 1,
      hidden: 3,
      'by a tool': 91,
    });
  });

  it('is a statement without its user often enough, or of one user seldom', async () => {
    expect((await mine(ran(REVENUE, { users: 1 }))).proposals).toEqual([]);
    const often = await mine(ran(REVENUE, { times: 10, users: 1, calls: 5 }), { toolRuns: 100 });
    expect(often.proposals).toEqual([]);
    expect(often.withheld).toEqual({ 'values of few': 1 });
    const nobody = await mine(ran('SELECT SUM(total) AS t FROM orders', { user: undefined }));
    expect(nobody.proposals).toMatchObject([{ users: 0, count: 6 }]);
  });

  it('has no literal in a text of pg_stat_statements: aggregates and joins remain', async () => {
    const mined = await mine(
      [
        {
          sql: 'SELECT SUM(total) AS revenue, COUNT($1) FROM orders WHERE status <> $2 LIMIT $3',
          calls: 40,
          user: 'a',
        },
        { sql: 'SELECT SUM(total) AS revenue FROM orders WHERE day > $1', calls: 4, user: 'b' },
      ],
      { toolRuns: 1_000 },
    );
    expect(textsOf(mined)).toEqual(['metric:revenue SUM(orders.total)']);
    expect(mined.proposals[0]?.remark).toContain('not known');
  });
});

describe('what is known', () => {
  const standing: Standing = { state: 'accepted', source: 'file', place: { file: 'models/shop.ossie.yaml' } };
  const knowledge = async (): Promise<Knowledge> => {
    const { knowledge: first } = await mine([
      ...ran(REVENUE),
      ...ran([
        'SELECT c.name FROM customers c JOIN orders o ON o.customer_id = c.id',
        'SELECT o.day FROM customers c JOIN orders o ON o.customer_id = c.id',
      ]),
    ]);
    const accepted = <Part extends { standing: Standing }>(parts: readonly Part[]) =>
      parts.map((one) => ({ ...one, standing }));
    const models = first.models.map((model) => ({
      ...model,
      standing,
      datasets: accepted(model.datasets),
      metrics: accepted(model.metrics),
      relationships: accepted(model.relationships),
    }));
    return { schemaVersion: 1, problems: [], ...first, models };
  };

  it('is counted and not proposed again', async () => {
    const again = await mine(
      ran([
        "SELECT SUM(o.total) AS revenue FROM orders o JOIN customers c ON c.id = o.customer_id WHERE 'void' <> o.status",
        'SELECT o.id FROM orders o JOIN customers c ON c.id = o.customer_id',
      ]),
      { knowledge: await knowledge() },
    );
    expect(again.proposals).toEqual([]);
    expect(again.known).toBe(2);
  });

  it('is not what one person alone proposes', async () => {
    const first = await knowledge();
    const by = {
      ...standing,
      state: 'proposed',
      by: 'ann',
      place: { file: 'proposals/by/ann/models/shop.ossie.yaml' },
    } as const;
    const models = first.models.map((model) => ({
      ...model,
      standing: by,
      metrics: model.metrics.map((metric) => ({ ...metric, standing: by })),
    }));
    const mined = await mine(ran(REVENUE), { knowledge: { ...first, models } });
    expect([mined.known, textsOf(mined).length]).toEqual([0, 1]);
  });

  it('gets the names that it lacks, and keeps its own', async () => {
    const again = await mine(ran(REVENUE.replace('revenue', 'turnover')), { knowledge: await knowledge() });
    expect(textsOf(again)).toEqual(['metric:revenue also called turnover']);
    expect(again.knowledge.models[0]).toMatchObject({
      name: 'shop',
      datasets: [],
      metrics: [{ name: 'revenue', ai: { synonyms: ['turnover'] } }],
    });
  });
});
