import { snowflakeDialect, sqliteDialect } from '@askema/dialects';
import { describe, expect, test, vi } from 'vitest';
import { ruleRunner } from './rule-findings.ts';
import { catalogOf } from './shop-catalog.ts';

// A worker starts; a loaded machine takes its time.
vi.setConfig({ testTimeout: 60_000 });

const { run } = ruleRunner(sqliteDialect);

const linesOf = async (code: string, sql: string): Promise<readonly string[]> => (await run([code], sql)).lines;

describe('join-without-condition', () => {
  test.each([
    ['a comma', 'SELECT c.name FROM customers c, orders o', 'error: , orders o'],
    ['JOIN without ON', 'SELECT c.name FROM customers c JOIN orders o', 'error: JOIN orders o'],
    [
      'ON that compares one side only',
      "SELECT c.name FROM customers c JOIN orders o ON o.status = 'new'",
      "warning: JOIN orders o ON o.status = 'new'",
    ],
    [
      'the third of three',
      'SELECT 1 FROM customers c JOIN orders o ON o.customer_id = c.customer_id, products p',
      'error: , products p',
    ],
    ['NATURAL JOIN without a common column', 'SELECT 1 FROM tags NATURAL JOIN orders', 'error: NATURAL JOIN orders'],
    [
      'a key between two that are looked up by literals',
      "SELECT 1 FROM customers c, orders o WHERE c.name = 'Ann' AND o.status = 'new'",
      'error: , orders o',
    ],
    [
      'two look-ups side by side',
      "SELECT a.p / b.p FROM (SELECT price AS p FROM products WHERE name = 'x') a, (SELECT price AS p FROM products WHERE name = 'y') b",
      "note: , (SELECT price AS p FROM products WHERE name = 'y') b",
    ],
    [
      'counts that a product does not change',
      'SELECT COUNT(DISTINCT c.customer_id) * 1.0 / COUNT(DISTINCT p.product_id) FROM customers c, products p',
      'warning: , products p',
    ],
    ['ON TRUE is meant', 'SELECT 1 FROM customers c JOIN orders o ON 1 = 1', 'note: JOIN orders o ON 1 = 1'],
    [
      'CROSS JOIN of relations that a key connects',
      'SELECT c.name, o.status FROM customers c CROSS JOIN orders o',
      'warning: CROSS JOIN orders o',
    ],
    [
      'two cells of one relation side by side',
      "SELECT a.salary - b.salary FROM employees a, employees b WHERE a.name = 'Ann' AND b.name = 'Bob'",
      'note: , employees b',
    ],
  ])('%s', async (_, sql, line) => {
    expect(await linesOf('join-without-condition', sql)).toEqual([`join-without-condition ${line}`]);
  });

  test.each([
    ['a condition in WHERE', 'SELECT 1 FROM customers c, orders o WHERE o.customer_id = c.customer_id'],
    ['a range', 'SELECT 1 FROM customers c, orders o WHERE o.ordered_at > c.signed_up'],
    [
      'a condition under OR',
      "SELECT 1 FROM customers c, orders o WHERE o.customer_id = c.customer_id OR o.status = 'x'",
    ],
    ['functions around the columns', 'SELECT 1 FROM customers c JOIN addresses a ON trim(a.city) = trim(c.city)'],
    [
      'a later relation that connects both',
      'SELECT 1 FROM products p, tags t JOIN product_tags x ON x.tag_id = t.tag_id AND x.product_id = p.product_id',
    ],
    ['USING', 'SELECT 1 FROM customers JOIN orders USING (customer_id)'],
    ['CROSS JOIN, written as such', 'SELECT 1 FROM customers CROSS JOIN products'],
    ['a row of aggregates', 'SELECT 1 FROM products p, (SELECT AVG(price) AS a FROM products) x WHERE p.price > x.a'],
    [
      'a row of aggregates, unused',
      'WITH x AS (SELECT AVG(price) AS a FROM products) SELECT p.price - x.a FROM products p, x',
    ],
    [
      'one row by LIMIT',
      'SELECT 1 FROM products p, (SELECT name FROM tags_of LIMIT 1) x'.replace('tags_of', 'employees'),
    ],
    ['constants', 'WITH x AS (SELECT 1 AS low) SELECT 1 FROM products, x'],
    ['one row by its key', 'SELECT 1 FROM products p, customers c WHERE c.customer_id = 7'],
    ['a table function', 'SELECT 1 FROM products p, json_each(p.name) j'],
    [
      'a sub-query over both',
      'SELECT 1 FROM customers c, products p WHERE EXISTS (SELECT 1 FROM orders o JOIN order_items i ON i.order_id = o.order_id WHERE o.customer_id = c.customer_id AND i.product_id = p.product_id)',
    ],
  ])('not for %s', async (_, sql) => {
    expect(await linesOf('join-without-condition', sql)).toEqual([]);
  });

  test('adds the condition of the only key', async () => {
    const fixed = async (sql: string): Promise<string> => (await run(['join-without-condition'], sql)).fixed;
    expect(await fixed('SELECT c.name FROM customers c JOIN orders o')).toBe(
      'SELECT c.name FROM customers c JOIN orders o ON c.customer_id = o.customer_id',
    );
    expect(await fixed("SELECT c.name FROM customers c, orders o WHERE o.status = 'new'")).toBe(
      "SELECT c.name FROM customers c, orders o WHERE o.status = 'new' AND c.customer_id = o.customer_id",
    );
    expect(await fixed('SELECT c.name FROM customers c, orders o LIMIT 3')).toBe(
      'SELECT c.name FROM customers c, orders o WHERE c.customer_id = o.customer_id LIMIT 3',
    );
  });

  test('names the way where a relation between is missing', async () => {
    const { findings } = await run(['join-without-condition'], 'SELECT 1 FROM products, tags');
    expect(findings[0]?.advice).toContain('by product_tags');
  });
});

