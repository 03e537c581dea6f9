import { bigqueryDialect, snowflakeDialect, sqliteDialect } from '@askema/dialects';
import { describe, expect, test, vi } from 'vitest';
import { attributeName } from '../resolve/query-facts.ts';
import { resolveQuery } from '../resolve/resolve-query.ts';
import type { ResolvedColumn, ResolvedQuery } from '../resolve/resolved-query.ts';
import { statementResolver } from './resolve-statement.ts';
import { catalogOf } from './shop-catalog.ts';

/** Of this process: others may use the machine meanwhile. */
const processorMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

// A worker starts; a loaded machine takes its time.
vi.setConfig({ testTimeout: 60_000 });

const { resolve } = statementResolver(sqliteDialect);

/** Each column of the statement as `text: what it means`, in the order of the blocks. */
function meanings(query: ResolvedQuery): string[] {
  return query.blocks.flatMap(({ block, columns }) =>
    block.columns.map(
      ({ span }, index) => `${query.sql.slice(span.start, span.end)}: ${meaning(query, columns[index])}`,
    ),
  );
}

function meaning(query: ResolvedQuery, column: ResolvedColumn | undefined): string {
  switch (column?.kind) {
    case 'attribute':
      return attributeName(query, column.attribute, { qualified: true });
    case 'output':
      return `output ${column.output.name}${column.output.attribute === undefined ? '' : ` of ${column.output.attribute}`}`;
    case 'alias':
      return `alias ${column.item}`;
    case 'ambiguous':
      return `ambiguous ${column.among.length}`;
    default:
      return column?.kind ?? 'nothing';
  }
}

const CASES: readonly (readonly [name: string, sql: string, expected: readonly string[]])[] = [
  [
    'an alias hides the name of its relation',
    'SELECT c.name, customers.name FROM customers c',
    ['c.name: customers.name', 'customers.name: unknown'],
  ],
  [
    'unqualified names go to the one relation that has them',
    'SELECT status, credit FROM orders JOIN customers ON orders.customer_id = customers.customer_id',
    [
      'status: orders.status',
      'credit: customers.credit',
      'orders.customer_id: orders.customer_id',
      'customers.customer_id: customers.customer_id',
    ],
  ],
  ['a name that two relations have is ambiguous', 'SELECT name FROM customers, products', ['name: ambiguous 2']],
  [
    'USING makes one column of two',
    'SELECT customer_id, status FROM orders JOIN customers USING (customer_id)',
    ['customer_id: orders.customer_id', 'status: orders.status'],
  ],
  ['NATURAL JOIN does, too', 'SELECT order_id FROM orders NATURAL JOIN order_items', ['order_id: orders.order_id']],
  [
    'a CTE comes before a relation of that name',
    'WITH orders AS (SELECT total AS sum FROM orders) SELECT sum, status FROM orders',
    ['sum: output sum of orders#total', 'status: unknown', 'total: orders.total'],
  ],
  [
    'attributes pass through CTEs and derived tables',
    'WITH a AS (SELECT name AS n FROM customers) SELECT d.m FROM (SELECT n AS m FROM a) d',
    ['d.m: output m of customers#name', 'name: customers.name', 'n: output n of customers#name'],
  ],
  [
    'stars are expanded',
    'SELECT d.email FROM (SELECT * FROM customers) d',
    ['d.email: output email of customers#email'],
  ],
  [
    'a CTE names its columns',
    'WITH a (x, y) AS (SELECT name, city FROM customers) SELECT y, name FROM a',
    ['y: output y of customers#city', 'name: unknown', 'name: customers.name', 'city: customers.city'],
  ],
  [
    'a recursive CTE sees its first operand',
    'WITH RECURSIVE up(id, boss) AS (SELECT employee_id, manager_id FROM employees UNION ALL SELECT e.employee_id, up.bos FROM employees e JOIN up ON e.employee_id = up.boss) SELECT id FROM up',
    [
      'id: output id of employees#employee_id',
      'employee_id: employees.employee_id',
      'manager_id: employees.manager_id',
      'e.employee_id: employees.employee_id',
      'up.bos: unknown',
      'e.employee_id: employees.employee_id',
      'up.boss: output boss',
    ],
  ],
  [
    'a correlated sub-query looks outwards',
    'SELECT name FROM customers c WHERE EXISTS (SELECT 1 FROM orders WHERE customer_id = c.customer_id AND credit > total)',
    [
      'name: customers.name',
      'customer_id: orders.customer_id',
      'c.customer_id: customers.customer_id',
      'credit: customers.credit',
      'total: orders.total',
    ],
  ],
  [
    'a derived table does not see what stands beside it',
    'SELECT 1 FROM customers c, (SELECT total FROM orders WHERE customer_id = c.customer_id) d',
    ['total: orders.total', 'customer_id: orders.customer_id', 'c.customer_id: unknown'],
  ],
  [
    'a sub-query in the select list sees a derived table behind it',
    'SELECT (SELECT MAX(total) FROM orders WHERE customer_id = d.k) FROM (SELECT customer_id AS k FROM customers) d',
    [
      'total: orders.total',
      'customer_id: orders.customer_id',
      'd.k: output k of customers#customer_id',
      'customer_id: customers.customer_id',
    ],
  ],
  [
    'ORDER BY of a set operation sees its outputs',
    'SELECT name AS n FROM customers UNION SELECT name FROM products ORDER BY n, price',
    ['n: opaque', 'price: unknown', 'name: customers.name', 'name: products.name'],
  ],
  [
    'aliases of the select list come first as bare names of ORDER BY only',
    'SELECT country AS city, COUNT(*) AS n FROM customers GROUP BY city HAVING n > 1 ORDER BY city, LOWER(city)',
    ['country: customers.country', 'city: customers.city', 'n: alias 1', 'city: alias 0', 'city: customers.city'],
  ],
  [
    'SQLite takes an alias in WHERE, not in the select list',
    'SELECT price * 2 AS twice, twice + 1 FROM products WHERE twice > 3',
    ['price: products.price', 'twice: unknown', 'twice: alias 0'],
  ],
  [
    'the row id and system relations are no mistakes',
    'SELECT rowid, sql FROM orders, sqlite_master',
    ['rowid: opaque', 'sql: opaque'],
  ],
  [
    'nothing is said beside a table function',
    "SELECT key, nothing FROM products, some_function('[1]')",
    ['key: opaque', 'nothing: opaque'],
  ],
  [
    'but beside one whose columns are always the same',
    "SELECT key, nothing FROM products, json_each('[1]')",
    ['key: opaque', 'nothing: unknown'],
  ],
  [
    'of a star of something unknown nothing is known',
    'SELECT d.x FROM (SELECT * FROM sqlite_master) d',
    ['d.x: opaque'],
  ],
  ['double quotes make a name that must be there', 'SELECT "open" FROM orders', ['"open": unknown']],
];

