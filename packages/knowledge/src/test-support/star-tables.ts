import { buildCatalog, type Catalog, type Dialect, quoteIdentifier, quoteString } from '@askema/core';
import type { Cell, PlainStar, PlainTable, PlainType } from './plain-star.ts';

const USUAL: Readonly<Record<PlainType, string>> = {
  integer: 'INTEGER',
  // SQLite keeps whole numbers of it as integers: where ratios are cut.
  decimal: 'DECIMAL(12, 2)',
  text: 'VARCHAR(200)',
  date: 'DATE',
  timestamp: 'TIMESTAMP',
  boolean: 'BOOLEAN',
};

const TYPES: Readonly<Record<string, Partial<Record<PlainType, string>>>> = {
  mariadb: { timestamp: 'DATETIME' },
  mysql: { timestamp: 'DATETIME' },
  bigquery: { integer: 'INT64', decimal: 'NUMERIC', text: 'STRING', timestamp: 'DATETIME', boolean: 'BOOL' },
  snowflake: { timestamp: 'TIMESTAMP_NTZ' },
};

const typeOf = (type: PlainType, dialect: Dialect): string => TYPES[dialect.name]?.[type] ?? USUAL[type];

/** Statements that make the tables of a star and fill them. Foreign keys are not enforced: orphans are part of it. */
export function starStatements(star: PlainStar, dialect: Dialect): readonly string[] {
  const quote = (name: string): string => quoteIdentifier(name, dialect);
  return star.tables.flatMap((table) => {
    const name = quote(table.source ?? table.name);
    const columns = table.columns.map((column) => `${quote(column.name)} ${typeOf(column.type, dialect)}`);
    const rows = table.rows.map(
      (row) => `(${table.columns.map((column) => literal(row[column.name] ?? null, dialect)).join(', ')})`,
    );
    const inserts = Array.from(
      { length: Math.ceil(rows.length / 200) },
      (_, at) => `INSERT INTO ${name} VALUES ${rows.slice(at * 200, at * 200 + 200).join(', ')}`,
    );
    return [`CREATE TABLE ${name} (${columns.join(', ')})`, ...inserts];
  });
}

function literal(cell: Cell, dialect: Dialect): string {
  if (cell === null) return 'NULL';
  return typeof cell === 'string' ? quoteString(cell, dialect) : String(cell);
}

/** What introspection would say of the tables. `namespace`: of the tables, outermost first. */
export function starCatalog(
  star: PlainStar,
  dialect: Dialect,
  namespace: { readonly database?: string; readonly schema?: string } = {},
): Catalog {
  const relation = (table: PlainTable) => ({ ...namespace, relation: table.source ?? table.name });
  return buildCatalog({
    dialect,
    name: 'star',
    relations: star.tables.map((table) => ({
      nameParts: relation(table),
      kind: 'table',
      attributes: table.columns.map(({ name, type }) => ({ name, nativeType: typeOf(type, dialect) })),
      ...(table.key === undefined ? {} : { primaryKey: [table.key] }),
    })),
  });
}