describe('join-off-key', () => {
  test.each([
    [
      'another column of the relation',
      'SELECT 1 FROM customers c JOIN orders o ON o.order_id = c.customer_id',
      'error: o.order_id = c.customer_id',
    ],
    [
      'in WHERE',
      'SELECT 1 FROM customers c, orders o WHERE o.employee_id = c.customer_id',
      'error: o.employee_id = c.customer_id',
    ],
    [
      'through a derived table',
      'SELECT 1 FROM (SELECT customer_id AS k FROM customers) c JOIN orders o ON o.order_id = c.k',
      'error: o.order_id = c.k',
    ],
    [
      'half of a composite key',
      'SELECT 1 FROM order_items i JOIN returns r ON r.order_id = i.order_id',
      'warning: r.order_id = i.order_id',
    ],
    [
      'a second pair that contradicts the key',
      'SELECT 1 FROM customers c JOIN orders o ON o.customer_id = c.customer_id AND o.employee_id = c.customer_id',
      'warning: o.employee_id = c.customer_id',
    ],
  ])('%s', async (_, sql, line) => {
    expect(await linesOf('join-off-key', sql)).toEqual([`join-off-key ${line}`]);
  });

  test.each([
    ['the key', 'SELECT 1 FROM customers c JOIN orders o ON o.customer_id = c.customer_id'],
    [
      'both columns of a composite key',
      'SELECT 1 FROM order_items i JOIN returns r ON r.order_id = i.order_id AND r.line_number = i.line_number',
    ],
    ['two references to a third', 'SELECT 1 FROM addresses a JOIN orders o ON o.customer_id = a.customer_id'],
    ['a step that is left out on one key', 'SELECT 1 FROM returns r JOIN orders o ON o.order_id = r.order_id'],
    ['a relation with itself', 'SELECT 1 FROM employees e JOIN employees m ON e.manager_id = m.employee_id'],
    ['a relation with itself on any column', 'SELECT 1 FROM customers a JOIN customers b ON a.city = b.city'],
    [
      'a condition beside the key',
      'SELECT 1 FROM customers c JOIN addresses a ON a.customer_id = c.customer_id AND a.city = c.city',
    ],
    [
      'a condition between relations that keys connect',
      'SELECT 1 FROM customers c JOIN orders o ON o.customer_id = c.customer_id JOIN addresses a ON a.address_id = o.shipping_address_id WHERE a.city = c.city',
    ],
    [
      'functions around the key',
      'SELECT 1 FROM customers c JOIN orders o ON CAST(o.customer_id AS TEXT) = CAST(c.customer_id AS TEXT)',
    ],
  ])('not for %s', async (_, sql) => {
    expect(await linesOf('join-off-key', sql)).toEqual([]);
  });

  test('a plain column that is compared with a key may refer to it: no error, and no fix', async () => {
    const catalog = catalogOf({
      countries: { attributes: ['code TEXT', 'name TEXT', 'capital INTEGER'], key: ['code'] },
      towns: {
        attributes: ['id INTEGER', 'name TEXT', 'country TEXT'],
        key: ['id'],
        references: ['country > countries: code'],
      },
    });
    const sql = 'SELECT t.name FROM countries c JOIN towns t ON c.capital = t.id';
    const { lines, findings } = await run(['join-off-key'], sql, { catalog });
    expect(lines).toEqual(['join-off-key warning: c.capital = t.id']);
    expect(findings[0]?.fix).toBeUndefined();
  });

  test('joins on the only key', async () => {
    const { fixed } = await run(
      ['join-off-key'],
      'SELECT 1 FROM customers c JOIN orders o ON c.customer_id = o.order_id',
    );
    expect(fixed).toBe('SELECT 1 FROM customers c JOIN orders o ON c.customer_id = o.customer_id');
  });

  test('says nothing where nobody declared keys, but for names that give a reference away', async () => {
    const catalog = catalogOf({
      airlines: { attributes: ['uid INTEGER', 'name TEXT'], key: ['uid'] },
      flights: { attributes: ['flight_no INTEGER', 'airline INTEGER', 'gate TEXT'], key: ['flight_no'] },
      pilots: { attributes: ['code TEXT', 'rank TEXT'], key: ['code'] },
    });
    const lines = async (sql: string): Promise<readonly string[]> =>
      (await run(['join-off-key'], sql, { catalog })).lines;
    expect(await lines('SELECT 1 FROM flights f JOIN airlines a ON f.airline = a.uid')).toEqual([]);
    expect(await lines('SELECT 1 FROM flights f JOIN pilots p ON f.flight_no = p.rank')).toEqual([]);
    expect(await lines('SELECT 1 FROM flights f JOIN airlines a ON f.flight_no = a.uid')).toEqual([
      'join-off-key warning: f.flight_no = a.uid',
    ]);
  });

  test('knows by the question which of two keys is meant', async () => {
    const catalog = catalogOf({
      colours: { attributes: ['id INTEGER', 'colour TEXT'], key: ['id'] },
      heroes: {
        attributes: ['id INTEGER', 'name TEXT', 'eye_colour_id INTEGER', 'hair_colour_id INTEGER'],
        key: ['id'],
        references: ['eye_colour_id > colours: id', 'hair_colour_id > colours: id'],
      },
    });
    const sql = "SELECT h.name FROM heroes h JOIN colours c ON h.hair_colour_id = c.id WHERE c.colour = 'Amber'";
    const lines = async (question: string): Promise<readonly string[]> =>
      (await run(['join-off-key'], sql, { catalog, question })).lines;
    expect(await lines('Heroes with amber eyes?')).toEqual(['join-off-key warning: h.hair_colour_id = c.id']);
    expect(await lines('Heroes with amber hair?')).toEqual([]);
    expect(await lines('Heroes with the eyes of the same colour as their amber hair?')).toEqual([]);
    expect(await lines('Amber heroes?')).toEqual([]);
  });
});

