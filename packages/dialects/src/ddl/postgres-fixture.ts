import { attributeId, foreignKeyId, logicalType, relationId, type Schema } from '@askema/core';
import type { PGlite } from '@electric-sql/pglite';
import { postgresDialect } from '../postgres/postgres.ts';
import { sortSchema } from './sqlite-fixture.ts';

interface ColumnRow {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
}
interface KeyRow {
  readonly kind: 'p' | 'u' | 'f';
  readonly table: string;
  readonly columns: readonly string[];
  readonly target: string | null;
  readonly targets: readonly string[] | null;
}

const COLUMNS = `SELECT c.relname AS "table", a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type, a.attnotnull AS required
  FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = 'public' AND c.relkind = 'r' AND a.attnum > 0 ORDER BY c.relname, a.attnum`;
const names = (relation: string, positions: string): string =>
  `(SELECT array_agg(a.attname::text ORDER BY u.position) FROM unnest(${positions}) WITH ORDINALITY AS u(number, position) JOIN pg_attribute a ON a.attrelid = ${relation} AND a.attnum = u.number)`;
const KEYS = `SELECT k.contype AS kind, c.relname AS "table", ${names('k.conrelid', 'k.conkey')} AS columns, t.relname AS target, ${names('k.confrelid', 'k.confkey')} AS targets
  FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace LEFT JOIN pg_class t ON t.oid = k.confrelid
  WHERE n.nspname = 'public' AND k.contype IN ('p', 'u', 'f')`;

/**
 * For tests: the 5-tuple of the schema `public`, as the catalog of PostgreSQL tells it; parts sorted by id. NOT NULL of
 * primary keys is left out.
 */
export async function readPostgres(database: PGlite): Promise<Schema> {
  const columns = (await database.query<ColumnRow>(COLUMNS)).rows;
  const keys = (await database.query<KeyRow>(KEYS)).rows;
  const tables = [...new Set(columns.map(({ table }) => table))];
  const ids = (table: string, list: readonly string[]): string[] =>
    list.map((name) => attributeId(relationId([table]), name));
  const isPrimary = (table: string, name: string): boolean =>
    keys.some((key) => key.kind === 'p' && key.table === table && key.columns.includes(name));
  return sortSchema({
    relations: tables.map((table) => ({ id: relationId([table]), name: table })),
    attributes: columns.map(({ table, name, type }) => {
      const relation = relationId([table]);
      return { id: attributeId(relation, name), relation, name, type: logicalType(type, postgresDialect) };
    }),
    primaryKeys: keys
      .filter(({ kind }) => kind === 'p')
      .map(({ table, columns: list }) => ({ relation: relationId([table]), attributes: ids(table, list) })),
    foreignKeys: keys
      .filter(({ kind }) => kind === 'f')
      .map(({ table, columns: list, target, targets }) => {
        const [own, other] = [relationId([table]), relationId([target ?? ''])];
        const to = ids(target ?? '', targets ?? []);
        const pairs = ids(table, list).map((from, index) => ({ from, to: to[index] ?? '' }));
        return { id: foreignKeyId(own, other, pairs), relation: own, target: other, pairs };
      }),
    domainConstraints: [
      ...columns
        .filter(({ table, name, required }) => required && !isPrimary(table, name))
        .map(({ table, name }) => ({ attribute: ids(table, [name])[0] ?? '', constraint: 'not null' as const })),
      ...keys
        .filter(({ kind, columns: list }) => kind === 'u' && list.length === 1)
        .map(({ table, columns: list }) => ({ attribute: ids(table, list)[0] ?? '', constraint: 'unique' as const })),
    ],
  });
}
