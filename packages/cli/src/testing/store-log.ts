/** What five people ran over a year, each in their own way, on the sample store: user, day, statement. */
export const STORE_LOG: readonly (readonly [user: string, day: string, sql: string])[] = [
  ['mia', '2026-01-04', `select sum(total_amount) as revenue from "order" where status <> 'cancelled'`],
  [
    'mia',
    '2026-01-11',
    `select strftime('%Y-%m', ordered_at) m, sum(total_amount) revenue from "order" where status <> 'cancelled' group by 1 order by 1`,
  ],
  [
    'raj',
    '2026-01-12',
    `SELECT c.country, SUM(o.total_amount) AS revenue\nFROM "order" o\nJOIN customers c ON c.customer_id = o.customer_id\nWHERE o.status != 'cancelled'\nGROUP BY c.country\nORDER BY revenue DESC;`,
  ],
  [
    'raj',
    '2026-02-02',
    `SELECT c.city, ROUND(SUM(o.total_amount), 2) AS turnover FROM "order" AS o INNER JOIN customers AS c USING (customer_id) WHERE o.status <> 'cancelled' AND c.country = 'Germany' GROUP BY c.city`,
  ],
  [
    'lou',
    '2026-02-03',
    `WITH ok AS (SELECT * FROM "order" WHERE status <> 'cancelled') SELECT SUM(total_amount) AS turnover FROM ok WHERE ordered_at >= '2025-01-01'`,
  ],
  [
    'lou',
    '2026-02-17',
    `WITH ok AS (SELECT customer_id, total_amount FROM "order" WHERE NOT status = 'cancelled') SELECT c.loyalty_level, SUM(ok.total_amount) AS revenue FROM ok JOIN customers c ON ok.customer_id = c.customer_id GROUP BY 1`,
  ],
  [
    'ana',
    '2026-03-01',
    `SELECT SUM(CASE WHEN status <> 'cancelled' THEN total_amount ELSE 0 END) AS revenue, COUNT(*) AS n_orders FROM "order"`,
  ],
  [
    'ana',
    '2026-03-02',
    `SELECT e.name, COALESCE(SUM(o.total_amount), 0) AS revenue FROM "order" o LEFT JOIN employees e ON o.employee_id = e.employee_id WHERE o.status <> 'cancelled' GROUP BY e.name`,
  ],
  [
    'tom',
    '2026-03-09',
    `-- weekly\nSELECT COUNT(*) AS orders FROM "order" WHERE ordered_at BETWEEN '2026-03-01' AND '2026-03-08'`,
  ],
  [
    'tom',
    '2026-03-16',
    `-- weekly\nSELECT COUNT(*) AS orders FROM "order" WHERE ordered_at BETWEEN '2026-03-08' AND '2026-03-15'`,
  ],
  [
    'mia',
    '2026-03-20',
    `select count(order_id) orders, c.country from "order" o, customers c where o.customer_id = c.customer_id group by c.country`,
  ],
  [
    'raj',
    '2026-03-21',
    `SELECT COUNT(1) AS orders, e.department FROM "order" o JOIN employees e ON e.employee_id = o.employee_id GROUP BY e.department`,
  ],
  ['lou', '2026-04-01', `SELECT status, COUNT(*) AS orders FROM "order" GROUP BY status`],
  [
    'raj',
    '2026-04-02',
    `SELECT p.name, SUM(i.quantity) AS units FROM order_items i JOIN products p ON p.product_id = i.product_id GROUP BY p.name ORDER BY units DESC LIMIT 10`,
  ],
  [
    'mia',
    '2026-04-03',
    `select cat.name, sum(oi.quantity) units from order_items oi join products pr on oi.product_id = pr.product_id join categories cat on cat.category_id = pr.category_id group by cat.name`,
  ],
  ['ana', '2026-04-10', `SELECT SUM("quantity") AS items_sold FROM "order_items"`],
  [
    'lou',
    '2026-04-11',
    `SELECT s.country, SUM(i.quantity) AS units FROM order_items i JOIN products p USING (product_id) JOIN suppliers s ON s.supplier_id = p.supplier_id GROUP BY s.country`,
  ],
  [
    'tom',
    '2026-04-12',
    `SELECT strftime('%Y', o.ordered_at) AS y, SUM(i.quantity) AS units FROM order_items i JOIN "order" o ON o.order_id = i.order_id GROUP BY y`,
  ],
  [
    'raj',
    '2026-05-01',
    `SELECT SUM(i.quantity * i.unit_price) AS gross_sales FROM order_items i JOIN "order" o ON i.order_id = o.order_id WHERE o.ordered_at > '2025-06-30'`,
  ],
  [
    'mia',
    '2026-05-02',
    `select p.name, sum(unit_price * quantity) gross_sales from order_items oi join products p on p.product_id = oi.product_id group by 1`,
  ],
  [
    'ana',
    '2026-05-03',
    `SELECT c.name, SUM(i.unit_price * i.quantity) AS gross FROM order_items AS i INNER JOIN products AS p ON i.product_id = p.product_id INNER JOIN categories AS c ON p.category_id = c.category_id GROUP BY c.name`,
  ],
  ['lou', '2026-05-04', `SELECT SUM(quantity*unit_price) AS gross_sales FROM order_items`],
  [
    'tom',
    '2026-05-05',
    `SELECT SUM(oi.quantity * oi.unit_price) AS gross_sales FROM order_items oi, "order" o WHERE oi.order_id = o.order_id`,
  ],
  [
    'raj',
    '2026-06-01',
    `SELECT p.name, AVG(r.rating) AS score FROM reviews r JOIN products p ON p.product_id = r.product_id GROUP BY p.name HAVING COUNT(*) > 2`,
  ],
  ['mia', '2026-06-02', `select avg(rating) score from reviews where written_on >= '2026-01-01'`],
  [
    'ana',
    '2026-06-03',
    `SELECT c.country, ROUND(AVG(r.rating * 1.0), 1) AS avg_rating FROM reviews r JOIN customers c ON c.customer_id = r.customer_id GROUP BY c.country`,
  ],
  [
    'lou',
    '2026-06-04',
    `SELECT AVG(r.rating) AS score FROM reviews AS r JOIN products AS p ON p.product_id = r.product_id WHERE p.discontinued = 0`,
  ],
  ['tom', '2026-06-05', `SELECT CAST(AVG(rating) AS REAL) AS score FROM reviews`],
  [
    'raj',
    '2026-07-01',
    `SELECT "Priority", COUNT(*) AS tickets FROM "Support Ticket" WHERE "Closed At" IS NULL GROUP BY "Priority"`,
  ],
  ['mia', '2026-07-02', `select count(*) as open_tickets from "Support Ticket" t where t."Closed At" is null`],
  [
    'ana',
    '2026-07-03',
    `SELECT e.name, COUNT(t."Ticket ID") AS open_tickets FROM "Support Ticket" t JOIN employees e ON e.employee_id = t."Handled By" WHERE t."Closed At" IS NULL GROUP BY e.name`,
  ],
  [
    'lou',
    '2026-07-04',
    `SELECT COUNT(1) AS open_tickets FROM "Support Ticket" WHERE "Closed At" IS NULL AND "Priority" = 'high'`,
  ],
  [
    'tom',
    '2026-07-05',
    `SELECT c.country, COUNT(*) AS open_tickets FROM "Support Ticket" s JOIN customers c ON c.customer_id = s."Customer ID" WHERE s."Closed At" IS NULL GROUP BY 1`,
  ],
  // A join that repeats orders, and one on columns that have nothing to do with each other.
  [
    'tom',
    '2026-08-01',
    `SELECT SUM(o.total_amount) AS revenue FROM "order" o JOIN order_items i ON i.order_id = o.order_id`,
  ],
  [
    'tom',
    '2026-08-02',
    `SELECT SUM(o.total_amount) AS revenue FROM "order" o JOIN order_items i ON i.order_id = o.order_id WHERE i.quantity > 1`,
  ],
  ['raj', '2026-08-03', `SELECT COUNT(*) FROM products p JOIN employees e ON p.stock = e.employee_id`],
  ['raj', '2026-08-04', `SELECT email FROM customers WHERE name = 'Anna Berg'`],
  ['mia', '2026-08-05', `select * from customers where email = 'anna.berg@example.com'`],
  ['ana', '2026-08-06', `SELECT name FROM customers WHERE customer_id = 17 ORDER BY nmae,, 1`],
  ['lou', '2026-08-07', `UPDATE products SET stock = 0`],
];
