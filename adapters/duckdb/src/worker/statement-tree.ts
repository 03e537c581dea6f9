import type { DuckDBConnection, DuckDBPreparedStatement } from '@duckdb/node-api';

/** What a statement names, by DuckDB's own parser. Nothing is bound or run for it. */
export interface NamedInTree {
  /** Functions and operators without their schemas, in lower case. */
  readonly functions: ReadonlySet<string>;
  /** Those that are written as the engine's own: `system.main.lower(a)`. */
  readonly engineFunctions: ReadonlySet<string>;
  /** Tables, views and files without their schemas, in lower case, those of its own WITH included. */
  readonly relations: ReadonlySet<string>;
  /** How often each of them is named. */
  readonly times: ReadonlyMap<string, number>;
  /** With how few arguments each function is called. */
  readonly leastArguments: ReadonlyMap<string, number>;
  /** The settings that it asks for, in lower case; an empty text for one whose name is computed. */
  readonly settings: ReadonlySet<string>;
}

/** What stands in front of the statement that EXPLAIN explains. A block comment within a block comment is not seen. */
const BLANK = String.raw`(?:\s|--[^\n\r]*(?:[\n\r]|$)|/\*(?:(?!/\*|\*/)[\s\S])*\*/)`;
const EXPLAIN = new RegExp(String.raw`^${BLANK}*EXPLAIN(?=\W)(?:${BLANK}+ANALY[SZ]E(?=\W))?${BLANK}*`, 'i');
const EXPLAIN_OPTIONS = /^\([^()]*\)/;

/** The tree of a query, or of the query that is explained; undefined for any other text. */
export async function queryTree(connection: DuckDBConnection, sql: string): Promise<unknown> {
  const explain = EXPLAIN.exec(sql)?.[0];
  if (explain === undefined) return serialized(connection, sql);
  const explained = sql.slice(explain.length);
  const tree = await serialized(connection, explained);
  // A query in brackets, or else options in brackets.
  return tree ?? (await serialized(connection, explained.replace(EXPLAIN_OPTIONS, '')));
}

// Qualified: a macro of the opened database may have the same name.
const SERIALIZE = 'SELECT system.main.json_serialize_sql($1::VARCHAR)';

/** Prepared once for each connection: every read needs it. */
const serializers = new WeakMap<DuckDBConnection, DuckDBPreparedStatement>();

async function serialized(connection: DuckDBConnection, sql: string): Promise<unknown> {
  const serialize = serializers.get(connection) ?? (await connection.prepare(SERIALIZE));
  serializers.set(connection, serialize);
  serialize.bindVarchar(1, sql);
  const reader = await serialize.runAndReadAll();
  const tree = parseTree(String(reader.getRows()[0]?.[0])) as { readonly error?: unknown };
  return tree.error === false ? tree : undefined;
}

/** DuckDB writes numbers down that JSON does not have. */
export function parseTree(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return JSON.parse(json.replace(/(?<=[:,[])-?(?:Infinity|NaN)(?=[,}\]])/g, 'null'));
  }
}

/** All functions and relations anywhere in a tree of {@link queryTree}. */
export function namedIn(tree: unknown): NamedInTree {
  const functions = new Set<string>();
  const engineFunctions = new Set<string>();
  const relations = new Set<string>();
  const times = new Map<string, number>();
  const leastArguments = new Map<string, number>();
  const settings = new Set<string>();
  const named = (names: Set<string>, name: string): void => {
    names.add(name);
    times.set(name, (times.get(name) ?? 0) + 1);
  };
  const open: unknown[] = [tree];
  while (open.length > 0) {
    const node = open.pop();
    if (node === null || typeof node !== 'object') continue;
    const { catalog, function_name, table_name, children } = node as Readonly<Record<string, unknown>>;
    if (typeof function_name === 'string' && function_name !== '') {
      const name = function_name.toLowerCase();
      named(catalog === 'system' ? engineFunctions : functions, name);
      const count = Array.isArray(children) ? children.length : 0;
      leastArguments.set(name, Math.min(count, leastArguments.get(name) ?? count));
      if (name === 'current_setting') settings.add(textOf(Array.isArray(children) ? children[0] : undefined));
    }
    if (typeof table_name === 'string' && table_name !== '') named(relations, table_name.toLowerCase());
    for (const value of Object.values(node)) if (typeof value === 'object') open.push(value);
  }
  return { functions, engineFunctions, relations, times, leastArguments, settings };
}

/** A text that is written out, in lower case; an empty one for any other expression. */
function textOf(node: unknown): string {
  const { class: kind, value } = (node ?? {}) as { readonly class?: unknown; readonly value?: unknown };
  const text = (value as { readonly value?: unknown } | undefined)?.value;
  return kind === 'CONSTANT' && typeof text === 'string' ? text.toLowerCase() : '';
}
