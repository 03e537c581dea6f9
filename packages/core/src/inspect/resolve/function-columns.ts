import type { Dialect } from '../../adapter/dialect.ts';
import type { RelationShape } from '../../ports/query-shape.ts';
import type { NameKeys } from './name-keys.ts';

const JSON_COLUMNS = ['key', 'value', 'type', 'atom', 'id', 'parent', 'fullkey', 'path', 'json', 'root'];

/**
 * The columns of table functions whose result is always the same, as the engine stores their names:
 * https://docs.snowflake.com/en/sql-reference/functions/flatten, https://docs.snowflake.com/en/sql-reference/functions/generator,
 * https://sqlite.org/json1.html#jeach, https://sqlite.org/series.html.
 */
const FUNCTION_COLUMNS: Readonly<Record<string, ReadonlyMap<string, readonly string[]>>> = {
  snowflake: new Map([
    ['flatten', ['SEQ', 'KEY', 'PATH', 'INDEX', 'VALUE', 'THIS']],
    ['generator', []],
  ]),
  sqlite: new Map([
    ['json_each', JSON_COLUMNS],
    ['json_tree', JSON_COLUMNS],
    ['generate_series', ['value', 'start', 'stop', 'step']],
  ]),
};

/** The names of a table function's columns, by their keys; undefined where they depend on its arguments or are not known. */
export function functionColumns(
  dialect: Dialect,
  { kind, name, columnAliases }: RelationShape,
  keys: NameKeys,
): ReadonlyMap<string, string> | undefined {
  const last = name.at(-1);
  if (kind !== 'function' || last === undefined || name.length !== 1 || columnAliases.length > 0) return undefined;
  if (!Object.hasOwn(FUNCTION_COLUMNS, dialect.name)) return undefined;
  const columns = FUNCTION_COLUMNS[dialect.name]?.get(last.text.toLowerCase());
  return columns === undefined ? undefined : new Map(columns.map((column) => [keys.keyOfStored(column), column]));
}
