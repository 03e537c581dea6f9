import type { Cell, PlainStar, PlainTable, Row } from '../../../packages/knowledge/src/test-support/plain-star.ts';
import { seededRandom } from '../../inspect/seeded-random.ts';
import { METRICS } from './metrics.ts';

/** The day on which the questions are asked: a Tuesday. The data ends the day before. */
export const TODAY = '2024-09-17';

const random = seededRandom(23);
const whole = (from: number, to: number): number => from + Math.floor(random() * (to - from + 1));
const oneOf = <Value>(values: readonly Value[]): Value => values[whole(0, values.length - 1)] as Value;
const cents = (value: number): number => Math.round(value * 100) / 100;
const times = (count: number, row: (id: number) => Row): readonly Row[] =>
  Array.from({ length: count }, (_, at) => row(at + 1));
const day = (from: string, to = '2024-09-16'): string => {
  const [first, last] = [Date.parse(from), Date.parse(to)];
  return new Date(first + whole(0, (last - first) / 86_400_000) * 86_400_000).toISOString().slice(0, 10);
};

const CITIES = [
  ['Berlin', 'Germany'],
  ['Hamburg', 'Germany'],
  ['Munich', 'Germany'],
  ['Vienna', 'Austria'],
  ['Salzburg', 'Austria'],
  ['Zurich', 'Switzerland'],
] as const;
const STORES = [
  ['Berlin Mitte', 1, 'L', '2012-05-02'],
  ['Kreuzberg', 1, 'S', '2019-03-18'],
  ['Altona', 2, 'M', '2015-09-01'],
  ['Harbour Gate', 2, 'S', '2021-06-14'],
  ['Schwabing', 3, 'M', '2013-10-07'],
  ['Prater', 4, 'L', '2016-04-11'],
  ['Old Mill', 5, 'S', '2020-11-02'],
  ['Lakeside', 6, 'M', '2018-01-22'],
  // Opened so lately that nothing was sold.
  ["St. Anne's Square", 4, 'S', '2024-09-12'],
] as const;
const PRODUCTS = [
  ['Rye Bread', 'Food', 'Kornhof', true, 3.2],
  ['Oat Flakes', 'Food', 'Kornhof', true, 2.4],
  ['Mountain Cheese', 'Food', 'Alpenrain', false, 11.5],
  ['Butter', 'Food', 'Alpenrain', false, 2.9],
  ['Tomato Soup', 'Food', 'Pantry & Co', false, 1.8],
  ['Lentil Stew', 'Food', 'Pantry & Co', true, 3.6],
  ['Dark Chocolate', 'Food', 'Nordlicht', true, 2.7],
  ["Gardener's Tea", 'Drinks', 'Nordlicht', true, 4.4],
  ['Espresso Beans', 'Drinks', 'Nordlicht', false, 9.9],
  ['Apple Juice', 'Drinks', 'Alpenrain', true, 2.2],
  ['Sparkling Water', 'Drinks', 'Quell', false, 0.9],
  ['Ginger Ale', 'Drinks', 'Quell', false, 1.5],
  ['Dish Soap', 'Household', 'Blank', false, 2.1],
  ['Paper Towels', 'Household', 'Blank', false, 3.3],
  ['Beeswax Candle', 'Household', 'Nordlicht', true, 7.5],
  ['Hand Cream', 'Care', 'Quell', false, 5.2],
  ['Shampoo Bar', 'Care', 'Blank', true, 6.8],
  ['Toothpaste', 'Care', 'Blank', false, 2.6],
  // Never sold.
  ['Sea Salt Soap', 'Care', 'Quell', true, 4.9],
] as const;
const FIRST = ['Anna', 'Ben', 'Clara', 'David', 'Emma', 'Felix', 'Greta', 'Hugo', 'Ida', 'Jonas'] as const;
const LAST = ['Adler', 'Brandt', "D'Angelo", 'Egger', 'Fuchs', 'Gruber'] as const;

const cities = times(CITIES.length, (id) => {
  const [name, country] = CITIES[id - 1] as (typeof CITIES)[number];
  return { city_id: id, city_name: name, country_name: country };
});

const stores = times(STORES.length, (id) => {
  const [name, city, format, opened] = STORES[id - 1] as (typeof STORES)[number];
  return { store_id: id, store_name: name, city_id: city, format_cd: format, opened_on: opened };
});

const products = times(PRODUCTS.length, (id) => {
  const [name, category, brand, organic] = PRODUCTS[id - 1] as (typeof PRODUCTS)[number];
  return { product_id: id, product_name: name, category, brand, is_organic: organic };
});

const customers = times(64, (id) => ({
  customer_id: id,
  // The last four have names that others have, too.
  customer_name: `${FIRST[id % 10]} ${LAST[Math.floor(id / 10) % 6]}`,
  loyalty_cd: oneOf(['G', 'S', 'S', 'B', 'B', 'B']),
  region: id % 13 === 0 ? null : oneOf(['North', 'South', 'East', 'West']),
  joined_on: id <= 20 ? day('2021-02-01', '2022-09-30') : day('2022-10-01'),
}));

const sales = times(2400, (id) => {
  const productId = whole(1, PRODUCTS.length - 1);
  const price = (PRODUCTS[productId - 1] as (typeof PRODUCTS)[number])[4];
  const quantity = whole(1, 14);
  const discount = random() < 0.2 ? cents(quantity * price * 0.1) : 0;
  const channel = oneOf(['SHP', 'SHP', 'SHP', 'WEB', 'WEB', 'TEL']);
  return {
    sale_id: id,
    sold_on: day('2022-10-01'),
    store_id: whole(1, STORES.length - 1),
    product_id: productId,
    // Who pays at the till without a card is not known.
    customer_id: random() < 0.25 ? null : whole(1, 60),
    channel_cd: channel,
    quantity,
    amount: cents(quantity * price - discount),
    cost_amount: cents(quantity * price * (0.5 + random() * 0.2)),
    discount,
    status_cd: oneOf(['P', 'P', 'P', 'P', 'P', 'P', 'P', 'P', 'R', 'C']),
  };
});

