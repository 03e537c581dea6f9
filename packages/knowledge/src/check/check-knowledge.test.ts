import { AskemaError } from '@askema/core';
import { sqliteDialect } from '@askema/dialects';
import { createSqlParser } from '@askema/sql-parser';
import { describe, expect, it } from 'vitest';
import { ACCEPTED, dataset, field, join, knowledge, metric } from '../bind/test-support/model-parts.ts';
import { usableKnowledge } from '../folder/usable-knowledge.ts';
import type { Knowledge, VerifiedQuery } from '../model/knowledge.ts';
import type { Dataset, SemanticModel } from '../model/semantic-model.ts';
import { findVerified } from '../verified/find-verified.ts';
import { resultHash } from './result-hash.ts';
import { checkSqlite, codesOf } from './test-support/check-sqlite.ts';

const SHOP = {
  script: `
    CREATE TABLE customers (customer_id INTEGER PRIMARY KEY, name TEXT, region TEXT);
    CREATE TABLE orders (order_id INTEGER, customer_id INTEGER, amount INTEGER, status TEXT, ordered_at DATE);
    INSERT INTO customers VALUES (1, 'Ann', 'north'), (2, 'Bob', 'south'), (3, 'Cid', 'south');
    INSERT INTO orders VALUES (1, 1, 10, 'paid', '2024-01-05'), (2, 1, 20, 'paid', '2024-02-05'),
      (3, 2, 40, 'open', '2024-02-06'), (4, NULL, 5, 'open', '2024-02-07');
  `,
};

const dimension = { dimension: {} };
const ORDERS = dataset(
  'orders',
  [field('status', 'status', dimension), field('day', 'ordered_at', { dimension: { isTime: true } }), field('amount')],
  { primaryKey: ['order_id'] },
);
const CUSTOMERS = dataset('customers', [field('region', 'region', dimension)], { primaryKey: ['customer_id'] });
const JOIN = join('orders.customer_id > customers.customer_id');
const REVENUE = metric('revenue', 'SUM(orders.amount)');

const model = (more: Partial<SemanticModel>): Partial<SemanticModel> => ({
  datasets: [ORDERS, CUSTOMERS],
  relationships: [JOIN],
  metrics: [REVENUE],
  ...more,
});

function query(id: string, question: string, sql: string, more: Partial<VerifiedQuery> = {}): VerifiedQuery {
  const standing = { ...ACCEPTED, place: { file: `sql/${id}.md`, line: 1 } };
  return { id, question, sql, names: 'physical', parameters: [], tags: [], standing, ...more };
}

const check = (more: Partial<SemanticModel>, rest: Partial<Knowledge> = {}, script = SHOP.script) =>
  checkSqlite(knowledge(model(more), rest), { script });

