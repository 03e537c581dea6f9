import { during, is, isNot, known, NOTHING, questions, time, until, want } from './question.ts';

const BY_MONTH = 'metric_time:month';

const IN_2023 = (day: string): string => `${day} >= '2023-01-01' AND ${day} < '2024-01-01'`;
const complainers = (condition: string): string =>
  `customer_id IN (SELECT customer_id FROM complaint WHERE ${condition})`;
const revenueOf = (condition: string): string => `SELECT SUM(amount) FROM sale WHERE status_cd <> 'C' AND ${condition}`;
const buyersOfThree = (by: string): string =>
  `SELECT COUNT(DISTINCT customer_id)
    FROM (
      SELECT customer_id FROM sale WHERE status_cd <> 'C' AND customer_id IS NOT NULL
      GROUP BY ${by} HAVING COUNT(*) >= 3
    )`;

/** Both months in one row, the difference alone, the growth as a share. */
const rivals = (before: string, month: string): readonly { readonly sql: string }[] =>
  ['now, before', 'now - before', '(now - before) / before'].map((shown) => ({
    sql: `WITH rivals AS (
        SELECT SUM(CASE WHEN sold_on LIKE '${month}%' THEN amount END) AS now,
          SUM(CASE WHEN sold_on LIKE '${before}%' THEN amount END) AS before
        FROM sale WHERE status_cd <> 'C'
      )
      SELECT ${shown} FROM rivals`,
  }));