describe('columns', () => {
  test.each(CASES)('%s', async (_, sql, expected) => {
    expect(meanings(await resolve(sql))).toEqual(expected);
  });
});

describe('outputs', () => {
  const outputsOf = async (sql: string) =>
    (await resolve(sql)).blocks[0]?.outputs?.map(({ name, type, attribute }) =>
      `${name} ${type} ${attribute ?? ''}`.trim(),
    );

  test('types come from columns, literals and functions that tell', async () => {
    expect(
      await outputsOf(
        "SELECT name, COUNT(*) AS n, MAX(p.price) AS top, price * 2 AS twice, 'x', (SELECT 1) FROM products p",
      ),
    ).toEqual([
      'name TEXT products#name',
      'n NUMERIC',
      'top NUMERIC',
      'twice undefined',
      'undefined TEXT',
      'undefined NUMERIC',
    ]);
  });

  test('a column of USING stands once in a star', async () => {
    expect(await outputsOf('SELECT * FROM product_tags JOIN tags USING (tag_id)')).toEqual([
      'product_id NUMERIC product_tags#product_id',
      'tag_id NUMERIC product_tags#tag_id',
      'label TEXT tags#label',
    ]);
  });

  test('a set operation is an attribute only where every operand gives the same one', async () => {
    expect(await outputsOf('SELECT name, city FROM customers UNION SELECT name, country FROM customers')).toEqual([
      'name TEXT customers#name',
      'city TEXT',
    ]);
  });
});

