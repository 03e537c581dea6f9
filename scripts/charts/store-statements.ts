/** Questions whose answers are more than a list: what reports of a shop are made of. */
export const STORE_REPORTS: readonly (readonly [question: string, sql: string])[] = [
  [
    'How did revenue develop by month?',
    `SELECT strftime('%Y-%m', ordered_at) AS month, SUM(total_amount) AS revenue FROM "order" GROUP BY month ORDER BY month`,
  ],
  [
    'Orders and revenue by month',
    `SELECT strftime('%Y-%m', ordered_at) AS month, COUNT(*) AS orders, SUM(total_amount) AS revenue FROM "order" GROUP BY 1 ORDER BY 1`,
  ],
  [
    'Revenue by month and status',
    `SELECT strftime('%Y-%m', ordered_at) AS month, status, SUM(total_amount) AS revenue FROM "order" GROUP BY month, status`,
  ],
  [
    'Which five months had the most orders?',
    `SELECT strftime('%Y-%m', ordered_at) AS month, COUNT(*) AS orders FROM "order" GROUP BY month ORDER BY orders DESC LIMIT 5`,
  ],
  [
    'Orders on each day of the week',
    `SELECT CAST(strftime('%w', ordered_at) AS INTEGER) AS weekday, COUNT(*) AS orders FROM "order" GROUP BY weekday`,
  ],
  ['Orders by year', `SELECT strftime('%Y', ordered_at) AS year, COUNT(*) AS orders FROM "order" GROUP BY year`],
  ['Customers by country', 'SELECT country, COUNT(*) AS customers FROM customers GROUP BY country'],
  ['Customers by city', 'SELECT city, COUNT(*) AS customers FROM customers GROUP BY city ORDER BY customers DESC'],
  [
    'Customers by country and loyalty level',
    'SELECT country, loyalty_level, COUNT(*) AS customers FROM customers GROUP BY country, loyalty_level',
  ],
  [
    'Average order by country and status',
    `SELECT c.country, o.status, AVG(o.total_amount) AS average_order FROM "order" o JOIN customers c USING (customer_id) GROUP BY c.country, o.status`,
  ],
  ['What share of orders has each status?', `SELECT status, COUNT(*) AS orders FROM "order" GROUP BY status`],
  [
    'Top ten products by revenue',
    'SELECT p.name, SUM(i.line_total) AS revenue FROM order_items i JOIN products p USING (product_id) GROUP BY p.product_id, p.name ORDER BY revenue DESC LIMIT 10',
  ],
  [
    'Products with id, units and revenue, best first',
    'SELECT p.product_id, p.name, SUM(i.quantity) AS units, SUM(i.line_total) AS revenue FROM order_items i JOIN products p USING (product_id) GROUP BY 1, 2 ORDER BY 4 DESC LIMIT 12',
  ],
  ['Does the price depend on the weight?', 'SELECT weight_kg, price FROM products'],
  ['Revenue by customer id', 'SELECT customer_id, SUM(total_amount) AS revenue FROM "order" GROUP BY customer_id'],
  ['Salaries of employees', 'SELECT name, salary FROM employees ORDER BY salary DESC LIMIT 20'],
  [
    'Lowest, average and highest salary of each department',
    'SELECT department, MIN(salary) AS lowest, AVG(salary) AS average, MAX(salary) AS highest FROM employees GROUP BY department',
  ],
  ['Date and total of every order', 'SELECT ordered_at, total_amount FROM "order" ORDER BY ordered_at'],
  [
    'Running total of revenue by day',
    'SELECT day, SUM(total) OVER (ORDER BY day) AS so_far FROM (SELECT date(ordered_at) AS day, SUM(total_amount) AS total FROM "order" GROUP BY 1) ORDER BY day',
  ],
  [
    'Distribution of quantities',
    'SELECT quantity, COUNT(*) AS lines FROM order_items GROUP BY quantity ORDER BY quantity',
  ],
  ['Highest order id of each status', `SELECT status, MAX(order_id) AS latest FROM "order" GROUP BY status`],
  [
    'Stock by category',
    'SELECT c.name, SUM(p.stock) AS stock FROM products p JOIN categories c USING (category_id) GROUP BY c.name',
  ],
  [
    'Sign-ups by month',
    `SELECT strftime('%Y-%m', signed_up_on) AS month, COUNT(*) AS sign_ups FROM customers GROUP BY 1 ORDER BY 1`,
  ],
  [
    'Revenue by year and quarter',
    `SELECT strftime('%Y', ordered_at) AS year, (CAST(strftime('%m', ordered_at) AS INTEGER) + 2) / 3 AS quarter, SUM(total_amount) AS revenue FROM "order" GROUP BY 1, 2 ORDER BY 1, 2`,
  ],
  [
    'Orders and average by country',
    `SELECT c.country, COUNT(*) AS orders, AVG(o.total_amount) AS average FROM "order" o JOIN customers c USING (customer_id) GROUP BY c.country ORDER BY orders DESC`,
  ],
];
