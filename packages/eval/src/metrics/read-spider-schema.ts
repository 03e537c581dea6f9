import type { QueryResult } from '@askema/core';
import type { SpiderSchema } from './spider-sql.ts';

const COLUMNS = `SELECT m.name, p.name FROM sqlite_master AS m JOIN pragma_table_info(m.name) AS p
WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY m.rowid, p.cid`;

/** A key without a target column points at the primary key. */
const KEYS = `SELECT m.name, f."from", f."table", coalesce(f."to", (SELECT p.name FROM pragma_table_info(f."table") AS p WHERE p.pk = f.seq + 1))
FROM sqlite_master AS m JOIN pragma_foreign_key_list(m.name) AS f WHERE m.type = 'table' ORDER BY m.rowid, f.id DESC, f.seq`;

/** Tables, columns and foreign keys of a SQLite database, in lower case; undefined where the database does not tell. */
export async function readSpiderSchema(
  run: (sql: string) => Promise<Pick<QueryResult, 'rows'>>,
): Promise<SpiderSchema | undefined> {
  let columns: Pick<QueryResult, 'rows'>;
  let keys: Pick<QueryResult, 'rows'>;
  try {
    columns = await run(COLUMNS);
    keys = await run(KEYS);
  } catch {
    return undefined;
  }
  const tables = new Map<string, string[]>();
  for (const [table, column] of textRows(columns)) {
    const known = tables.get(table) ?? [];
    known.push(column);
    tables.set(table, known);
  }
  return { tables, keys: equatedColumns(textRows(keys)) };
}

function textRows({ rows }: Pick<QueryResult, 'rows'>): readonly (readonly [string, string, string, string])[] {
  const text = (value: unknown): string => (typeof value === 'string' ? value.toLowerCase() : '');
  return rows.map(([a, b, c, d]) => [text(a), text(b), text(c), text(d)]);
}

/** One column for each set of columns that foreign keys join. */
function equatedColumns(rows: readonly (readonly [string, string, string, string])[]): ReadonlyMap<string, string> {
  const sets: Set<string>[] = [];
  for (const [table, column, target, targetColumn] of rows) {
    const [from, to] = [`${table}.${column}`, `${target}.${targetColumn}`];
    let set = sets.find((one) => one.has(from) || one.has(to));
    if (set === undefined) {
      set = new Set();
      sets.push(set);
    }
    set.add(from).add(to);
  }
  return new Map(sets.flatMap((set) => [...set].map((column) => [column, [...set].sort()[0] ?? column] as const)));
}
