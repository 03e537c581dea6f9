import { buildCatalog, type Catalog } from '@askema/core';
import { postgresDialect } from '@askema/dialects';
import type { PGlite } from '@electric-sql/pglite';
import { freshPostgres } from '../../testing/fresh-postgres.ts';
import { type Chance, chanceOf, textsOf } from './chance.ts';
import { TABLES, type Table } from './definitions.ts';

/** As PostgreSQL tells it; there are keys, and no foreign keys. */
export const catalogOfTables = (): Catalog =>
  buildCatalog({
    dialect: postgresDialect,
    name: 'insurance',
    relations: TABLES.map(({ name, columns, key }) => ({
      nameParts: { database: 'insurance', schema: 'public', relation: name },
      kind: 'table',
      primaryKey: key,
      attributes: Object.entries(columns).map(([column, nativeType]) => ({ name: column, nativeType })),
    })),
  });

/** Of the first table; each has some more than the one before, or their counts would be the same. */
const ROWS = 90;

/** All tables, with rows that mean nothing. */
export async function openRows(seed: number): Promise<PGlite> {
  const chance = chanceOf(seed);
  const database = await freshPostgres();
  for (const [number, table] of TABLES.entries()) {
    const columns = Object.entries(table.columns).map(([name, type]) => `"${name}" ${type}`);
    const key = table.key.map((name) => `"${name}"`).join(', ');
    await database.exec(`CREATE TABLE "${table.name}" (${columns.join(', ')}, PRIMARY KEY (${key}))`);
    const rows = Array.from({ length: ROWS + 5 * number }, (_, at) => `(${row(table, at, chance).join(', ')})`);
    await database.exec(`INSERT INTO "${table.name}" VALUES ${rows.join(', ')}`);
  }
  return database;
}

function row(table: Table, at: number, chance: Chance): readonly string[] {
  const isPair = table.key.length > 1;
  return Object.entries(table.columns).map(([column, type]) => {
    if (table.key.includes(column)) {
      if (type === 'integer') return String(isPair ? Math.floor(at / 5) + 1 : at + 1);
      const texts = textsOf(table.name, column);
      return isPair ? `'${texts[at % 5]}'` : `'${texts[at] ?? `K${at}`}'`;
    }
    if (chance.is(0.12)) return type === 'boolean' ? 'false' : 'NULL';
    const day = `2024-${String(1 + chance.below(12)).padStart(2, '0')}-${String(1 + chance.below(28)).padStart(2, '0')}`;
    switch (type) {
      case 'integer':
        return String(1 + chance.below(ROWS));
      case 'numeric':
        return (chance.below(1_000_000) / 100).toFixed(2);
      case 'boolean':
        return String(chance.is(0.4));
      case 'date':
        return `'${day}'`;
      case 'timestamp':
        return `'${day} 10:20:30'`;
      default:
        return `'${chance.oneOf(textsOf(table.name, column))}'`;
    }
  });
}
