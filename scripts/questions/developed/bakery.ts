import { type Business, day, oneOf, person, times, whole } from '../business.ts';
import { cents, each, year } from '../variants.ts';

const GOODS = [
  ['BR01', 'Rye Bread', 'Bread', 4.2, 'Y'],
  ['BR02', 'Sourdough Loaf', 'Bread', 5.1, 'Y'],
  ['BR03', 'Brioche', 'Bread', 4.8, 'N'],
  ['PA01', 'Croissant', 'Pastry', 1.9, 'N'],
  ['PA02', 'Cinnamon Roll', 'Pastry', 2.6, 'N'],
  ['PA03', 'Apple Turnover', 'Pastry', 2.4, 'Y'],
  ['CK01', 'Carrot Cake', 'Cake', 24, 'N'],
  ['CK02', 'Chocolate Cake', 'Cake', 27.5, 'N'],
  ['SW01', 'Cheese Sandwich', 'Sandwich', 4.6, 'N'],
  ['SW02', 'Hummus Sandwich', 'Sandwich', 4.9, 'Y'],
  ['SW03', 'Party Platter', 'Sandwich', 45, 'N'],
] as const;
const SHOPS = [
  ['Market Square', 'Utrecht', '2009-04-01', 85],
  ['Canal Street', 'Utrecht', '2014-10-15', 60],
  ['Station', 'Amersfoort', '2017-02-01', 40],
  ['Oak Avenue', 'Hilversum', '2020-06-20', 72],
  ['Harbour', 'Zeist', '2023-09-01', 55],
] as const;