/** Questions that the reader was made with. */
export const DEVELOPED = questions('dev', [
  // A number alone.
  ['What is our total revenue?', want('revenue')],
  ['How many units have we sold so far?', want('units_sold')],
  ['turnover', want('revenue')],
  ['How much did we give away in discounts?', want('discounts')],
  ['What was our biggest sale ever?', want('largest_sale')],
  ['Show me the average basket', want('average_basket')],
  ['How many outlets do we have?', want('store_count')],
  ["What's our return rate?", want('return_rate')],
  // By one thing.
  ['Revenue by city', want('revenue', { by: 'cities.city' })],
  ['Break down units sold by product category', want('units_sold', { by: 'products.category' })],
  ['How much gross profit does each brand bring in?', want('gross_profit', { by: 'products.brand' })],
  ['Footfall per store', want('footfall', { by: 'stores.store' })],
  ['complaints by topic', want('complaints_received', { by: 'complaints.topic' })],
  ['Show the number of stores in each country', want('store_count', { by: 'cities.country' })],
  ['What is the return rate for each sales channel?', want('return_rate', { by: 'sales.channel' })],
  ['Conversion rate by store format', want('conversion', { by: 'stores.format' })],
  ['How is revenue split across loyalty levels?', want('revenue', { by: 'customers.loyalty' })],
  ['average basket for every type of store', want('average_basket', { by: 'stores.format' })],
  ['Number of products per category', want('product_count', { by: 'products.category' })],
  ['How long is the resolution time for each complaint topic?', want('resolution_time', { by: 'complaints.topic' })],
  ['Margin by brand please', want('margin', { by: 'products.brand' })],
  ['How much stock do we hold in each store?', want('stock_on_hand', { by: 'stores.store' })],
  // By two things.
  ['Revenue by country and channel', want('revenue', { by: ['cities.country', 'sales.channel'] })],
  ['Units sold per category and brand', want('units_sold', { by: ['products.category', 'products.brand'] })],
  [
    'Give me the number of sales for each city and loyalty tier',
    want('sales_count', { by: ['cities.city', 'customers.loyalty'] }),
  ],
  ['stock value by country and product group', want('stock_worth', { by: ['cities.country', 'products.category'] })],
  [
    'Complaints by store and topic in 2023',
    want('complaints_received', { by: ['stores.store', 'complaints.topic'], where: during('2023') }),
  ],
  // Over time.
  ['Revenue per month', want('revenue', { by: BY_MONTH })],
  ['How has monthly footfall developed?', want('footfall', { by: BY_MONTH })],
  ['Show quarterly gross profit', want('gross_profit', { by: 'metric_time:quarter' })],
  ['number of transactions by year', want('sales_count', { by: 'metric_time:year' })],
  [
    'Weekly revenue in the first quarter of 2024',
    want('revenue', { by: 'metric_time:week', where: time('2024-01-01', '2024-04-01') }),
  ],
  ['Sign-ups by month in 2023', want('sign_ups', { by: BY_MONTH, where: during('2023') })],
  [
    'Online revenue month by month since January 2024',
    want('web_revenue', { by: BY_MONTH, where: time('2024-01-01') }),
  ],
  ['Running revenue by month', want('running_revenue', { by: BY_MONTH })],
  ['Stock on hand at the end of each month of 2024', want('stock_on_hand', { by: BY_MONTH, where: during('2024') })],
  ['Revenue by fiscal year', want('revenue', { by: 'metric_time:year', fiscal: true })],
  ['revenue per category and quarter', want('revenue', { by: ['products.category', 'metric_time:quarter'] })],
  [
    'How did the average basket change from month to month in 2023, by country?',
    want('average_basket', { by: [BY_MONTH, 'cities.country'], where: during('2023') }),
  ],
  // Only some of it.
  ['What is the revenue in Berlin?', want('revenue', { where: [is('cities.city', 'Berlin')] })],
  ['How many units of food did we sell?', want('units_sold', { where: [is('products.category', 'Food')] })],
  ['Footfall in Austria', want('footfall', { where: [is('cities.country', 'Austria')] })],
  ['revenue from gold customers', want('revenue', { where: [is('customers.loyalty', 'G')] })],
  [
    'How many complaints about delivery were there?',
    want('complaints_received', { where: [is('complaints.topic', 'DELV')] }),
  ],
  ['Gross profit of the brand Alpenrain', want('gross_profit', { where: [is('products.brand', 'Alpenrain')] })],
  ['What did we take by phone?', want('revenue', { where: [is('sales.channel', 'TEL')] })],
  ['Average basket in hypermarkets', want('average_basket', { where: [is('stores.format', 'L')] })],
  [
    'Revenue in Hamburg and Munich',
    want('revenue', { where: [is('cities.city', 'Hamburg', 'Munich')] }),
    want('revenue', { by: 'cities.city', where: [is('cities.city', 'Hamburg', 'Munich')] }),
  ],
  [
    'Revenue by brand for drinks sold in Switzerland',
    want('revenue', {
      by: 'products.brand',
      where: [is('products.category', 'Drinks'), is('cities.country', 'Switzerland')],
    }),
  ],
  ['How many organic products do we carry?', want('product_count', { where: [is('products.organic', true)] })],
  ['Number of sales outside Germany', want('sales_count', { where: [isNot('cities.country', 'Germany')] })],
  ['Units sold of Rye Bread', want('units_sold', { where: [is('products.product', 'Rye Bread')] })],
  ['What share of revenue is organic in Vienna?', want('organic_share', { where: [is('cities.city', 'Vienna')] })],
  ['Complaints at Berlin Mitte', want('complaints_received', { where: [is('stores.store', 'Berlin Mitte')] })],
  [
    'Revenue excluding household goods by month in 2024',
    want('revenue', { by: BY_MONTH, where: [isNot('products.category', 'Household'), ...during('2024')] }),
  ],
  // In a time.
  ['Revenue in 2024', want('revenue', { where: during('2024') })],
  ['How many orders did we get last month?', want('sales_count', { where: during('2024-08') })],
  ['What was our revenue in the first quarter of 2024?', want('revenue', { where: time('2024-01-01', '2024-04-01') })],
  ['Footfall since May', want('footfall', { where: time('2024-05-01') })],
  ['Gross profit this year', want('gross_profit', { where: time('2024-01-01') })],
  ['Turnover yesterday', want('revenue', { where: time('2024-09-16', '2024-09-17') })],
  ['revenue last week by city', want('revenue', { by: 'cities.city', where: time('2024-09-09', '2024-09-16') })],
  ['How many new members joined in February 2023?', want('sign_ups', { where: during('2023-02') })],
  ['Discounts given between March and May 2024', want('discounts', { where: time('2024-03-01', '2024-06-01') })],
  ['Revenue before 2024', want('revenue', { where: until('2024-01-01') })],
  ['Food revenue per store last month', want('food_revenue', { by: 'stores.store', where: during('2024-08') })],
  ['Revenue in fiscal year 2024', want('revenue', { where: time('2023-04-01', '2024-04-01') })],
  [
    'Unresolved complaints opened in August',
    want('open_complaints', { where: during('2024-08') }),
    // Which they are.
    {
      sql: `SELECT complaint_id FROM complaint
        WHERE days_to_close IS NULL AND opened_on >= '2024-08-01' AND opened_on < '2024-09-01'`,
    },
  ],
  [
    'Number of sales in Q2 2023 in Zurich',
    want('sales_count', { where: [...time('2023-04-01', '2023-07-01'), is('cities.city', 'Zurich')] }),
  ],
  ['What is the year to date revenue?', want('revenue', { where: time('2024-01-01') })],
  ['Units sold in 2023 for each channel', want('units_sold', { by: 'sales.channel', where: during('2023') })],
  // The most and the least.
  ['Top 5 products by revenue', want('revenue', { by: 'products.product', top: 5 })],
  ['Which city has the highest footfall?', want('footfall', { by: 'cities.city', top: 1 })],
  ['Which three brands made the least gross profit?', want('gross_profit', { by: 'products.brand', bottom: 3 })],
  [
    'Best 10 customers by turnover in 2024',
    want('revenue', { by: 'customers.customer', top: 10, where: [known('customers.customer'), ...during('2024')] }),
  ],
  ['Store with the lowest average basket', want('average_basket', { by: 'stores.store', bottom: 1 })],
  // Against the time before.
  ['Month-over-month revenue growth in 2024', want('revenue_growth_mom', { by: BY_MONTH, where: during('2024') })],
  [
    'How did revenue in August 2024 compare with the previous month?',
    want('revenue_growth_mom', { by: BY_MONTH, where: during('2024-08') }),
    want('revenue', { by: BY_MONTH, where: time('2024-07-01', '2024-09-01') }),
    ...rivals('2024-07', '2024-08'),
  ],
  // Several numbers.
  ['Revenue and gross profit by country', want(['revenue', 'gross_profit'], { by: 'cities.country' })],
  [
    'Show footfall, number of sales and conversion rate per store',
    want(['footfall', 'sales_count', 'conversion'], { by: 'stores.store' }),
  ],
  // What the definitions do not answer.
  ['What is our employee turnover?', 'unanswerable'],
  ['Why did revenue fall in May?', 'unanswerable'],
  ['Footfall by product category', 'unanswerable'],
  ['Revenue in Paris', 'unanswerable', ...NOTHING],
  ['How much revenue do we make per square metre?', 'unanswerable'],
  ['Which store should we close?', 'unanswerable'],
  ['Revenue by supplier', 'unanswerable'],
  ['How many sales were cancelled?', { sql: "SELECT COUNT(*) FROM sale WHERE status_cd = 'C'" }],
  ['Stock value by customer region', 'unanswerable'],
  ['Forecast revenue for the next quarter', 'unanswerable'],
  [
    // Last year may say when they complained, when they bought, or both.
    'Revenue of customers who complained last year',
    { sql: revenueOf(complainers(IN_2023('opened_on'))) },
    { sql: revenueOf(`${complainers('TRUE')} AND ${IN_2023('sold_on')}`) },
    { sql: revenueOf(`${complainers(IN_2023('opened_on'))} AND ${IN_2023('sold_on')}`) },
  ],
  [
    'What is the median basket?',
    {
      sql: `SELECT AVG(amount)
        FROM (
          SELECT amount, ROW_NUMBER() OVER (ORDER BY amount) AS place, COUNT(*) OVER () AS size
          FROM sale WHERE status_cd <> 'C'
        )
        WHERE place IN ((size + 1) / 2, (size + 2) / 2)`,
    },
  ],
  ['Sign-ups by store', 'unanswerable'],
  ['Is a margin of 30 percent good?', 'unanswerable'],
  ['Complaints by brand', 'unanswerable'],
  ['Revenue from luxury goods in Berlin', 'unanswerable'],
  [
    // Three sales, or three of one product.
    'How many customers bought something at least three times?',
    { sql: buyersOfThree('customer_id') },
    { sql: buyersOfThree('customer_id, product_id') },
  ],
  ['Net revenue after tax by city', 'unanswerable'],
  ['Delete all returns of last year', 'unanswerable'],
  ['Correlation between footfall and weather', 'unanswerable'],
]);
