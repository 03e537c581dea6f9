import { describe, expect, it } from 'vitest';
import { mine, ran, textsOf } from './test-support/shop-log.ts';

const OPEN = "metric:open_total SUM(orders.total) where orders.status = 'open'";
const openTotal = ran("SELECT SUM(total) AS open_total FROM orders WHERE status = 'open'", { times: 8 });

describe('values of a column', () => {
  const lists = (values: readonly string[]): readonly string[] =>
    values.flatMap((a, at) =>
      values.slice(at + 1).map((b) => `SELECT id FROM orders WHERE status IN ('${a}', '${b}')`),
    );

  it('are codes if they are few, in however many lists they stand', async () => {
    const codes = ['open', 'paid', 'void', 'sent', 'held', 'lost', 'back'];
    const mined = await mine([...openTotal, ...ran(lists(codes), { times: 1 })]);
    expect(textsOf(mined)).toEqual([OPEN]);
  });

  it('are none if they are many, in however few lists they stand', async () => {
    const many = Array.from({ length: 24 }, (_, at) => `'n${at}'`).join(', ');
    const mined = await mine([...openTotal, ...ran(`SELECT id FROM orders WHERE status IN (${many})`, { times: 1 })]);
    expect(mined.withheld).toEqual({ 'values of few': 1 });
    expect(textsOf(mined)).toEqual([]);
  });

  it('of a short number stay with a fraction of nothing', async () => {
    const mined = await mine([
      ...ran('SELECT SUM(total * tax / 100.0) AS duty FROM orders'),
      ...ran('SELECT SUM(total * 4711.5) AS odd FROM orders'),
    ]);
    expect(textsOf(mined)).toEqual(['metric:duty SUM(orders.tax * orders.total / 100.0)']);
  });
});

describe('default filters', () => {
  const asked = [
    ...ran(['SELECT SUM(total) AS revenue FROM orders WHERE NOT is_test'], { times: 12 }),
    ...ran(['SELECT MAX(tax) AS top_tax FROM orders WHERE is_test = FALSE'], { times: 12 }),
  ];
  const defaultOf = ({ knowledge }: Awaited<ReturnType<typeof mine>>): unknown =>
    knowledge.models[0]?.datasets.find(({ name }) => name === 'orders')?.defaultFilter;

  it('are not for sub-queries that only choose', async () => {
    const mined = await mine([
      ...asked,
      ...ran([
        'SELECT SUM(quantity) AS units FROM lines WHERE order_id IN (SELECT id FROM orders WHERE tax = 0)',
        'SELECT SUM(quantity) AS units FROM lines l WHERE EXISTS (SELECT 1 FROM orders o WHERE o.id = l.order_id)',
      ]),
    ]);
    expect(defaultOf(mined)).toBe('orders.is_test = FALSE');
  });

  it('are told by what is asked again, unless few other statements have them', async () => {
    const look = 'SELECT * FROM orders LIMIT 10';
    expect(defaultOf(await mine([...asked, ...ran(look, { times: 8 })]))).toBe('orders.is_test = FALSE');
    expect(defaultOf(await mine([...asked, ...ran(look, { times: 12 })]))).toBeUndefined();
  });
});

describe('joins', () => {
  const usual = ran(
    [
      'SELECT c.name FROM orders o JOIN customers c ON c.id = o.customer_id',
      'SELECT c.kind FROM orders o JOIN customers c ON c.id = o.customer_id',
    ],
    { times: 40 },
  );
  const targets = (log: Parameters<typeof mine>[0]): Promise<readonly string[]> =>
    mine(log).then(({ proposals }) => proposals.filter(({ kind }) => kind === 'relationship').map(({ text }) => text));

  it('are not proposed where a column rarely leads elsewhere', async () => {
    const wrong = [
      'SELECT p.weight FROM orders o JOIN parcels p ON p.id = o.customer_id',
      'SELECT * FROM orders o, parcels p WHERE p.id = o.customer_id',
    ];
    expect(await targets([...usual, ...ran(wrong, { times: 12 })])).toEqual(['orders.customer_id = customers.id']);
    expect(await targets([...usual, ...ran(wrong, { times: 30 })])).toHaveLength(2);
  });

  it('need more runs where names do not say why', async () => {
    const unnamed = [
      'SELECT c.name FROM lines l JOIN customers c ON c.id = l.quantity',
      'SELECT c.kind FROM lines l JOIN customers c ON c.id = l.quantity',
    ];
    expect(await targets(ran(unnamed, { times: 4 }))).toEqual([]);
    expect(await targets(ran(unnamed, { times: 5 }))).toEqual(['lines.quantity = customers.id']);
    expect(
      await targets(
        ran(
          unnamed.map((sql) => sql.replace('l.quantity', 'l.order_id')),
          { times: 5 },
        ),
      ),
    ).toHaveLength(1);
  });
});

describe('metrics', () => {
  it('are no rows that people count to look', async () => {
    const mined = await mine(ran(['SELECT COUNT(*) FROM lines', 'SELECT COUNT(*) AS line_count FROM parcels']));
    expect(textsOf(mined)).toEqual(['metric:line_count COUNT(*) of parcels']);
  });

  it('keep their definition beside a more common one of the same aggregate', async () => {
    const mined = await mine([
      ...ran("SELECT COUNT(*) AS open_orders FROM orders WHERE status = 'open'", { times: 60, users: 6 }),
      ...ran('SELECT COUNT(*) AS all_orders FROM orders', { times: 8 }),
    ]);
    expect(textsOf(mined)).toEqual([
      'metric:all_orders COUNT(*) of orders',
      "metric:open_orders COUNT(*) of orders where orders.status = 'open'",
    ]);
  });

  it('have conditions that several people use', async () => {
    const mined = await mine([
      ...ran('SELECT SUM(tax) AS own FROM orders WHERE tax > 1', { times: 12, users: 1 }),
      ...ran('SELECT SUM(tax) AS own FROM orders', { times: 1, users: 1, user: 'another' }),
    ]);
    expect(textsOf(mined)).toEqual([]);
  });
});
