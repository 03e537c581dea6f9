import { readFileSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';

/** Columns of every table. */
export const COLUMNS = 8;

const AREAS =
  'sales billing stock staff support market fleet energy travel health school legal media claims loans grants repairs safety audit quality labs farms ports rails hotels retail print water waste parks'.split(
    ' ',
  );

/** What an area keeps, and what its third and fourth columns are. */
const THINGS: readonly (readonly [string, string, string])[] = [
  ['orders', 'total_amount', 'order_status'],
  ['order_lines', 'unit_price', 'line_note'],
  ['invoices', 'amount_due', 'payment_terms'],
  ['payments', 'amount_paid', 'payment_method'],
  ['contacts', 'discount_rate', 'email_address'],
  ['contracts', 'yearly_fee', 'renewal_kind'],
  ['suppliers', 'rating_score', 'tax_number'],
  ['products', 'list_price', 'product_group'],
  ['shipments', 'gross_weight', 'carrier_name'],
  ['visits', 'duration_minutes', 'visit_reason'],
  ['tickets', 'effort_hours', 'priority_level'],
  ['budgets', 'planned_amount', 'cost_centre'],
  ['assets', 'purchase_price', 'serial_number'],
  ['readings', 'measured_value', 'unit_name'],
  ['events', 'severity_score', 'event_kind'],
  ['tasks', 'estimated_hours', 'task_state'],
  ['documents', 'page_count', 'document_title'],
  ['locations', 'floor_area', 'street_address'],
  ['campaigns', 'spent_amount', 'channel_name'],
  ['accounts', 'opening_balance', 'account_type'],
];

const REGIONS = 'north south east west coast'.split(' ');

/** Two tables that stand alone; the questions are about them. */
const OWN: readonly string[] = [
  'CREATE TABLE customers (customer_id INTEGER PRIMARY KEY, full_name TEXT NOT NULL, city TEXT, segment TEXT, credit_limit NUMERIC, created_at DATETIME, is_active BOOLEAN, remarks TEXT)',
  'CREATE TABLE reservations (reservation_id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customers (customer_id), room_name TEXT, nights INTEGER, price NUMERIC, arrival DATETIME, is_paid BOOLEAN, remarks TEXT)',
  "INSERT INTO customers VALUES (1, 'Ada Silva', 'Lisbon', 'private', 100, '2024-01-05', 1, NULL), (2, 'Bo Lind', 'Malmo', 'company', 900, '2024-02-11', 1, NULL), (3, 'Cem Kaya', 'Lisbon', 'private', 50, '2024-03-02', 0, NULL)",
  "INSERT INTO reservations VALUES (1, 1, 'Blue', 2, 180, '2024-05-01', 1, NULL), (2, 3, 'Red', 1, 95, '2024-05-03', 0, NULL)",
];

/** What the built-in reader answers with two rows of `customers`, after a search for the city. */
export const QUESTION = 'List the full name of the customers in Lisbon.';

/**
 * The statements of so many tables in families, as a large company has them: an area, what it keeps there, a region and
 * a month (`sales_order_lines_north_202403`). Each has a key, a declared reference and three rows.
 */
function* statements(tables: number): Generator<string> {
  yield* OWN;
  for (let at = 0; at < tables - 2; at += 1) {
    const name = nameAt(at);
    const thing = at % THINGS.length;
    const [, measure, text] = THINGS[thing] ?? ['', 'amount', 'note'];
    const key = `${singular(thing)}_id`;
    const parent =
      thing === 0
        ? 'customer_id INTEGER REFERENCES customers (customer_id)'
        : `${singular(thing - 1)}_id INTEGER REFERENCES ${nameAt(at - 1)} (${singular(thing - 1)}_id)`;
    yield `CREATE TABLE ${name} (${key} INTEGER PRIMARY KEY, ${parent}, ${measure} NUMERIC NOT NULL, ${text} TEXT, region_code VARCHAR(8), created_at DATETIME, is_open BOOLEAN, remarks TEXT)`;
    yield `INSERT INTO ${name} VALUES (1, 1, ${at % 97}, 'first', 'R1', '2024-03-01', 1, NULL), (2, 2, ${at % 89}, 'second', 'R2', '2024-03-02', 0, 'see file'), (3, 3, ${at % 83}, 'third', 'R1', '2024-03-03', 1, NULL)`;
  }
}

function singular(thing: number): string {
  return (THINGS[thing]?.[0] ?? '').replace(/s$/, '');
}

function nameAt(at: number): string {
  const thing = at % THINGS.length;
  let rest = Math.floor(at / THINGS.length);
  const area = AREAS[rest % AREAS.length];
  rest = Math.floor(rest / AREAS.length);
  const region = REGIONS[rest % REGIONS.length];
  const month = Math.floor(rest / REGIONS.length);
  return `${area}_${THINGS[thing]?.[0]}_${region}_${2024 + Math.floor(month / 12)}${String((month % 12) + 1).padStart(2, '0')}`;
}

/** Where the header of a file has its number of pages, and the counters of changes that vouch for it. */
const PAGES_AT = 28;
const CHANGES_AT = [24, 92];
/** In place of the page of a table that is not there yet: no file has as many. */
const NO_PAGE = 4_000_000;

/**
 * Writes the database. SQLite reads its whole schema at each CREATE TABLE, so that time would grow with the square of
 * the tables: only the first twenty families are created. Each other table is an entry of the schema, and a copy of the
 * page of one that has the same columns.
 */
export function makeDatabase(file: string, tables: number): void {
  const database = new Database(file);
  database.pragma('journal_mode = OFF');
  const created = Math.min(tables, 2 + THINGS.length);
  database.exec(['BEGIN', ...statements(created), 'COMMIT'].join(';'));
  database.unsafeMode(true);
  database.pragma('writable_schema = ON');
  const definitions = [...statements(tables)].filter((sql) => sql.startsWith('CREATE')).slice(created);
  const insert = database.prepare("INSERT INTO sqlite_schema VALUES ('table', ?, ?, ?, ?)");
  const nameOf = (sql: string): string => sql.split(' ')[2] ?? '';
  database.transaction(() => {
    for (const sql of definitions) insert.run(nameOf(sql), nameOf(sql), NO_PAGE, sql);
  })();
  const pages = Number(database.pragma('page_count', { simple: true }));
  const size = Number(database.pragma('page_size', { simple: true }));
  const last = Number(database.prepare('SELECT max(rowid) FROM sqlite_schema').pluck().get());
  const place = database.prepare('UPDATE sqlite_schema SET rootpage = ? WHERE rowid = ?');
  database.transaction(() => {
    for (const at of definitions.keys()) place.run(pages + 1 + at, last + 1 - definitions.length + at);
  })();
  const rootOf = database.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').pluck();
  const templates = THINGS.map((_, at) => Number(rootOf.get(nameAt(at))));
  if (Number(database.pragma('page_count', { simple: true })) !== pages) throw new Error('The schema took more pages.');
  database.close();
  const bytes = readFileSync(file);
  const copies = definitions.map((_, at) => {
    const root = templates[(at + created - 2) % THINGS.length] ?? 0;
    return bytes.subarray((root - 1) * size, root * size);
  });
  bytes.writeUInt32BE(pages + copies.length, PAGES_AT);
  for (const at of CHANGES_AT) bytes.writeUInt32BE(7, at);
  writeFileSync(file, Buffer.concat([bytes, ...copies]));
}
