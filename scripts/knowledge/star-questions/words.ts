import type { AiContext, EnumValue, Metric } from '../../../packages/knowledge/src/model/semantic-model.ts';
import type { StarWords } from '../../../packages/knowledge/src/test-support/plain-model.ts';
import { cellsOf } from './star.ts';

const called = (...synonyms: string[]): { readonly ai: AiContext } => ({ ai: { synonyms, examples: [] } });

const metric = (label: string, synonyms: readonly string[] = [], unit?: string): Partial<Metric> => ({
  label,
  ...(synonyms.length > 0 ? called(...synonyms) : {}),
  ...(unit === undefined ? {} : { unit }),
});

const METRIC_WORDS: Readonly<Record<string, Partial<Metric>>> = {
  revenue: metric('Revenue', ['turnover', 'takings', 'sales revenue'], 'EUR'),
  cost_of_goods: metric('Cost of goods', ['COGS', 'cost of goods sold', 'goods cost'], 'EUR'),
  units_sold: metric('Units sold', ['items sold', 'pieces sold', 'quantity sold']),
  sales_count: metric('Number of sales', ['sales', 'transactions', 'purchases', 'orders']),
  buyers: metric('Buyers', ['active customers', 'buying customers']),
  discounts: metric('Discounts given', ['discounts', 'rebates'], 'EUR'),
  largest_sale: metric('Largest sale', ['biggest sale', 'highest sale'], 'EUR'),
  average_quantity: metric('Average quantity', ['average pieces per sale', 'units per sale']),
  returns: metric('Returns', ['returned sales', 'returned orders']),
  web_revenue: metric('Web revenue', ['online revenue', 'e-commerce revenue'], 'EUR'),
  food_revenue: metric('Food revenue', ['food turnover'], 'EUR'),
  organic_revenue: metric('Organic revenue', ['revenue with organic products'], 'EUR'),
  known_revenue: { isHidden: true },
  average_basket: metric('Average basket', ['average sale value', 'average order value', 'basket size'], 'EUR'),
  return_rate: metric('Return rate', ['share of returns', 'returns ratio']),
  web_share: metric('Web share', ['online share', 'share of online revenue']),
  food_share: metric('Food share', ['share of food', 'share of food in revenue']),
  organic_share: metric('Organic share', ['share of organic revenue']),
  revenue_per_buyer: metric('Revenue per buyer', ['spend per customer', 'revenue per active customer'], 'EUR'),
  conversion: metric('Conversion rate', ['conversion']),
  gross_profit: metric('Gross profit', ['profit'], 'EUR'),
  margin: metric('Gross margin', ['margin', 'profit margin']),
  running_revenue: metric(
    'Running revenue',
    ['cumulative revenue', 'revenue to date', 'running total of revenue'],
    'EUR',
  ),
  rolling_revenue: metric('Rolling revenue', ['rolling three-month revenue'], 'EUR'),
  revenue_ytd: metric('Year-to-date revenue', ['YTD revenue', 'revenue year to date'], 'EUR'),
  revenue_growth_mom: metric('Month-over-month revenue growth', [
    'monthly revenue growth',
    'MoM growth',
    'revenue growth over the previous month',
  ]),
  revenue_growth_yoy: metric('Year-over-year revenue growth', [
    'annual revenue growth',
    'YoY growth',
    'revenue growth over the previous year',
  ]),
  revenue_last_year: metric('Revenue a year earlier', ['prior-year revenue'], 'EUR'),
  footfall: metric('Footfall', ['visitors', 'store visitors', 'people through the door']),
  revenue_per_visitor: metric('Revenue per visitor', ['spend per visitor'], 'EUR'),
  stock_on_hand: metric('Stock on hand', ['stock', 'inventory', 'units in stock']),
  stock_worth: metric('Stock value', ['inventory value', 'value of the stock'], 'EUR'),
  opening_stock: metric('Opening stock', ['opening inventory']),
  complaints_received: metric('Complaints', ['claims', 'tickets']),
  resolution_time: metric('Resolution time', ['days to close', 'average days to close'], 'days'),
  open_complaints: metric('Open complaints', ['unresolved complaints', 'open tickets']),
  complaint_rate: metric('Complaints per 100 sales', ['complaint rate']),
  sign_ups: metric('Sign-ups', ['new customers', 'new members', 'registrations']),
  store_count: metric('Number of stores', ['shops', 'outlets', 'branches']),
  product_count: metric('Number of products', ['articles', 'size of the assortment']),
};