describe('missing-join', () => {
  test('names the bridge between two relations that are compared directly', async () => {
    const sql = 'SELECT p.name FROM products p JOIN tags t ON p.product_id = t.tag_id';
    const { lines, findings } = await run(['missing-join', 'join-off-key'], sql);
    expect(lines).toEqual(['missing-join warning: p.product_id = t.tag_id']);
    expect(findings[0]?.message).toContain('product_tags');
  });

  test('names a relation of the question that the statement does without', async () => {
    const lines = async (sql: string, question: string): Promise<readonly string[]> =>
      (await run(['missing-join'], sql, { question })).lines;
    expect(await lines('SELECT COUNT(*) FROM customers c', 'How many orders did customers make?')).toEqual([
      'missing-join warning: FROM customers c',
    ]);
    // `customer_id` of the orders stands for them.
    expect(await lines('SELECT COUNT(*) FROM orders', 'How many orders did customers make?')).toEqual([]);
    expect(
      await lines(
        'SELECT customer_id, COUNT(*) FROM orders GROUP BY customer_id',
        'How many orders did customers make?',
      ),
    ).toEqual([]);
    expect(await lines('SELECT COUNT(*) FROM customers', 'How many customers are there?')).toEqual([]);
  });

  test('not where the name is part of a phrase that the statement answers', async () => {
    const catalog = catalogOf({
      airports: { attributes: ['code TEXT', 'minimum_connect_time INTEGER', 'city TEXT'], key: ['code'] },
      flights: {
        attributes: ['flight_no INTEGER', 'origin TEXT'],
        key: ['flight_no'],
        references: ['origin > airports: code'],
      },
    });
    const lines = async (question: string): Promise<readonly string[]> =>
      (await run(['missing-join'], 'SELECT minimum_connect_time FROM airports', { catalog, question })).lines;
    expect(await lines('How much time does a connecting flight take?')).toEqual([]);
    expect(await lines('How much time does a connecting flight take, by the flights of each city?')).toHaveLength(1);
    expect(await lines('Where do most connect, flights or trains?')).toHaveLength(1);
    expect(await lines('How much time do flights take?')).toHaveLength(1);
  });

  test('not where keys connect', async () => {
    expect(
      await linesOf(
        'missing-join',
        'SELECT 1 FROM products p JOIN product_tags x ON x.product_id = p.product_id JOIN tags t ON t.tag_id = x.tag_id',
      ),
    ).toEqual([]);
  });
});

