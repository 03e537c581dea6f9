import type { EngineName } from '../throughput/engines.ts';

/** Order lines: two years of so many a day, in the order of their days, as a company writes them. */
const DAYS = 730;
/** A million in all; ten in DuckDB, which would be through a month of a million in 2 ms. */
const linesADay = (engine: EngineName): number => (engine === 'DuckDB' ? 13_700 : 1_370);

/** How each engine counts, divides whole numbers and adds days. */
const SPELLING: Readonly<
  Record<EngineName, { numbers: (most: number) => string; div: string; day: (days: string) => string; date: string }>
> = {
  SQLite: {
    numbers: (most) =>
      `(WITH RECURSIVE s(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM s WHERE n < ${most - 1}) SELECT n FROM s) AS s`,
    div: '/',
    day: (days) => `date('2024-01-01', '+' || (${days}) || ' days')`,
    date: 'TEXT',
  },
  DuckDB: {
    numbers: (most) => `(SELECT range AS n FROM range(${most})) AS s`,
    div: '//',
    day: (days) => `DATE '2024-01-01' + CAST(${days} AS INTEGER)`,
    date: 'DATE',
  },
  PostgreSQL: {
    numbers: (most) => `generate_series(0, ${most - 1}) AS s(n)`,
    div: '/',
    day: (days) => `DATE '2024-01-01' + ${days}`,
    date: 'DATE',
  },
};

/** Shops, products, customers and order lines. */
export function salesStatements(engine: EngineName): readonly string[] {
  const { numbers, div, day, date } = SPELLING[engine];
  const lines = linesADay(engine);
  return [
    'CREATE TABLE shops (shop_id INTEGER PRIMARY KEY, city TEXT NOT NULL, country TEXT NOT NULL)',
    `INSERT INTO shops SELECT n + 1, 'City ' || n, 'Country ' || (n % 12) FROM ${numbers(50)}`,
    'CREATE TABLE products (product_id INTEGER PRIMARY KEY, name TEXT NOT NULL, category TEXT NOT NULL, price_cents INTEGER NOT NULL)',
    `INSERT INTO products SELECT n + 1, 'Product ' || n, 'Category ' || (n % 15), 200 + n * 37 % 9800 FROM ${numbers(500)}`,
    'CREATE TABLE customers (customer_id INTEGER PRIMARY KEY, name TEXT NOT NULL, segment TEXT NOT NULL)',
    `INSERT INTO customers SELECT n + 1, 'Customer ' || n, 'Segment ' || (n % 5) FROM ${numbers(20_000)}`,
    `CREATE TABLE order_lines (line_id INTEGER PRIMARY KEY, order_id INTEGER NOT NULL, ordered_on ${date} NOT NULL, customer_id INTEGER NOT NULL REFERENCES customers(customer_id), shop_id INTEGER NOT NULL REFERENCES shops(shop_id), product_id INTEGER NOT NULL REFERENCES products(product_id), quantity INTEGER NOT NULL, amount_cents INTEGER NOT NULL, discount_percent INTEGER NOT NULL)`,
    `INSERT INTO order_lines SELECT n + 1, n ${div} 3 + 1, ${day(`n ${div} ${lines}`)}, n ${div} 3 % 20000 * 7919 % 20000 + 1, n ${div} 3 * 31 % 50 + 1, n * 1031 % 500 + 1, 1 + n % 4, (1 + n % 4) * (200 + n * 37 % 9800), n % 7 * 5 FROM ${numbers(DAYS * lines)}`,
    'CREATE INDEX order_lines_by_day ON order_lines (ordered_on)',
    ...(engine === 'DuckDB' ? ['CHECKPOINT'] : ['ANALYZE']),
  ];
}

/** A question and the statement that answers it. */
export interface Asked {
  readonly question: string;
  readonly sql: string;
}

type Ask = (where: string, when: string) => Asked;

