import type { DuckDBConnection } from '@duckdb/node-api';
import { literal, quote } from './view-statements.ts';

/** Deeper statements are not walked. */
const MAX_DEPTH = 400;

/**
 * The relations that a statement names, views among them, qualified as far as the statement does it, without those of its own WITH: by DuckDB's
 * own parser. For a statement that is no SELECT only its tables are known.
 */
export async function namedRelations(connection: DuckDBConnection, sql: string): Promise<readonly string[]> {
  const tree = await serialized(connection, sql);
  if (tree === undefined) return tableNames(connection, sql);
  const found = new Set<string>();
  walk(tree, new Set(), found, 0);
  return [...found].sort();
}

/** Undefined for what is no SELECT. */
async function serialized(connection: DuckDBConnection, sql: string): Promise<unknown> {
  try {
    const reader = await connection.runAndReadAll(`SELECT json_serialize_sql(${literal(sql)})`);
    const tree = JSON.parse(String(reader.getRows()[0]?.[0])) as { readonly error?: unknown };
    return tree.error === false ? tree : undefined;
  } catch {
    return undefined;
  }
}

function walk(node: unknown, ctes: ReadonlySet<string>, found: Set<string>, depth: number): void {
  if (node === null || typeof node !== 'object' || depth > MAX_DEPTH) return;
  if (Array.isArray(node)) {
    for (const item of node) walk(item, ctes, found, depth + 1);
    return;
  }
  const record = node as Readonly<Record<string, unknown>>;
  const known = new Set([...ctes, ...cteNames(record.cte_map)]);
  if (record.type === 'BASE_TABLE' && typeof record.table_name === 'string') {
    const parts = [record.catalog_name, record.schema_name, record.table_name].map((part) => String(part ?? ''));
    const named = parts.filter((part) => part !== '');
    if (named.length > 1 || !known.has(record.table_name.toLowerCase())) found.add(named.map(plain).join('.'));
  }
  for (const value of Object.values(record)) walk(value, known, found, depth + 1);
}

function cteNames(map: unknown): readonly string[] {
  const entries = (map as { readonly map?: unknown } | undefined)?.map;
  if (!Array.isArray(entries)) return [];
  return entries.map((entry: { readonly key?: unknown }) => String(entry.key).toLowerCase());
}

function tableNames(connection: DuckDBConnection, sql: string): readonly string[] {
  try {
    return [...connection.getTableNames(sql, true)].sort();
  } catch {
    return [];
  }
}

function plain(name: string): string {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? name : quote(name);
}
