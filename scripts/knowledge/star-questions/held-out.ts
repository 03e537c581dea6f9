import { during, is, isNot, known, NOTHING, questions, time, until, want } from './question.ts';

const BY_MONTH = 'metric_time:month';

/** Questions that nobody looked at while the reader was made. Once they were, they belong to the others. */
export const HELD_OUT = questions('held', [
  // A number alone.
  ['How much did our goods cost us in total?', want('cost_of_goods')],
  ['What are our takings?', want('revenue')],
  ['total number of returns', want('returns')],
  ["What's the organic share?", want('organic_share')],
  // By one thing.
  ['Show me gross profit for every store', want('gross_profit', { by: 'stores.store' })],
  ['Discounts by channel', want('discounts', { by: 'sales.channel' })],
  ['How many people through the door per city?', want('footfall', { by: 'cities.city' })],
  ['What is the profit margin of each product group?', want('margin', { by: 'products.category' })],
  ['new customers by region', want('sign_ups', { by: 'customers.region' })],
  ['Inventory by brand', want('stock_on_hand', { by: 'products.brand' })],
  // By two things.
  ['Return rate by country and category', want('return_rate', { by: ['cities.country', 'products.category'] })],
  [
    'How many complaints came in per city and complaint topic?',
    want('complaints_received', { by: ['cities.city', 'complaints.topic'] }),
  ],
  // Over time.
  ['Units sold by quarter', want('units_sold', { by: 'metric_time:quarter' })],
  [
    'Show the average order value for each month of 2024',
    want('average_basket', { by: BY_MONTH, where: during('2024') }),
  ],
  ['How many complaints did we receive each year?', want('complaints_received', { by: 'metric_time:year' })],
  ['Daily footfall in August 2024', want('footfall', { by: 'metric_time:day', where: during('2024-08') })],
  ['Cumulative revenue by quarter', want('running_revenue', { by: 'metric_time:quarter' })],
  ['gross profit per fiscal quarter', want('gross_profit', { by: 'metric_time:quarter', fiscal: true })],
  [
    'Monthly revenue in Germany by channel',
    want('revenue', { by: [BY_MONTH, 'sales.channel'], where: [is('cities.country', 'Germany')] }),
  ],
  // Only some of it.
  ['How many purchases were made over the counter?', want('sales_count', { where: [is('sales.channel', 'SHP')] })],
  ['Turnover with silver members', want('revenue', { where: [is('customers.loyalty', 'S')] })],
  ['What is the conversion in corner shops?', want('conversion', { where: [is('stores.format', 'S')] })],
  [
    'Items sold of Nordlicht in Vienna',
    want('units_sold', { where: [is('products.brand', 'Nordlicht'), is('cities.city', 'Vienna')] }),
  ],
  [
    'Revenue from care products by city',
    want('revenue', { by: 'cities.city', where: [is('products.category', 'Care')] }),
  ],
  [
    'Claims about billing outside Austria',
    want('complaints_received', { where: [is('complaints.topic', 'BILL'), isNot('cities.country', 'Austria')] }),
  ],
  ["Revenue with Gardener's Tea", want('revenue', { where: [is('products.product', "Gardener's Tea")] })],
  // In a time.
  ['How much revenue did we make in 2023?', want('revenue', { where: during('2023') })],
  ['Footfall last quarter', want('footfall', { where: time('2024-04-01', '2024-07-01') })],
  [
    'What were the online revenue and the web share in July 2024?',
    want(['web_revenue', 'web_share'], { where: during('2024-07') }),
  ],
  ['Sign-ups since the beginning of 2024', want('sign_ups', { where: time('2024-01-01') })],
  ['Number of sales this month by store', want('sales_count', { by: 'stores.store', where: time('2024-09-01') })],
  [
    'Gross profit from October to December 2023 in Salzburg',
    want('gross_profit', { where: [...time('2023-10-01', '2024-01-01'), is('cities.city', 'Salzburg')] }),
  ],
  ['Complaints up to the end of 2022', want('complaints_received', { where: until('2023-01-01') })],
  ['turnover in the second half of 2023', want('revenue', { where: time('2023-07-01', '2024-01-01') })],
  // The most and the least.
  ['What are the two stores with the most returns?', want('returns', { by: 'stores.store', top: 2 })],
  ['Which brand has the best margin?', want('margin', { by: 'products.brand', top: 1 })],
  [
    'Top 4 clients by number of purchases last year',
    want('sales_count', { by: 'customers.customer', top: 4, where: [known('customers.customer'), ...during('2023')] }),
  ],
  // Against the time before.
  [
    'Year-over-year revenue growth by month in 2024',
    want('revenue_growth_yoy', { by: BY_MONTH, where: during('2024') }),
  ],
  [
    'What was our revenue in 2024 against a year earlier, month by month?',
    want(['revenue', 'revenue_last_year'], { by: BY_MONTH, where: during('2024') }),
    // Below each other, for all months or for those that both years have; beside each other, for all months.
    want('revenue', { by: BY_MONTH, where: time('2023-01-01', '2025-01-01') }),
    {
      sql: `SELECT SUM(amount) FROM sale
        WHERE status_cd <> 'C' AND sold_on >= '2023-01-01' AND strftime('%m', sold_on) <= '09'
        GROUP BY strftime('%Y-%m', sold_on)`,
    },
    ...['NULL', '0'].map((none) => ({
      sql: `SELECT SUM(CASE WHEN sold_on >= '2024-01-01' THEN amount ELSE ${none} END),
          SUM(CASE WHEN sold_on < '2024-01-01' THEN amount END)
        FROM sale WHERE status_cd <> 'C' AND sold_on >= '2023-01-01' GROUP BY strftime('%m', sold_on)`,
    })),
  ],
  // Several numbers.
  ['Stock on hand and stock value by store', want(['stock_on_hand', 'stock_worth'], { by: 'stores.store' })],
  // What the definitions do not answer.
  ['Revenue per employee', 'unanswerable'],
  [
    // Visits have no brand; but of all who came, so many bought it.
    'Conversion rate by brand',
    'unanswerable',
    {
      sql: `SELECT brand, COUNT(*) * 1.0 / (SELECT SUM(visitors) FROM store_visit)
        FROM sale JOIN product USING (product_id) WHERE status_cd <> 'C' GROUP BY brand`,
    },
  ],
  ['What drives our return rate?', 'unanswerable'],
  ['Sales in Lisbon last month', 'unanswerable', ...NOTHING],
  ['Stock by sales channel', 'unanswerable'],
  [
    'Which products were never sold?',
    {
      sql: `SELECT product_name FROM product
        WHERE product_id NOT IN (SELECT product_id FROM sale WHERE status_cd <> 'C')`,
    },
  ],
  ['How will footfall develop in December?', 'unanswerable'],
  // No product is one.
  ['Number of gift cards sold in 2024', 'unanswerable', ...NOTHING],
  ['Revenue without VAT', 'unanswerable'],
  ['Do our customers like the new shop in Vienna?', 'unanswerable'],
]);
