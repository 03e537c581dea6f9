import { type Business, day, oneOf, times, whole } from '../business.ts';

const WINES = [
  ['Riesling Classic', 'White', 9.5],
  ['Chardonnay Reserve', 'White', 18],
  ['Merlot', 'Red', 11],
  ['Barolo', 'Red', 42],
  ['Pinot Noir', 'Red', 24],
  ['Rose d Anjou', 'Rose', 8],
  ['Cava Brut', 'Sparkling', 13.5],
  ['Champagne Grand Cru', 'Sparkling', 55],
] as const;

/** One wide table with headings as a spreadsheet has them, and a small list beside it. */
export const wines: Business = {
  name: 'wines',
  ddl: `
CREATE TABLE sales ("Order No" INTEGER NOT NULL, "Order Date" DATE NOT NULL, "Customer Name" TEXT NOT NULL,
  "Region" TEXT NOT NULL, "Channel" TEXT NOT NULL, "Product" TEXT NOT NULL, "Category" TEXT NOT NULL,
  "Qty" INTEGER NOT NULL, "Unit Price" REAL NOT NULL, "Discount %" REAL, "Total Amt" REAL, "Sales Rep" TEXT);
CREATE TABLE sales_targets ("Region" TEXT NOT NULL, "Year" INTEGER NOT NULL, "Target Amt" REAL NOT NULL,
  PRIMARY KEY ("Region", "Year"));`,
  rows: (random) => ({
    sales: times(1200, (id) => {
      const [product, category, price] = oneOf(random, WINES);
      const quantity = id === 77 ? 60 : whole(random, 1, 48);
      const customer = `${oneOf(random, ['Bistro', 'Hotel', 'Restaurant', 'Shop'])} ${oneOf(random, ['Sol', 'Luna', 'Mar', 'Roma', 'Park'])}`;
      return [
        10000 + id,
        day(random),
        customer,
        oneOf(random, ['North', 'South', 'East', 'West']),
        oneOf(random, ['Online', 'Phone', 'Store']),
        product,
        category,
        quantity,
        price,
        random() < 0.5 ? null : oneOf(random, [5, 10, 15]),
        random() < 0.04 ? null : quantity * price,
        random() < 0.1 ? null : oneOf(random, ['Maria', 'Tom', 'Yuki', 'Omar']),
      ];
    }),
    sales_targets: ['North', 'South', 'East', 'West'].flatMap((region) =>
      [2023, 2024, 2025].map((year) => [region, year, 10000 * whole(random, 5, 30)]),
    ),
  }),
  questions: [
    ['Show the total amount by customer name', 'SELECT "Customer Name", SUM("Total Amt") FROM sales GROUP BY 1'],
    ['How many orders came in online?', `SELECT COUNT(*) FROM sales WHERE "Channel" = 'Online'`],
    ['How many bottles of Barolo did we sell?', `SELECT SUM("Qty") FROM sales WHERE "Product" = 'Barolo'`],
    [
      'What is the average unit price by category?',
      'SELECT "Category", AVG("Unit Price") FROM sales GROUP BY "Category"',
    ],
    [
      'Which product has the highest total quantity?',
      'SELECT "Product" FROM sales GROUP BY "Product" ORDER BY SUM("Qty") DESC LIMIT 1',
    ],
    ['Which orders have no total amount?', 'SELECT "Order No" FROM sales WHERE "Total Amt" IS NULL'],
    [
      'Total amount per month in 2024',
      `SELECT strftime('%Y-%m', "Order Date"), SUM("Total Amt") FROM sales WHERE "Order Date" LIKE '2024-%' GROUP BY 1`,
      `SELECT strftime('%m', "Order Date"), SUM("Total Amt") FROM sales WHERE "Order Date" LIKE '2024-%' GROUP BY 1`,
      `SELECT CAST(strftime('%m', "Order Date") AS INTEGER), SUM("Total Amt") FROM sales
       WHERE "Order Date" LIKE '2024-%' GROUP BY 1`,
    ],
    [
      'How many sales did Maria make in the North region?',
      `SELECT COUNT(*) FROM sales WHERE "Sales Rep" = 'Maria' AND "Region" = 'North'`,
    ],
    ['How many orders have no sales rep?', 'SELECT COUNT(*) FROM sales WHERE "Sales Rep" IS NULL'],
    [
      'What percentage of orders were placed by phone?',
      `SELECT 100.0 * SUM("Channel" = 'Phone') / COUNT(*) FROM sales`,
    ],
    [
      'Top 5 customers by total amount',
      'SELECT "Customer Name" FROM sales GROUP BY 1 ORDER BY SUM("Total Amt") DESC LIMIT 5',
    ],
    ['List all red wines', `SELECT DISTINCT "Product" FROM sales WHERE "Category" = 'Red'`],
    [
      'What was the total amount in the South between January and March 2025?',
      `SELECT SUM("Total Amt") FROM sales WHERE "Region" = 'South' AND "Order Date" BETWEEN '2025-01-01' AND '2025-03-31'`,
    ],
    ['How many orders had a discount of more than 10 percent?', 'SELECT COUNT(*) FROM sales WHERE "Discount %" > 10'],
    [
      'What is the sales target for the West in 2025?',
      `SELECT "Target Amt" FROM sales_targets WHERE "Region" = 'West' AND "Year" = 2025`,
    ],
    [
      'Which sales rep sold the most bottles last year?',
      `SELECT "Sales Rep" FROM sales WHERE "Order Date" LIKE '2024-%' AND "Sales Rep" IS NOT NULL GROUP BY 1
       ORDER BY SUM("Qty") DESC LIMIT 1`,
    ],
    ['Number of orders by region and channel', 'SELECT "Region", "Channel", COUNT(*) FROM sales GROUP BY 1, 2'],
    [
      'How many different customers bought Champagne Grand Cru?',
      `SELECT COUNT(DISTINCT "Customer Name") FROM sales WHERE "Product" = 'Champagne Grand Cru'`,
    ],
    [
      'When was the first order of Hotel Luna?',
      `SELECT MIN("Order Date") FROM sales WHERE "Customer Name" = 'Hotel Luna'`,
    ],
    [
      'What is the largest order by quantity?',
      'SELECT "Order No" FROM sales WHERE "Qty" = (SELECT MAX("Qty") FROM sales)',
    ],
  ],
};