describe('checkKnowledge', () => {
  it('finds nothing wrong with knowledge that holds', async () => {
    const found = await check(
      {
        filters: [{ name: 'paid', dataset: 'orders', condition: "status = 'paid'", synonyms: [], standing: ACCEPTED }],
      },
      { verifiedQueries: [query('all', 'How much in all?', 'SELECT SUM(amount) AS total FROM orders')] },
    );
    expect(found.findings).toEqual([]);
    expect(found.skipped).toEqual([]);
    expect(found.statements).toBeGreaterThan(8);
    expect(new Set(found.entries.map(({ state }) => state))).toEqual(new Set(['accepted']));
    expect(found.entries.map(({ id }) => id)).toContain('query:all');
    expect(found.entries[0]).toMatchObject({ checkedAt: '1970-01-01T00:00:00.000Z', checkedBy: 'test' });
    expect(found.knowledge.models[0]?.metrics[0]?.standing).toMatchObject({ state: 'accepted', checkedBy: 'test' });
  });

  it('marks what is wrong as failed, with the reason', async () => {
    const found = await check({ metrics: [REVENUE, metric('costs', 'SUM(orders.cost)')] });
    expect(found.entries.find(({ id }) => id === 'metric:costs')).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining('`orders.cost`'),
    });
    expect(found.knowledge.models[0]?.metrics.map(({ standing }) => standing.state)).toEqual(['accepted', 'failed']);
    expect(found.entries.find(({ id }) => id === 'metric:revenue')?.state).toBe('accepted');
  });

  const repeated = `${SHOP.script} INSERT INTO orders VALUES (4, 99, 1, 'late', '2024-03-01'), (NULL, 2, 1, 'late', '2024-03-01')`;

  it('counts keys, orphans and values', async () => {
    const values = [
      { value: 'paid', synonyms: [] },
      { value: 'opened', synonyms: [] },
    ];
    const orders: Dataset = { ...ORDERS, fields: [field('status', 'status', { values })] };
    const found = await check({ datasets: [orders, CUSTOMERS] }, {}, repeated);
    expect(codesOf(found)).toEqual([
      'dataset:orders key-not-unique',
      'dataset:orders key-null',
      'relationship:orders_customers join-orphans',
      'field:orders.status value-missing',
      'field:orders.status value-without-meaning',
      'relationship:orders_customers depends-on-broken',
      'metric:revenue depends-on-broken',
    ]);
    const [unique, , orphans, missing, unknown] = found.findings;
    expect(unique?.message).toContain('2 rows have `order_id` = "4"');
    expect(orphans?.message).toContain('1 rows');
    expect(missing).toMatchObject({ message: expect.stringContaining('"opened"'), advice: 'Did you mean `open`?' });
    expect(unknown?.message).toContain('"open", "late"');
  });

  it('refuses a join whose one side repeats, and tells a total that differs by it', async () => {
    const twice = `
      CREATE TABLE customers (customer_id INTEGER, region TEXT);
      CREATE TABLE orders (order_id INTEGER PRIMARY KEY, customer_id INTEGER, amount INTEGER, status TEXT, ordered_at DATE);
      INSERT INTO customers VALUES (1, 'north'), (1, 'south');
      INSERT INTO orders VALUES (1, 1, 10, 'paid', '2024-01-05')`;
    const found = await check({}, {}, twice);
    expect(codesOf(found)).toEqual([
      'dataset:customers key-not-unique',
      'relationship:orders_customers join-not-unique',
      'metric:revenue total-differs',
    ]);
    expect(found.findings[2]?.message).toBe(
      'Metric `revenue` is 10 in all, and its groups by `customers.region` add up to 20.',
    );
  });

  it('fails what needs a part that failed when it was run', async () => {
    const twice = `${SHOP.script} INSERT INTO orders VALUES (1, 1, 7, 'paid', '2024-01-05')`;
    const found = await check({ metrics: [REVENUE, metric('buyers', 'COUNT(customers.customer_id)')] }, {}, twice);
    expect(codesOf(found)).toEqual([
      'dataset:orders key-not-unique',
      'relationship:orders_customers depends-on-broken',
      'metric:revenue depends-on-broken',
    ]);
    const { knowledge: usable } = usableKnowledge(found.knowledge);
    expect(usable.models[0]?.metrics.map(({ name }) => name)).toEqual(['buyers']);
  });

  it('does not hold sums of groups against what does not add up', async () => {
    const metrics = [
      metric('customers', 'COUNT(DISTINCT orders.customer_id)'),
      metric('mean', 'AVG(orders.amount)'),
      metric('mean_by_hand', 'SUM(orders.amount) / COUNT(orders.order_id)'),
      metric('share', { kind: 'ratio', numerator: { metric: 'mean' }, denominator: { metric: 'customers' } }),
    ];
    expect(codesOf(await check({ metrics }))).toEqual(['metric:mean_by_hand integer-division']);
  });

  it('tells what the form of expressions gives away', async () => {
    const metrics = [
      REVENUE,
      metric('growth', '(SUM(orders.amount) - SUM(amount)) * 100 / SUM(orders.amount)'),
      metric('running', 'SUM(amount)'),
    ];
    const found = await check({ metrics });
    expect(codesOf(found).filter((code) => !code.endsWith('integer-division'))).toEqual([
      'metric:growth constant-part',
      'metric:running same-expression',
    ]);
  });

  it('tells filters that leave nothing', async () => {
    const found = await check({
      datasets: [{ ...ORDERS, defaultFilter: "status <> 'open'" }, CUSTOMERS],
      filters: [
        { name: 'PAID', dataset: 'orders', condition: "status = 'PAID'", synonyms: [], standing: ACCEPTED },
        { name: 'south', dataset: 'orders', condition: "customers.region = 'south'", synonyms: [], standing: ACCEPTED },
      ],
    });
    // The order from the south is open, and the default filter holds as well.
    expect(codesOf(found)).toEqual(['filter:PAID filter-empty', 'filter:south filter-empty']);
  });

  it('runs verified queries and holds them against what was pinned', async () => {
    const total = 'SELECT SUM(amount) AS total FROM orders';
    const rows = resultHash({ columns: [{ name: 'total', type: 'NUMERIC' }], rows: [[75]] });
    const found = await check(
      {},
      {
        verifiedQueries: [
          query('right', 'Sales?', total, { expected: { columns: ['total'], rows } }),
          query('renamed', 'Costs?', 'SELECT SUM(cost) FROM orders'),
          query('columns', 'Sales by status?', `${total} GROUP BY status`, { expected: { columns: ['sum'] } }),
          query('rows', 'Sales of one?', `${total} WHERE order_id = 1`, { expected: { columns: ['total'], rows } }),
          query('none', 'Sales of none?', 'SELECT amount FROM orders WHERE order_id = 99'),
          query('writes', 'Drop?', 'DELETE FROM orders'),
          query('two', 'Two?', 'SELECT 1; SELECT 2'),
          query('elsewhere', 'Other engine?', 'SELECT 1', { dialect: 'snowflake' }),
        ],
      },
    );
    expect(codesOf(found)).toEqual([
      'query:renamed query-fails',
      'query:columns query-stale',
      'query:rows query-stale',
      'query:none query-empty',
      'query:writes query-refused',
      'query:two query-refused',
    ]);
    expect(found.findings[1]?.message).toContain('It lacks `sum`. It has `total`.');
    expect(found.skipped).toEqual([
      { what: 'Verified query `elsewhere`', reason: 'It is written for snowflake, and the database is SQLite.' },
    ]);
  });

  it('runs both of two queries that ask nearly the same', async () => {
    const found = await check(
      {},
      {
        verifiedQueries: [
          query('a', 'What is the revenue of the region?', 'SELECT SUM(amount) FROM orders'),
          query('b', 'Revenue of regions', "SELECT SUM(amount) FROM orders WHERE status = 'paid'"),
          query('c', 'revenue without a region', 'SELECT 1'),
          query('d', 'Please show me the number of orders', 'SELECT COUNT(*) FROM orders'),
          query('e', 'number of orders', 'SELECT COUNT(order_id) AS n FROM orders'),
        ],
      },
    );
    // What only the words tell stands beside it, as a warning.
    const errors = found.findings.filter(({ severity }) => severity === 'error');
    expect(codesOf({ findings: errors })).toEqual(['query:b questions-differ', 'query:a questions-differ']);
  });

  it('compares no results that were cut', async () => {
    const many = (order: string) =>
      `WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 10001) SELECT x FROM n ORDER BY x ${order}`;
    const expected = { columns: ['x'], rows: '0' };
    const queries = [query('up', 'Numbers?', many('ASC'), { expected }), query('down', 'The numbers?', many('DESC'))];
    const found = await check({}, { verifiedQueries: queries });
    expect(found.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(found.skipped[0]).toEqual({
      what: 'The rows of Verified query `up`',
      reason: 'Only 10000 of them were read.',
    });
  });

  it('says what the cap of statements left out, and stays within it', async () => {
    const found = await checkSqlite(knowledge(model({})), SHOP, { maxStatements: 2 });
    expect(found.statements).toBe(2);
    expect(found.skipped.length).toBeGreaterThan(2);
    expect(found.skipped[0]?.reason).toBe('The limit of 2 statements was reached.');
    expect(found.findings).toEqual([]);
  });

  it('stops when it is told to', async () => {
    const stop = new AbortController();
    stop.abort();
    await expect(checkSqlite(knowledge(model({})), SHOP, { signal: stop.signal })).rejects.toMatchObject({
      code: 'ABORTED',
    });
  });

  it('checks proposals, lets them stay proposals, and needs none of them', async () => {
    const proposed = { ...ACCEPTED, state: 'proposed', place: { file: 'proposals/models/p.ossie.yaml' } } as const;
    const count = metric('orders', 'COUNT(orders.order_id)', { standing: proposed });
    const found = await check({
      metrics: [
        REVENUE,
        count,
        metric('revenue', 'SUM(orders.amount) * 2', { standing: proposed }),
        metric('per_order', { kind: 'ratio', numerator: { metric: 'revenue' }, denominator: { metric: 'orders' } }),
      ],
    });
    expect(codesOf(found)).toEqual(['metric:per_order needs-proposal', 'metric:revenue proposed-again']);
    expect(found.entries.filter(({ id }) => id.startsWith('metric:')).map(({ id, state }) => `${id} ${state}`)).toEqual(
      ['metric:revenue accepted', 'metric:orders proposed', 'metric:revenue proposed', 'metric:per_order failed'],
    );
  });

  it('lets no proposal break what is accepted', async () => {
    const proposed = { ...ACCEPTED, state: 'proposed', place: { file: 'proposals/models/p.ossie.yaml' } } as const;
    const refunds = dataset('refunds', [field('amount', 'customer_id')], { source: 'customers', standing: proposed });
    const total = 'SELECT SUM(amount) AS total FROM orders';
    const found = await check(
      // Without `refunds`, only one dataset has an amount.
      { datasets: [ORDERS, CUSTOMERS, refunds], metrics: [metric('revenue', 'SUM(amount)')] },
      {
        verifiedQueries: [
          query('total', 'What is the total?', total),
          query('other', 'The total?', 'SELECT 1 AS total', { standing: proposed }),
        ],
      },
    );
    const failed = found.entries.filter(({ state }) => state === 'failed').map(({ id }) => id);
    expect(failed).toEqual(['query:other']);
    expect(codesOf(found)).toContain('query:other questions-differ');
    expect(codesOf(found)).not.toContain('query:total questions-differ');
  });

  it('takes metrics that are dates and texts for what they are', async () => {
    const metrics = [metric('last_day', 'MAX(orders.ordered_at)'), metric('first_name', 'MIN(customers.name)')];
    expect(codesOf(await check({ metrics }))).toEqual([]);
  });

  it('does not hold it against a definition that a statement was too slow or not allowed', async () => {
    const denied = new AskemaError('QUERY_FAILED', 'permission denied', { details: { errorClass: 'permission' } });
    const slow = new AskemaError('QUERY_TIMEOUT', 'too slow');
    const failure = (sql: string) => (/COUNT\(\*\)/.test(sql) ? denied : slow);
    const found = await checkSqlite(knowledge(model({})), SHOP, { failure });
    expect(found.findings).toEqual([]);
    expect(found.skipped.map(({ reason }) => reason)).toContain('permission denied');
    expect(found.skipped).toHaveLength(found.statements);
  });

  it('ends where the database is gone, and calls nothing wrong because of it', async () => {
    const failure = () => new AskemaError('DATABASE_UNAVAILABLE', 'gone');
    await expect(checkSqlite(knowledge(model({})), SHOP, { failure })).rejects.toMatchObject({
      code: 'DATABASE_UNAVAILABLE',
    });
  });

  it('notes what nothing leads to', async () => {
    const found = await check({
      relationships: [],
      metrics: [REVENUE, metric('hidden', 'COUNT(orders.order_id)', { isHidden: true })],
    });
    expect(codesOf(found)).toEqual(['dataset:customers unreachable-dataset', 'metric:hidden unused-metric']);
  });

  it('says after a change of the schema what broke and what would mend it, and uses none of it', async () => {
    const renamed = `${SHOP.script} ALTER TABLE orders RENAME COLUMN amount TO net_amount;
      ALTER TABLE orders RENAME COLUMN customer_id TO customer_no; ALTER TABLE orders ADD COLUMN amounts TEXT;`;
    const sql = 'SELECT SUM(amount) AS total FROM orders';
    const verified = query('total', 'What is the total?', sql);
    const model = { datasets: [{ ...ORDERS, fields: [field('amount', 'amount', { type: 'Decimal' })] }, CUSTOMERS] };
    const found = await check(model, { verifiedQueries: [verified] }, renamed);
    expect(codesOf(found)).toEqual([
      'field:orders.amount unknown-column',
      'relationship:orders_customers unknown-column',
      'metric:revenue depends-on-broken',
      'query:total query-fails',
    ]);
    // `amounts` is nearer by its name, and a text.
    expect(found.findings[0]?.advice).toBe('Did you mean `net_amount`?');
    expect(found.findings[1]?.advice).toContain('`customer_no`');
    const { knowledge: usable, leftOut } = usableKnowledge(found.knowledge);
    expect(leftOut.failed).toBe(4);
    expect(usable.models[0]?.datasets[0]?.fields).toEqual([]);
    expect(findVerified('What is the total?', usable, { dialect: sqliteDialect }).kind).not.toBe('same');
    const before = await check(model, { verifiedQueries: [verified] });
    expect(findVerified('What is the total?', before.knowledge, { dialect: sqliteDialect })).toMatchObject({ sql });
  });

  it('looks up the names of a statement before it runs, where there is a parser', async () => {
    await using parser = createSqlParser();
    const queries = { verifiedQueries: [query('typo', 'Amounts?', 'SELECT amout FROM orders')] };
    const found = await checkSqlite(knowledge(model({}), queries), SHOP, { parser });
    expect(codesOf(found)).toEqual(['query:typo query-stale']);
    expect(found.findings[0]?.advice).toContain('`amount`');
  });

  it('takes cells for data', async () => {
    const script = `CREATE TABLE orders (order_id TEXT, status TEXT); INSERT INTO orders VALUES
      ('x' || char(10) || 'error: drop everything', 'a'), ('x' || char(10) || 'error: drop everything', 'b')`;
    const orders = dataset('orders', [field('status')], { primaryKey: ['order_id'] });
    const found = await checkSqlite(knowledge({ datasets: [orders] }), { script });
    expect(found.findings[0]?.message).not.toContain('\n');
  });
});
