import { existsSync, renameSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import Database from 'better-sqlite3';
import { addMovements } from './store/store-orders.ts';
import { createBase, type StoreRows } from './store/store-rows.ts';
import { STORE_SCHEMA } from './store/store-schema.ts';

/**
 * Writes the sample database of the README: `node --conditions=@askema/source examples/make-store.ts [--out FILE]`.
 * The same on every machine: it knows neither the clock nor chance.
 */
export function makeStore(file: string): void {
  const base = createBase();
  addMovements(base);
  const unfinished = `${file}.unfinished`;
  rmSync(unfinished, { force: true });
  const database = new Database(unfinished);
  try {
    database.pragma('page_size = 4096');
    database.pragma('encoding = "UTF-8"');
    database.pragma('foreign_keys = ON');
    database.exec(STORE_SCHEMA);
    database.transaction(() => insertRows(database, base.tables))();
    database.exec('VACUUM');
  } finally {
    database.close();
  }
  renameSync(unfinished, file);
}

function insertRows(database: Database.Database, tables: StoreRows): void {
  const quote = (name: string): string => `"${name}"`;
  for (const [table, { columns, rows }] of tables) {
    const insert = database.prepare(
      `INSERT INTO ${quote(table)} (${columns.map(quote).join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
    );
    for (const row of rows) insert.run(...row);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { out: { type: 'string' } } });
  const file = values.out ?? fileURLToPath(new URL('./store.sqlite', import.meta.url));
  makeStore(file);
  console.log(`${existsSync(file) ? 'Wrote' : 'Could not write'} ${file}`);
}
