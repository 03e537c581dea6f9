import { createSeededRandom, type SeededRandom } from './random.ts';
import { CATEGORIES, CITIES, FIRST_NAMES, JOBS, LAST_NAMES, PRODUCT_LINES, SUPPLIERS } from './word-lists.ts';

/** One value of a row; better-sqlite3 binds these. */
export type Cell = string | number | null;

/** Rows by table, in an order in which foreign keys are satisfied. */
export type StoreRows = Map<
  string,
  { readonly columns: readonly string[]; readonly rows: readonly (readonly Cell[])[] }
>;

export interface Product {
  readonly id: number;
  readonly price: number;
  readonly quality: number;
  readonly launchedOn: number;
}

export interface Customer {
  readonly id: number;
  readonly signedUpOn: number;
  /**
   * Regulars order often, pay everything, cancel and return nothing. So the biggest spenders are the same people with
   * the same sums, whether one adds up orders, lines or payments, or reads the view.
   */
  readonly regular: boolean;
}

const SEED = 20_240_229;
const CUSTOMER_COUNT = 240;
const REGULAR_COUNT = 14;
const FIRST_DAY = dayNumber(2022, 1, 1);
export const LAST_DAY = dayNumber(2024, 12, 31);

/** What the tables without movements hold; orders and all that follows from them are in `store-orders.ts`. */
export interface StoreBase {
  readonly random: SeededRandom;
  readonly tables: StoreRows;
  readonly products: readonly Product[];
  readonly customers: readonly Customer[];
}

export function createBase(): StoreBase {
  const random = createSeededRandom(SEED);
  const tables: StoreRows = new Map();
  tables.set('categories', { columns: ['category_id', 'name', 'parent_id'], rows: categoryRows() });
  tables.set('suppliers', {
    columns: ['supplier_id', 'name', 'city', 'country', 'email', 'partner_since'],
    rows: supplierRows(random),
  });
  const { products, rows: productRows } = createProducts(random);
  tables.set('products', {
    columns: [
      'product_id',
      'SKU',
      'name',
      'category_id',
      'supplier_id',
      'price',
      'weight_kg',
      'stock',
      'discontinued',
      'launched_on',
    ],
    rows: productRows,
  });
  const names = uniqueNames(random, CUSTOMER_COUNT + JOBS.length);
  const { customers, rows: customerRows } = createCustomers(random, names.slice(0, CUSTOMER_COUNT));
  tables.set('customers', {
    columns: [
      'customer_id',
      'name',
      'email',
      'city',
      'country',
      'birth_date',
      'signed_up_on',
      'loyalty_level',
      'newsletter',
    ],
    rows: customerRows,
  });
  tables.set('employees', {
    columns: ['employee_id', 'name', 'job_title', 'department', 'manager_id', 'hired_on', 'salary'],
    rows: employeeRows(random, names.slice(CUSTOMER_COUNT)),
  });
  return { random, tables, products, customers };
}

/** Days since 1970. */
function dayNumber(year: number, month: number, day: number): number {
  return Date.UTC(year, month - 1, day) / 86_400_000;
}

/** `2024-02-29` */
export function dateText(day: number): string {
  return new Date(day * 86_400_000).toISOString().slice(0, 10);
}

/** `2024-02-29 17:05:00`, at a time when people are awake. */
export function timeText(random: SeededRandom, day: number): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${dateText(day)} ${two(random.integer(7, 22))}:${two(random.integer(0, 59))}:${two(random.integer(0, 59))}`;
}

function categoryRows(): Cell[][] {
  const names = CATEGORIES.map((category) => category.name);
  return CATEGORIES.map(({ name, parent }, index) => [
    index + 1,
    name,
    parent === undefined ? null : names.indexOf(parent) + 1,
  ]);
}

function supplierRows(random: SeededRandom): Cell[][] {
  return SUPPLIERS.map((name, index) => {
    const [city, country] = random.pick(CITIES);
    const email = `orders@${asciiWords(name).join('-')}.example`;
    return [index + 1, name, city, country, email, dateText(random.integer(dayNumber(2012, 1, 1), FIRST_DAY))];
  });
}

function createProducts(random: SeededRandom): { products: Product[]; rows: Cell[][] } {
  const products: Product[] = [];
  const rows: Cell[][] = [];
  for (const [categoryIndex, { name: category, articles }] of CATEGORIES.entries()) {
    for (const [article, usualPrice, weight] of articles) {
      const first = random.integer(0, PRODUCT_LINES.length - 1);
      for (const step of [0, 3]) {
        const id = products.length + 1;
        const line = PRODUCT_LINES[(first + step) % PRODUCT_LINES.length] ?? '';
        const price = Math.round(usualPrice * (3.4 + random.next() * 1.4)) / 4;
        const launchedOn = random.integer(dayNumber(2019, 3, 1), dayNumber(2023, 6, 30));
        products.push({ id, price, quality: random.integer(2, 5), launchedOn });
        rows.push([
          id,
          `${category.slice(0, 3).toUpperCase()}-${String(id * 37 + 1000)}`,
          `${line} ${article}`,
          categoryIndex + 1,
          random.integer(1, SUPPLIERS.length),
          price,
          random.chance(0.15) ? null : weight,
          random.chance(0.08) ? 0 : random.integer(1, 400),
          random.chance(0.1) ? 1 : 0,
          dateText(launchedOn),
        ]);
      }
    }
  }
  return { products, rows };
}

function createCustomers(random: SeededRandom, names: readonly string[]): { customers: Customer[]; rows: Cell[][] } {
  const customers: Customer[] = [];
  const rows = names.map((name, index): Cell[] => {
    const id = index + 1;
    const regular = index % Math.floor(CUSTOMER_COUNT / REGULAR_COUNT) === 5 && index / CUSTOMER_COUNT < 0.95;
    const signedUpOn = regular
      ? random.integer(dayNumber(2020, 1, 1), FIRST_DAY)
      : random.integer(dayNumber(2020, 6, 1), dayNumber(2024, 11, 30));
    customers.push({ id, signedUpOn, regular });
    const [city, country] = random.pick(CITIES);
    return [
      id,
      name,
      `${asciiWords(name).join('.')}@${random.pick(['example.com', 'example.org', 'example.net'])}`,
      city,
      country,
      random.chance(0.2) ? null : dateText(random.integer(dayNumber(1948, 1, 1), dayNumber(2005, 12, 31))),
      dateText(signedUpOn),
      regular ? 'gold' : random.pick(['bronze', 'bronze', 'silver', null, null]),
      random.chance(0.45) ? 1 : 0,
    ];
  });
  return { customers, rows };
}

function employeeRows(random: SeededRandom, names: readonly string[]): Cell[][] {
  return JOBS.map(([title, department, manager, salary], index) => [
    index + 1,
    names[index] ?? '',
    title,
    department,
    manager,
    dateText(random.integer(dayNumber(2014, 1, 1), dayNumber(2023, 12, 31))),
    salary,
  ]);
}

function uniqueNames(random: SeededRandom, count: number): string[] {
  const names = new Set<string>();
  while (names.size < count) names.add(`${random.pick(FIRST_NAMES)} ${random.pick(LAST_NAMES)}`);
  return [...names];
}

function asciiWords(text: string): string[] {
  const plain = text.normalize('NFD').replace(/[łø]/gi, (letter) => (letter.toLowerCase() === 'ł' ? 'l' : 'o'));
  return (
    plain
      .replace(/[^\x20-\x7e]/g, '')
      .replaceAll("'", '')
      .toLowerCase()
      .match(/[a-z]+/g) ?? []
  );
}