const visits = times(1500, (id) => ({
  visit_id: id,
  visited_at: `${day('2022-10-01')} ${String(whole(8, 21)).padStart(2, '0')}:${whole(10, 59)}:00`,
  store_id: whole(1, STORES.length - 1),
  visitors: whole(3, 60),
}));

const monthEnds = Array.from({ length: 23 }, (_, at) =>
  new Date(Date.UTC(2022, 10 + at, 0)).toISOString().slice(0, 10),
);
const stock: Row[] = monthEnds.flatMap((stockOn) =>
  [1, 3, 5, 6, 8].flatMap((storeId) =>
    [1, 3, 4, 8, 9, 13, 16, 17].map((productId) => {
      const units = whole(5, 180);
      const price = (PRODUCTS[productId - 1] as (typeof PRODUCTS)[number])[4];
      return { stock_on: stockOn, store_id: storeId, product_id: productId, units, stock_value: cents(units * price) };
    }),
  ),
);

const complaints = times(260, (id) => {
  const opened = day('2022-10-01');
  return {
    complaint_id: id,
    opened_on: opened,
    store_id: whole(1, STORES.length - 1),
    customer_id: whole(1, 60),
    topic_cd: oneOf(['QUAL', 'QUAL', 'DELV', 'BILL']),
    days_to_close: opened > '2024-08-20' || random() < 0.08 ? null : whole(1, 30),
  };
});

const column = (
  name: string,
  type: PlainTable['columns'][number]['type'],
  field?: string,
): PlainTable['columns'][number] => ({ name, type, ...(field === undefined ? {} : { field }) });

const id = (name: string): PlainTable['columns'][number] => column(name, 'integer');

/** A chain of grocery shops. Columns have the names that a database gives, fields those that people say. */
export const STAR: PlainStar = {
  calendar: { fiscalYearStart: 4 },
  metrics: METRICS,
  links: [
    ['stores', 'city_id', 'cities'],
    ['sales', 'store_id', 'stores'],
    ['sales', 'product_id', 'products'],
    ['sales', 'customer_id', 'customers'],
    ['visits', 'store_id', 'stores'],
    ['stock', 'store_id', 'stores'],
    ['stock', 'product_id', 'products'],
    ['complaints', 'store_id', 'stores'],
    ['complaints', 'customer_id', 'customers'],
  ].map(([from = '', name = '', to = '']) => ({ from, column: name, to, toColumn: name })),
  tables: [
    {
      name: 'cities',
      source: 'city',
      key: 'city_id',
      columns: [id('city_id'), column('city_name', 'text', 'city'), column('country_name', 'text', 'country')],
      rows: cities,
    },
    {
      name: 'stores',
      source: 'store',
      key: 'store_id',
      columns: [
        id('store_id'),
        column('store_name', 'text', 'store'),
        id('city_id'),
        column('format_cd', 'text', 'format'),
        column('opened_on', 'date', 'opening_date'),
      ],
      rows: stores,
    },
    {
      name: 'products',
      source: 'product',
      key: 'product_id',
      columns: [
        id('product_id'),
        column('product_name', 'text', 'product'),
        column('category', 'text'),
        column('brand', 'text'),
        column('is_organic', 'boolean', 'organic'),
      ],
      rows: products,
    },
    {
      name: 'customers',
      source: 'customer',
      key: 'customer_id',
      time: 'joined_on',
      columns: [
        id('customer_id'),
        column('customer_name', 'text', 'customer'),
        column('loyalty_cd', 'text', 'loyalty'),
        column('region', 'text'),
        column('joined_on', 'date'),
      ],
      rows: customers,
    },
    {
      name: 'sales',
      source: 'sale',
      key: 'sale_id',
      time: 'sold_on',
      filter: { field: 'sales.status', test: '<>', values: ['C'] },
      columns: [
        id('sale_id'),
        column('sold_on', 'date'),
        id('store_id'),
        id('product_id'),
        id('customer_id'),
        column('channel_cd', 'text', 'channel'),
        column('quantity', 'integer'),
        column('amount', 'decimal'),
        column('cost_amount', 'decimal', 'cost'),
        column('discount', 'decimal'),
        column('status_cd', 'text', 'status'),
      ],
      rows: sales,
    },
    {
      name: 'visits',
      source: 'store_visit',
      key: 'visit_id',
      time: 'visited_at',
      columns: [id('visit_id'), column('visited_at', 'timestamp'), id('store_id'), column('visitors', 'integer')],
      rows: visits,
    },
    {
      name: 'stock',
      source: 'stock_count',
      time: 'stock_on',
      columns: [
        column('stock_on', 'date'),
        id('store_id'),
        id('product_id'),
        column('units', 'integer'),
        column('stock_value', 'decimal', 'value'),
      ],
      rows: stock,
    },
    {
      name: 'complaints',
      source: 'complaint',
      key: 'complaint_id',
      time: 'opened_on',
      columns: [
        id('complaint_id'),
        column('opened_on', 'date'),
        id('store_id'),
        id('customer_id'),
        column('topic_cd', 'text', 'topic'),
        column('days_to_close', 'integer'),
      ],
      rows: complaints,
    },
  ],
};

/** Cells of a column, each once, in their order. */
export function cellsOf(table: string, name: string): readonly Cell[] {
  const rows = STAR.tables.find((one) => one.name === table)?.rows ?? [];
  return [...new Set(rows.map((row) => row[name] ?? null))];
}