describe('other engines', () => {
  const warehouse = catalogOf(
    {
      'DB.PUBLIC.ORDERS': { attributes: ['ID INTEGER', 'total INTEGER', 'DATA VARIANT'], key: ['ID'] },
      'DB.PUBLIC.LINES': { attributes: ['ID INTEGER', 'ORDER_ID INTEGER'], key: ['ID'] },
    },
    { dialect: 'snowflake', nameComparison: 'sensitive' },
  );
  const snowflake = { catalog: warehouse, dialect: snowflakeDialect };

  test('Snowflake folds what has no quotes, and nothing else', async () => {
    const sql = 'SELECT id, total, "total", "id", PUBLIC.orders.data FROM db.public.orders';
    expect(meanings(await resolve(sql, snowflake))).toEqual([
      'id: DB.PUBLIC.ORDERS.ID',
      'total: unknown',
      '"total": DB.PUBLIC.ORDERS."total"',
      '"id": unknown',
      'PUBLIC.orders.data: DB.PUBLIC.ORDERS.DATA',
    ]);
  });

  test('FLATTEN has six columns', async () => {
    const sql = 'SELECT f.value, f."value", id, index FROM orders, LATERAL FLATTEN(INPUT => data) f';
    expect(meanings(await resolve(sql, snowflake))).toEqual([
      'f.value: opaque',
      'f."value": unknown',
      'id: DB.PUBLIC.ORDERS.ID',
      'index: opaque',
      'data: DB.PUBLIC.ORDERS.DATA',
    ]);
  });

  test('an item of the select list may use the aliases of others, not its own', async () => {
    expect(meanings(await resolve('SELECT id + 1 AS a, a + 1 AS b, c + 1 AS c FROM orders', snowflake))).toEqual([
      'id: DB.PUBLIC.ORDERS.ID',
      'a: alias 0',
      'c: unknown',
    ]);
  });

  test.each([
    ['a comma hides a relation from ON', 'orders o, lines x JOIN lines l ON l.order_id = o.id', 'o.id: unknown'],
    [
      'CROSS JOIN does not',
      'orders o CROSS JOIN lines x JOIN lines l ON l.order_id = o.id',
      'o.id: DB.PUBLIC.ORDERS.ID',
    ],
    ['brackets are left alone', '(orders o, lines x) JOIN lines l ON l.order_id = o.id', 'o.id: DB.PUBLIC.ORDERS.ID'],
  ])('%s', async (_, from, expected) => {
    const query = await parsedOrUndefined(`SELECT 1 FROM ${from}`);
    if (query !== undefined) expect(meanings(query)).toContain(expected);
  });

  async function parsedOrUndefined(sql: string) {
    return resolve(sql, snowflake).catch(() => undefined);
  }

  const events = catalogOf(
    {
      'proj.logs.events_20240101': { attributes: ['id INTEGER', 'user STRUCT<name STRING>'], key: [] },
      'proj.logs.events_20240102': { attributes: ['id INTEGER', 'user STRUCT<name STRING>', 'seen DATE'], key: [] },
    },
    {
      dialect: 'bigquery',
      families: [{ pattern: 'events_*', members: ['proj.logs.events_20240101', 'proj.logs.events_20240102'] }],
    },
  );
  const bigquery = { catalog: events, dialect: bigqueryDialect };

  test('a wildcard has the columns of its newest member, and perhaps others', async () => {
    const sql = 'SELECT e.ID, e.seen, e.other, user.name, e.user.name, _TABLE_SUFFIX FROM `proj.logs.events_*` AS e';
    expect(meanings(await resolve(sql, bigquery))).toEqual([
      'e.ID: proj.logs.events_20240102.id',
      'e.seen: proj.logs.events_20240102.seen',
      'e.other: opaque',
      'user.name: opaque',
      'e.user.name: opaque',
      '_TABLE_SUFFIX: opaque',
    ]);
  });

  test.each([
    ['a shard that the catalog does not list', '`proj.logs.events_20250101`', 'opaque'],
    ['a relation of a data set that it does not have', '`other.stuff.things`', 'opaque'],
    ['a relation that its data set does not have', '`proj.logs.evnts_20240101`', 'unknown'],
    ['a system relation', '`proj.logs.INFORMATION_SCHEMA.TABLES`', 'opaque'],
    ['a nested array of a relation before it', 'logs.events_20240101 e, e.user', 'relation,opaque'],
  ])('%s', async (_, from, kinds) => {
    const query = await resolve(`SELECT 1 FROM ${from}`, bigquery);
    expect(query.blocks[0]?.relations.map(({ kind }) => kind).join()).toBe(kinds);
  });

  test('BigQuery takes aliases behind FROM first, also implicit ones', async () => {
    const sql =
      'SELECT a.id, COUNT(*) AS seen FROM logs.events_20240101 a JOIN logs.events_20240102 b ON a.id = b.id GROUP BY id HAVING seen > 1';
    expect(meanings(await resolve(sql, bigquery)).slice(-2)).toEqual(['id: alias 0', 'seen: alias 1']);
  });
});

test('time grows with the statement, not with the catalog', async () => {
  const words = Object.fromEntries(
    Array.from({ length: 2_000 }, (_, relation) => [
      `t${relation}`,
      { attributes: Array.from({ length: 35 }, (__, column) => `c${column} INTEGER`), key: ['c0'] },
    ]),
  );
  const catalog = catalogOf(words);
  const columns = Array.from({ length: 500 }, (_, index) => `a.c${index % 35}`).join(', ');
  const sql = `SELECT ${columns} FROM t1 a JOIN t2 b ON a.c0 = b.c0`;
  const first = await resolve(sql, { catalog });
  expect(first.blocks[0]?.columns.every(({ kind }) => kind === 'attribute')).toBe(true);
  const start = processorMs();
  resolveQuery({ sql, shape: first.shape, catalog, dialect: sqliteDialect });
  // Some 3 ms; a scan of 70,000 attributes for each column takes seconds.
  expect(processorMs() - start).toBeLessThan(1_500);
});
