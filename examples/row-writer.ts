import type { Schema } from '@askema/core';
import type Database from 'better-sqlite3';

type Row = Readonly<Record<string, string | number | null>>;

/**
 * Inserts rows into tables that somebody else has named: `daily fee` is `Daily Fee`, `daily_fee` or `DailyFee`, and
 * `category` is also `Category Name` where no column fits better.
 */
export function rowWriter(
  database: Database.Database,
  schema: Schema,
): (table: string, ...rows: readonly Row[]) => void {
  return (table, ...rows) => {
    const { name, id } = find(table, schema.relations);
    const columns = schema.attributes.filter(({ relation }) => relation === id);
    for (const row of rows) {
      const names = Object.keys(row).map((each) => quoted(find(each, columns).name));
      const marks = names.map(() => '?').join(', ');
      database
        .prepare(`INSERT INTO ${quoted(name)} (${names.join(', ')}) VALUES (${marks})`)
        .run(...Object.values(row));
    }
  };
}

function find<Named extends { readonly name: string }>(wanted: string, among: readonly Named[]): Named {
  const words = letters(wanted);
  const fits = [
    (name: string) => name === words,
    (name: string) => name.endsWith(words),
    (name: string) => name.startsWith(words),
  ];
  for (const fit of fits) {
    const found = among.find(({ name }) => fit(letters(name)));
    if (found !== undefined) return found;
  }
  throw new Error(`“${wanted}” is not among ${among.map(({ name }) => name).join(', ')}`);
}

function letters(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