/** What an analyst asks about one month: its lines are read, grouped and joined. */
const OF_A_MONTH: readonly Ask[] = [
  (where, when) => ({
    question: `What was the revenue of each category in ${when}?`,
    sql: `SELECT p.category, SUM(l.amount_cents) AS revenue_cents FROM order_lines AS l JOIN products AS p ON p.product_id = l.product_id WHERE ${where} GROUP BY p.category ORDER BY revenue_cents DESC`,
  }),
  (where, when) => ({
    question: `Which ten shops sold most in ${when}?`,
    sql: `SELECT s.city, s.country, SUM(l.amount_cents) AS revenue_cents FROM order_lines AS l JOIN shops AS s ON s.shop_id = l.shop_id WHERE ${where} GROUP BY s.shop_id, s.city, s.country ORDER BY revenue_cents DESC, s.city LIMIT 10`,
  }),
  (where, when) => ({
    question: `What was the revenue of each day of ${when}?`,
    sql: `SELECT l.ordered_on, COUNT(*) AS lines, SUM(l.amount_cents) AS revenue_cents FROM order_lines AS l WHERE ${where} GROUP BY l.ordered_on ORDER BY l.ordered_on`,
  }),
  (where, when) => ({
    question: `Which twenty products were sold most often in ${when}?`,
    sql: `SELECT p.name, SUM(l.quantity) AS pieces FROM order_lines AS l JOIN products AS p ON p.product_id = l.product_id WHERE ${where} GROUP BY p.product_id, p.name ORDER BY pieces DESC, p.name LIMIT 20`,
  }),
  (where, when) => ({
    question: `How many customers of each segment bought something in ${when}, and for how much?`,
    sql: `SELECT c.segment, COUNT(DISTINCT l.customer_id) AS buyers, SUM(l.amount_cents) AS revenue_cents FROM order_lines AS l JOIN customers AS c ON c.customer_id = l.customer_id WHERE ${where} GROUP BY c.segment ORDER BY c.segment`,
  }),
  (where, when) => ({
    question: `What was an order worth on average in each country in ${when}?`,
    sql: `SELECT s.country, SUM(l.amount_cents) / COUNT(DISTINCT l.order_id) AS cents_an_order FROM order_lines AS l JOIN shops AS s ON s.shop_id = l.shop_id WHERE ${where} GROUP BY s.country ORDER BY s.country`,
  }),
  (where, when) => ({
    question: `Who were the ten best customers of ${when}?`,
    sql: `SELECT c.name, SUM(l.amount_cents) AS revenue_cents FROM order_lines AS l JOIN customers AS c ON c.customer_id = l.customer_id WHERE ${where} GROUP BY c.customer_id, c.name ORDER BY revenue_cents DESC, c.name LIMIT 10`,
  }),
  (where, when) => ({
    question: `How much of each category was sold at a discount in ${when}?`,
    sql: `SELECT p.category, SUM(CASE WHEN l.discount_percent > 0 THEN l.quantity ELSE 0 END) AS discounted, SUM(l.quantity) AS pieces FROM order_lines AS l JOIN products AS p ON p.product_id = l.product_id WHERE ${where} GROUP BY p.category ORDER BY p.category`,
  }),
  (where, when) => ({
    question: `How did each country buy each category in ${when}?`,
    sql: `SELECT s.country, p.category, SUM(l.amount_cents) AS revenue_cents FROM order_lines AS l JOIN shops AS s ON s.shop_id = l.shop_id JOIN products AS p ON p.product_id = l.product_id WHERE ${where} GROUP BY s.country, p.category ORDER BY s.country, p.category`,
  }),
  (where, when) => ({
    question: `How many orders had more than one line above 300 euros in ${when}?`,
    sql: `SELECT COUNT(*) AS orders FROM (SELECT l.order_id FROM order_lines AS l WHERE ${where} AND l.amount_cents > 30000 GROUP BY l.order_id HAVING COUNT(*) > 1) AS large`,
  }),
];

const MONTHS = Array.from({ length: 23 }, (_, at) => new Date(Date.UTC(2024, at, 1)).toISOString().slice(0, 7));

/** `analyst`: ten questions about each of 23 months. `lookup`: a row by its key, 500 of them, for which an engine takes microseconds. */
export const WORKLOADS = {
  analyst: MONTHS.slice(0, -1).flatMap((month, at) =>
    OF_A_MONTH.map((ask) => ask(`l.ordered_on >= '${month}-01' AND l.ordered_on < '${MONTHS[at + 1]}-01'`, month)),
  ),
  lookup: Array.from(
    { length: 500 },
    (_, at): Asked => ({
      question: `What is the name and the price of product number ${at + 1}?`,
      sql: `SELECT name, price_cents FROM products WHERE product_id = ${at + 1}`,
    }),
  ),
} as const;

export type Workload = keyof typeof WORKLOADS;
