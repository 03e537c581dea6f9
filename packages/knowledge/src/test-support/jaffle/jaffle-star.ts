import Database from 'better-sqlite3';
import type { Cell, PlainColumn, PlainStar, PlainType, Row } from '../plain-star.ts';
import { JAFFLE } from './metric-cases.ts';

const TABLES = ['locations', 'products', 'supplies', 'order_items', 'orders', 'customers', 'metricflow_time_spine'];

export const JAFFLE_FILE = `${JAFFLE}/jaffle_shop.sqlite`;

/**
 * The marts of jaffle-shop with their rows, without metrics. `typed`: dates and booleans, as other engines have them;
 * SQLite has texts and numbers.
 */
export function jaffleStar({ typed }: { readonly typed: boolean }): PlainStar {
  const database = new Database(JAFFLE_FILE, { readonly: true });
  try {
    return {
      metrics: [],
      links: [],
      tables: TABLES.map((name) => {
        const columns = (
          database.pragma(`table_info("${name}")`) as { readonly name: string; readonly type: string }[]
        ).map((column): PlainColumn => ({ name: column.name, type: typeOf(column, typed) }));
        const rows = (database.prepare(`SELECT * FROM "${name}"`).all() as Record<string, Cell>[]).map(
          (row): Row =>
            Object.fromEntries(
              columns.map((column) => {
                const cell = row[column.name] ?? null;
                return [column.name, column.type === 'boolean' && cell !== null ? Boolean(cell) : cell];
              }),
            ),
        );
        return { name, columns, rows, key: columns[0]?.name };
      }),
    };
  } finally {
    database.close();
  }
}

function typeOf({ name, type }: { readonly name: string; readonly type: string }, typed: boolean): PlainType {
  if (typed && name.startsWith('is_')) return 'boolean';
  if (typed && /_at$|_date$|^date_/.test(name)) return 'date';
  return type === 'INTEGER' ? 'integer' : type === 'TEXT' ? 'text' : 'decimal';
}
