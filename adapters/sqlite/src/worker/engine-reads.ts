import type { EngineRead } from '@askema/core';
import type { Database } from './driver.ts';

/** One instruction of the program that EXPLAIN shows (https://sqlite.org/opcode.html). */
export interface Instruction {
  readonly opcode: string;
  readonly p1: number;
  readonly p2: number;
  readonly p3: number;
  readonly p4: string | null;
}

/** A b-tree of the database: a table, or an index of one. */
interface Tree {
  readonly name: string;
  readonly table: string;
  /** Columns as they are stored; undefined is the rowid. */
  readonly columns: readonly (string | undefined)[];
  /** The column that is another name of the rowid. */
  readonly rowid: string | undefined;
}

const OPENS = /^(?:OpenRead|OpenWrite|ReopenIdx)$/;
/** P4 says how many columns at the beginning of the index are compared. */
const COMPARES = /^(?:Seek(?:GE|GT|LE|LT)|Idx(?:GE|GT|LE|LT)|Found|NotFound|NoConflict)$/;
const READS_ROWID = /^(?:Rowid|IdxRowid|SeekRowid|NotExists)$/;

/** Tables whose pages a program opens. */
export function openedPages(program: readonly Instruction[]): readonly number[] {
  return program.filter(({ opcode, p3 }) => OPENS.test(opcode) && p3 === 0).map(({ p2 }) => p2);
}

/**
 * The tables that a program opens, and the columns that it takes out of them or compares in an index. A scan in the
 * order of an index names no column. Undefined where it opens a virtual table: what that reads is not in the program.
 */
export function engineReads(database: Database, program: readonly Instruction[]): readonly EngineRead[] | undefined {
  if (program.some(({ opcode }) => opcode === 'VOpen')) return undefined;
  const trees = new Map<number, Tree>();
  const columns = new Map<string, Set<string>>();
  const take = (tree: Tree | undefined, name: string | undefined): void => {
    if (tree !== undefined && name !== undefined) columns.get(tree.table)?.add(name);
  };
  for (const { opcode, p1, p2, p3, p4 } of program) {
    if (OPENS.test(opcode) && p3 === 0) {
      const tree = treeAt(database, p2, p4?.startsWith('k(') === true);
      trees.set(p1, tree);
      if (!columns.has(tree.table)) columns.set(tree.table, new Set());
    }
    const tree = trees.get(p1);
    if (opcode === 'Column') for (const name of tree?.columns.slice(p2, p2 + 1) ?? []) take(tree, name ?? tree?.rowid);
    else if (opcode === 'RowData') take(tree, '*');
    else if (READS_ROWID.test(opcode)) take(tree, tree?.rowid);
    else if (COMPARES.test(opcode)) for (const name of comparedIn(tree, p4)) take(tree, name);
  }
  return [...columns].map(([relation, names]) => ({ nameParts: { relation }, columns: [...names].sort() }));
}

/** Without a number of columns the row id is compared; it stands at the end of an index as well. */
function comparedIn(tree: Tree | undefined, p4: string | null): readonly (string | undefined)[] {
  const count = Number.parseInt(p4 ?? '', 10) || 0;
  const columns = count > 0 ? tree?.columns.slice(0, count) : [undefined];
  return columns?.map((name) => name ?? tree?.rowid) ?? [];
}

const INDEX_COLUMNS = "SELECT name FROM temp.pragma_index_xinfo(?, 'main') ORDER BY seqno";

/** @param isKeyed the program compares its rows by key, as those of an index and of a table without rowids. */
function treeAt(database: Database, page: number, isKeyed: boolean): Tree {
  const all = <T>(sql: string, parameter: unknown): T[] => database.prepare(sql).all(parameter) as T[];
  type Named = { readonly name: string | null };
  const namesOf = (sql: string, parameter: string): (string | undefined)[] =>
    all<Named>(sql, parameter).map(({ name }) => name ?? undefined);
  const [found] = all<{ readonly type: string; readonly name: string; readonly tbl_name: string }>(
    'SELECT lower(type) AS type, name, tbl_name FROM sqlite_schema WHERE rootpage = ?',
    page,
  );
  // The first page is that of the schema itself.
  if (found === undefined) return { name: 'sqlite_schema', table: 'sqlite_schema', columns: [], rowid: undefined };
  const { type, name, tbl_name: table } = found;
  const [rowid] = namesOf(
    `SELECT min(name) AS name FROM temp.pragma_table_xinfo(?, 'main') WHERE pk > 0
     HAVING count(*) = 1 AND upper(min(type)) = 'INTEGER'`,
    table,
  );
  if (type === 'index') return { name, table, columns: namesOf(INDEX_COLUMNS, name), rowid };
  // A table without rowids is stored as the index of its primary key.
  if (isKeyed) {
    const [key = ''] = namesOf("SELECT name FROM temp.pragma_index_list(?, 'main') WHERE origin = 'pk'", table);
    return { name: key, table, columns: namesOf(INDEX_COLUMNS, key), rowid: undefined };
  }
  // Virtual columns, 2, are not stored.
  return {
    name: table,
    table,
    columns: namesOf("SELECT name FROM temp.pragma_table_xinfo(?, 'main') WHERE hidden <> 2 ORDER BY cid", table),
    rowid,
  };
}