const value = (cell: string, meaning?: string, ...synonyms: string[]): EnumValue => ({
  value: cell,
  ...(meaning === undefined ? {} : { meaning }),
  synonyms,
});
const plain = (table: string, name: string): readonly EnumValue[] =>
  cellsOf(table, name).flatMap((cell) => (typeof cell === 'string' ? [value(cell)] : []));

/** Names of stores, products and customers stand in the data only. */
const VALUES: Readonly<Record<string, readonly EnumValue[]>> = {
  'cities.city': [
    ...plain('cities', 'city_name').filter(({ value: cell }) => cell !== 'Munich'),
    value('Munich', undefined, 'München'),
  ],
  'cities.country': plain('cities', 'country_name'),
  'stores.format': [
    value('S', 'corner shop', 'small shop'),
    value('M', 'supermarket'),
    value('L', 'hypermarket', 'large store', 'superstore'),
  ],
  'products.category': plain('products', 'category'),
  'products.brand': plain('products', 'brand'),
  'customers.loyalty': [value('G', 'gold'), value('S', 'silver'), value('B', 'basic', 'standard')],
  'customers.region': plain('customers', 'region'),
  'sales.channel': [
    value('WEB', 'online shop', 'online', 'web', 'internet'),
    value('SHP', 'in store', 'in the shop', 'over the counter'),
    value('TEL', 'by phone', 'telephone', 'phone'),
  ],
  'sales.status': [value('P', 'paid'), value('R', 'returned'), value('C', 'cancelled')],
  'complaints.topic': [
    value('QUAL', 'quality'),
    value('DELV', 'delivery', 'shipping'),
    value('BILL', 'billing', 'invoice'),
  ],
};

const FIELD_WORDS: Readonly<Record<string, readonly string[]>> = {
  'cities.city': ['town'],
  'stores.store': ['shop', 'outlet', 'branch'],
  'stores.format': ['store format', 'type of store', 'shop type'],
  'stores.opening_date': ['opened'],
  'products.product': ['article', 'item'],
  'products.category': ['product category', 'product group'],
  'customers.customer': ['client', 'customer name'],
  'customers.loyalty': ['loyalty level', 'loyalty tier', 'membership level'],
  'customers.region': ['customer region'],
  'customers.joined_on': ['joined', 'sign-up date'],
  'sales.sold_on': ['sale date', 'sold'],
  'sales.channel': ['sales channel', 'way of selling'],
  'sales.status': ['sale status'],
  'complaints.topic': ['reason', 'complaint topic'],
};

/** Fields that only tie tables together or are added up. */
const NO_DIMENSION = /(?:_id|\.amount|\.cost|\.discount|\.quantity|\.units|\.value|\.visitors|\.days_to_close)$/u;

/** What people call the parts of the star. */
export const WORDS: StarWords = {
  model: { name: 'grocery', description: 'Sales, visits, stock and complaints of a chain of grocery shops.' },
  metric: (name) => METRIC_WORDS[name] ?? {},
  field: (dataset, name) => {
    const field = `${dataset}.${name}`;
    const synonyms = FIELD_WORDS[field];
    return {
      values: VALUES[field] ?? [],
      ...(synonyms === undefined ? {} : called(...synonyms)),
      ...(NO_DIMENSION.test(field) ? { dimension: undefined, isHidden: true } : {}),
    };
  },
};