describe('join-type-mismatch', () => {
  test('text with numbers', async () => {
    expect(
      await linesOf('join-type-mismatch', 'SELECT 1 FROM customers c JOIN orders o ON o.order_id = c.email'),
    ).toEqual(['join-type-mismatch warning: o.order_id = c.email']);
  });

  test.each([
    ['equal types', 'SELECT 1 FROM customers c JOIN orders o ON o.customer_id = c.customer_id'],
    ['a cast', 'SELECT 1 FROM customers c JOIN orders o ON CAST(o.order_id AS TEXT) = c.email'],
    [
      'dates with text, which SQLite stores them as',
      'SELECT 1 FROM customers c JOIN orders o ON o.ordered_at = c.email',
    ],
  ])('not for %s', async (_, sql) => {
    expect(await linesOf('join-type-mismatch', sql)).toEqual([]);
  });

  test('takes a declared key as it is', async () => {
    const catalog = catalogOf({
      makers: { attributes: ['id INTEGER'], key: ['id'] },
      cars: { attributes: ['maker TEXT'], key: [], references: ['maker > makers: id'] },
    });
    const sql = 'SELECT 1 FROM cars c JOIN makers m ON c.maker = m.id';
    expect((await run(['join-type-mismatch'], sql, { catalog })).lines).toEqual([]);
  });
});

test('other engines are looked at in the same way', async () => {
  const sql = 'SELECT 1 FROM customers c JOIN orders o';
  expect((await run(['join-without-condition'], sql, { dialect: snowflakeDialect })).lines).toHaveLength(1);
});