/** A chain of bakeries whose database abbreviates its names. */
export const bakery: Business = {
  name: 'bakery',
  ddl: `
CREATE TABLE shops (shop_id INTEGER PRIMARY KEY, shop_nm TEXT NOT NULL, city TEXT NOT NULL, open_dt DATE NOT NULL, sq_m INTEGER NOT NULL);
CREATE TABLE prods (prod_cd TEXT PRIMARY KEY, prod_nm TEXT NOT NULL, cat TEXT NOT NULL, unit_prc REAL NOT NULL, vegan_flg TEXT NOT NULL);
CREATE TABLE emps (emp_id INTEGER PRIMARY KEY, emp_nm TEXT NOT NULL, shop_id INTEGER REFERENCES shops(shop_id), job_ttl TEXT NOT NULL,
  hire_dt DATE NOT NULL, term_dt DATE, hrly_wage REAL NOT NULL);
CREATE TABLE cust_orders (ord_no INTEGER PRIMARY KEY, shop_id INTEGER NOT NULL REFERENCES shops(shop_id), cust_nm TEXT NOT NULL,
  ord_dt DATE NOT NULL, dlv_dt DATE, prod_cd TEXT NOT NULL REFERENCES prods(prod_cd), qty INTEGER NOT NULL, tot_amt REAL NOT NULL,
  pmt_meth TEXT, stat TEXT NOT NULL);
CREATE TABLE waste_log (log_id INTEGER PRIMARY KEY, shop_id INTEGER NOT NULL REFERENCES shops(shop_id),
  prod_cd TEXT NOT NULL REFERENCES prods(prod_cd), waste_dt DATE NOT NULL, qty INTEGER NOT NULL, reason TEXT);`,
  rows: (random) => ({
    shops: SHOPS.map((shop, at) => [at + 1, ...shop]),
    prods: GOODS,
    emps: times(46, (id) => [
      id,
      person(id + 60),
      random() < 0.06 ? null : whole(random, 1, 5),
      oneOf(random, ['Baker', 'Baker', 'Sales Assistant', 'Sales Assistant', 'Driver']),
      day(random, '2022-01-01', '2023-12-31'),
      random() < 0.2 ? day(random, '2024-01-01') : null,
      cents(13 + random() * 9),
    ]),
    cust_orders: times(1400, (id) => {
      const [code, , , price] = GOODS[whole(random, 0, 9)] as (typeof GOODS)[number];
      const quantity = whole(random, 2, 40);
      const ordered = day(random, '2022-01-03');
      const cancelled = random() < 0.05;
      return [
        8000 + id,
        whole(random, 1, 5),
        `${oneOf(random, ['Hotel', 'Cafe', 'Office', 'School'])} ${oneOf(random, ['Linden', 'Tulip', 'Mozart', 'Dom', 'Zuid', 'Vecht'])}`,
        ordered,
        cancelled ? null : ordered,
        code,
        quantity,
        cents(quantity * price),
        random() < 0.05 ? null : oneOf(random, ['Card', 'Cash', 'Invoice']),
        cancelled ? 'cancelled' : 'delivered',
      ];
    }),
    waste_log: times(500, (id) => [
      id,
      whole(random, 1, 5),
      (GOODS[whole(random, 0, 9)] as (typeof GOODS)[number])[0],
      day(random, '2023-01-01'),
      whole(random, 1, 30),
      random() < 0.1 ? null : oneOf(random, ['Stale', 'Burnt', 'Damaged']),
    ]),
  }),
  questions: [
    ['How many orders were paid in cash?', `SELECT COUNT(*) FROM cust_orders WHERE pmt_meth = 'Cash'`],
    ['Give me all vegan products', ...each(`SELECT {} FROM prods WHERE vegan_flg = 'Y'`, 'prod_nm', 'prod_cd')],
    ['Which shops are in Utrecht?', ...each(`SELECT {} FROM shops WHERE city = 'Utrecht'`, 'shop_nm', 'shop_id')],
    [
      'How many bakers work for us?',
      `SELECT COUNT(*) FROM emps WHERE job_ttl = 'Baker'`,
      `SELECT COUNT(*) FROM emps WHERE job_ttl = 'Baker' AND term_dt IS NULL`,
    ],
    [
      'List the products that cost more than 20',
      ...each('SELECT {} FROM prods WHERE unit_prc > 20', 'prod_nm', 'prod_cd'),
    ],
    [
      'What do we pay per hour on average for each job?',
      'SELECT job_ttl, AVG(hrly_wage) FROM emps GROUP BY 1',
      'SELECT job_ttl, AVG(hrly_wage) FROM emps WHERE term_dt IS NULL GROUP BY 1',
    ],
    [
      'Total order amount per shop',
      ...each(
        'SELECT {}, SUM(o.tot_amt) FROM cust_orders o JOIN shops s ON s.shop_id = o.shop_id GROUP BY s.shop_id',
        's.shop_nm',
        's.shop_id',
      ),
    ],
    [
      'How many pieces were thrown away for each reason?',
      'SELECT reason, SUM(qty) FROM waste_log GROUP BY 1',
      'SELECT reason, SUM(qty) FROM waste_log WHERE reason IS NOT NULL GROUP BY 1',
    ],
    [
      'How many orders did we get for each product category?',
      'SELECT p.cat, COUNT(*) FROM cust_orders o JOIN prods p ON p.prod_cd = o.prod_cd GROUP BY 1',
    ],
    [
      'Which customers ordered the most in 2024? Show the top 3 by amount',
      `SELECT cust_nm FROM cust_orders WHERE ord_dt LIKE '2024-%' GROUP BY 1 ORDER BY SUM(tot_amt) DESC LIMIT 3`,
    ],
    [
      'How many croissants did the Station shop sell?',
      `SELECT SUM(o.qty) FROM cust_orders o JOIN prods p ON p.prod_cd = o.prod_cd JOIN shops s ON s.shop_id = o.shop_id
       WHERE p.prod_nm = 'Croissant' AND s.shop_nm = 'Station'`,
      `SELECT SUM(o.qty) FROM cust_orders o JOIN prods p ON p.prod_cd = o.prod_cd JOIN shops s ON s.shop_id = o.shop_id
       WHERE p.prod_nm = 'Croissant' AND s.shop_nm = 'Station' AND o.stat = 'delivered'`,
    ],
    [
      'Total amount of delivered orders in the first half of 2025',
      `SELECT SUM(tot_amt) FROM cust_orders WHERE stat = 'delivered' AND ord_dt BETWEEN '2025-01-01' AND '2025-06-30'`,
    ],
    [
      'Who earns the highest hourly wage?',
      ...each('SELECT {} FROM emps ORDER BY hrly_wage DESC LIMIT 1', 'emp_nm', 'emp_id'),
      ...each('SELECT {} FROM emps WHERE term_dt IS NULL ORDER BY hrly_wage DESC LIMIT 1', 'emp_nm', 'emp_id'),
    ],
    [
      'Show the employees of the Harbour shop',
      ...each(
        `SELECT {} FROM emps e JOIN shops s ON s.shop_id = e.shop_id WHERE s.shop_nm = 'Harbour'`,
        'e.emp_nm',
        'e.emp_id',
      ),
      ...each(
        `SELECT {} FROM emps e JOIN shops s ON s.shop_id = e.shop_id WHERE s.shop_nm = 'Harbour' AND e.term_dt IS NULL`,
        'e.emp_nm',
        'e.emp_id',
      ),
    ],
    [
      'Which product was wasted the most this year?',
      ...each(
        `SELECT {} FROM waste_log w JOIN prods p ON p.prod_cd = w.prod_cd WHERE w.waste_dt LIKE '2025-%'
         GROUP BY p.prod_cd ORDER BY SUM(w.qty) DESC LIMIT 1`,
        'p.prod_nm',
        'p.prod_cd',
      ),
    ],
    [
      'How much bigger is the average cake order than the average bread order, in money?',
      `SELECT AVG(CASE WHEN p.cat = 'Cake' THEN o.tot_amt END) - AVG(CASE WHEN p.cat = 'Bread' THEN o.tot_amt END)
       FROM cust_orders o JOIN prods p ON p.prod_cd = o.prod_cd`,
    ],
    [
      'Which products have never been ordered?',
      ...each('SELECT {} FROM prods WHERE prod_cd NOT IN (SELECT prod_cd FROM cust_orders)', 'prod_nm', 'prod_cd'),
    ],
    [
      'Compare the total order amount of each shop in 2023 and 2024',
      ...each(
        `SELECT {}, SUM(CASE WHEN o.ord_dt LIKE '2023-%' THEN o.tot_amt END), SUM(CASE WHEN o.ord_dt LIKE '2024-%' THEN o.tot_amt END)
         FROM cust_orders o JOIN shops s ON s.shop_id = o.shop_id GROUP BY s.shop_id`,
        's.shop_nm',
        's.shop_id',
      ),
      ...['s.shop_nm', 's.shop_id'].flatMap((shop) =>
        each(
          `SELECT ${shop}, {}, SUM(o.tot_amt) FROM cust_orders o JOIN shops s ON s.shop_id = o.shop_id
           WHERE o.ord_dt BETWEEN '2023-01-01' AND '2024-12-31' GROUP BY 1, 2`,
          ...year('o.ord_dt'),
        ),
      ),
    ],
    ['Customers with more than 60 orders', 'SELECT cust_nm FROM cust_orders GROUP BY 1 HAVING COUNT(*) > 60'],
    [
      'How many orders by hotels were not paid by invoice',
      `SELECT COUNT(*) FROM cust_orders WHERE cust_nm LIKE 'Hotel %' AND pmt_meth <> 'Invoice'`,
      `SELECT COUNT(*) FROM cust_orders WHERE cust_nm LIKE 'Hotel %' AND (pmt_meth <> 'Invoice' OR pmt_meth IS NULL)`,
    ],
  ],
};
